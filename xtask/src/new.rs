//! `cargo xtask new <name>`: starts an action, with blanks to fill.
//!
//! The two files are all one writes by hand; the list is written right away. tidy
//! refuses the blanks that are left. The template is a real action, `new_action`, which the tests
//! of btcp-actions compile, so that it does not fall behind the trait.

use anyhow::{Context as _, Result, bail};

use crate::generate::{self, Mode, action_list};
use crate::output;
use crate::process::root;

const ACTION: &str = include_str!("../templates/action.rs.txt");
const PAGE: &str = include_str!("../templates/page.html.txt");

pub(crate) fn run(name: &str) -> Result<()> {
    if !is_well_spelled(name) {
        bail!("'{name}' is not a name for an action; use snake_case, like `hover` or `read_image`");
    }
    let root = root();
    let files = [
        (format!("{}/{name}.rs", action_list::FOLDER), fill(ACTION, name)),
        (format!("testpages/{name}.html"), fill(PAGE, name)),
    ];
    if let Some((path, _)) = files.iter().find(|(path, _)| root.join(path).exists()) {
        bail!("{path} exists already; choose another name or edit it");
    }
    for (path, text) in &files {
        std::fs::write(root.join(path), text).with_context(|| format!("Cannot write {path}"))?;
        output::say(&format!("wrote {path}"));
    }
    let list = action_list::text(&root)?;
    generate::settle(&root, action_list::PATH, &list, Mode::Write)?;
    output::say("Fill the blanks in both, then run `cargo xtask gen` and `cargo xtask test`.");
    Ok(())
}

fn is_well_spelled(name: &str) -> bool {
    let is_word = |word: &str| {
        !word.is_empty() && word.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit())
    };
    name.starts_with(|c: char| c.is_ascii_lowercase()) && name.split('_').all(is_word)
}

fn fill(template: &str, name: &str) -> String {
    template.replace("new_action", name).replace("NewAction", &action_list::camel_case(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_snake_case() {
        for good in ["hover", "read_image", "press2"] {
            assert!(is_well_spelled(good), "{good}");
        }
        for bad in ["", "Hover", "read-image", "_a", "a_", "a__b", "2a", "../a"] {
            assert!(!is_well_spelled(bad), "{bad}");
        }
    }

    #[test]
    fn the_blanks_hold_the_name() {
        let action = fill(ACTION, "read_image");
        assert!(action.starts_with("//! `read_image`: "), "{action}");
        assert!(action.contains("impl Action for ReadImage {"), "{action}");
        assert!(action.contains("const NAME: &'static str = \"read_image\";"), "{action}");
        assert!(!action.contains("new_action") && !action.contains("NewAction"), "{action}");
        assert!(fill(PAGE, "read_image").contains("<title>read_image</title>"));
    }
}
