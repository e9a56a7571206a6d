//! For shells and `man`: every command there is, from the same definitions.

use btcp::export;
use clap_complete::Shell;

use super::{action, entries, flag, output_flags, own};
use crate::settings;

/// All commands, with what every action takes.
fn whole() -> clap::Command {
    let session = settings::find("session").map(|setting| flag(setting).global(true));
    let actions = entries().iter().map(|entry| {
        action::command(entry, &export::parameters(entry))
            .args(output_flags())
            .args(session.clone())
    });
    own::command().subcommands(actions)
}

/// The script that makes a shell complete.
pub(super) fn completions(shell: Shell) -> String {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut whole(), "btcp", &mut script);
    String::from_utf8_lossy(&script).into_owned()
}

/// The manual page: commands, then settings.
pub(super) fn man() -> String {
    let man = clap_mangen::Man::new(whole().after_help(""));
    let mut page = Vec::new();
    // A vector takes all that is written.
    let _ = man.render(&mut page);
    let mut page = String::from_utf8_lossy(&page).into_owned();
    page.push_str(".SH SETTINGS\n");
    page.push_str(
        "A flag is stronger than a variable of the environment, that than the project's ",
    );
    page.push_str("btcp.toml, that than the user's btcp/config.toml.\n");
    for setting in settings::all() {
        let value = setting.value.map(|value| format!(" {value}")).unwrap_or_default();
        let name = format!("--{}{value}, {}", setting.name, setting.variable());
        page.push_str(&format!(".TP\n{}\n{}\n", roff(&name), roff(&setting.help())));
    }
    page.push_str(".SH EXIT STATUS\n0 done, 1 failed, 2 the command line makes no sense.\n");
    page
}

/// Text that means nothing to roff.
fn roff(text: &str) -> String {
    let text = text.replace('\\', "\\e").replace('-', "\\-");
    match text.starts_with(['.', '\'']) {
        true => format!("\\&{text}"),
        false => text,
    }
}
