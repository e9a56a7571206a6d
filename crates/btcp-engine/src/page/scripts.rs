//! The scripts that Chrome puts into every document, built from `web/page`.

use btcp_cdp::page;

use super::WORLD;

const CODE: &str = include_str!("page.js");
const OWN_WORLD: &str = include_str!("own-world.js");
const NO_PASTE: &str = include_str!("no-paste.js");

/// The page code for every document a session will have, ours before that in the page's own world,
/// which tells it something. Where the clipboard is no person's, nothing is pasted from it.
pub(crate) fn with_every_document(
    desktop: bool,
) -> impl Iterator<Item = page::AddScriptToEvaluateOnNewDocument<'static>> {
    let all = [(CODE, Some(WORLD)), (OWN_WORLD, None), (NO_PASTE, Some(WORLD))];
    all.into_iter().take(if desktop { 2 } else { 3 }).map(|(source, world_name)| {
        page::AddScriptToEvaluateOnNewDocument { source, world_name, run_immediately: None }
    })
}
