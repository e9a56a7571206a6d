//! `btcp demo`: an agent's first minute with a browser, on a page of our own, or the reading
//! half of it on any page.
//!
//! Every step is a public catalog call, printed as an agent sees it: the call, then the
//! text the model reads. Refs are taken from the snapshot's text, as an agent takes them.

mod server;
mod walk;

use std::process::ExitCode;

use btcp::{Catalog, Sessions, Settings};

use self::server::Server;
use self::walk::{Stopped, Walk};
use crate::{output, signals};

/// What the page says once the order is through.
const RECEIPT: &str = "Thank you, Ada Lovelace! 3 x Green tea will be at your door tomorrow.";

pub(crate) async fn run(settings: Settings, url: Option<String>) -> anyhow::Result<ExitCode> {
    let sessions = Sessions::new(settings);
    sessions.on_progress(output::note);
    let mut walk = Walk::new(Catalog::new(sessions.clone()))?;
    let walking = async {
        match url {
            Some(url) => look(&mut walk, &url).await,
            None => shop(&mut walk).await,
        }
    };
    let code = tokio::select! {
        walked = walking => match walked {
            Ok(()) => ExitCode::SUCCESS,
            Err(Stopped { why }) => {
                output::note(&format!("The demo stopped here. {why}"));
                ExitCode::FAILURE
            }
        },
        code = signals::asked_to_end() => code,
    };
    sessions.close_all().await;
    Ok(code)
}

/// Looks at a page that is not ours, and leaves everything on it alone.
async fn look(walk: &mut Walk, url: &str) -> Result<(), Stopped> {
    walk.step("Open the page", "browser_navigate", &[("url", url)]).await?;
    walk.step("Look at it", "browser_snapshot", &[]).await?;
    let picture = walk.step("Take a picture", "browser_screenshot", &[]).await?;
    walk.end(picture.path()?);
    Ok(())
}

/// Orders tea.
async fn shop(walk: &mut Walk) -> Result<(), Stopped> {
    let server = Server::start()
        .await
        .map_err(|error| Stopped { why: format!("The demo page cannot be served: {error}") })?;
    walk.step("Open the page", "browser_navigate", &[("url", server.url())]).await?;
    let page = walk.step("Look at it", "browser_snapshot", &[]).await?;

    let name = page.ref_of("textbox \"Your name\"")?;
    let tea = page.ref_of("combobox \"Tea\"")?;
    let packets = page.ref_of("spinbutton \"Packets\"")?;
    let order = page.ref_of("button \"Place order\"")?;
    let fill = "browser_fill";
    let steps = [("Ada Lovelace", name), ("Green tea", tea), ("3", packets)];
    for (value, field) in steps {
        walk.step("Fill it in", fill, &[("selector", &field), ("value", value)]).await?;
    }

    walk.step("Send it", "browser_click", &[("selector", &order)]).await?;
    walk.step("Wait for the answer", "browser_wait", &[("text", "Thank you")]).await?;
    let receipt = walk.step("Read it", "browser_get_text", &[("selector", "role=status")]).await?;
    receipt.must_say(RECEIPT)?;

    let picture = walk.step("Take a picture", "browser_screenshot", &[]).await?;
    walk.end(picture.path()?);
    Ok(())
}
