//! Toolsets: which tools a caller is offered.
//!
//! Presets are lists of names in the order in which tools are listed; names of actions
//! that do not exist yet are skipped, so the lists are final from the start.

use crate::action::{Entry, Group};
use crate::error::CallError;
use btcp_engine::names;

/// What an agent needs for whole tasks, in few tokens.
const AGENT: &[&str] = &[
    "snapshot",
    "find",
    "navigate",
    "back",
    "click",
    "type",
    "fill",
    "fill_form",
    "press",
    "select",
    "hover",
    "drag",
    "upload",
    "scroll",
    "wait",
    "screenshot",
    "tabs",
    "dialog",
    "evaluate",
    "console",
    "network",
    "batch",
    "web_fetch",
    "describe",
];

/// Reading only.
const MINIMAL: &[&str] =
    &["snapshot", "url", "title", "get_text", "get_attribute", "is_visible", "count", "describe"];

/// What `standard` adds.
const STANDARD: &[&str] = &[
    "navigate",
    "back",
    "forward",
    "reload",
    "click",
    "type",
    "fill",
    "press",
    "hover",
    "scroll",
    "clear",
    "check",
    "select",
    "get_by_role",
    "get_by_text",
    "get_by_label",
    "wait",
    "scroll_into_view",
    "screenshot",
    "highlight",
];

/// What `full` adds.
const FULL: &[&str] = &[
    "evaluate",
    "frame",
    "mainframe",
    "uncheck",
    "get_by_placeholder",
    "is_enabled",
    "wait_for_url",
    "console",
];

/// Every preset.
pub(crate) const PRESETS: &[&str] = &["agent", "minimal", "standard", "full", "all"];

/// The default on MCP and BTCP.
pub const DEFAULT: &str = "agent";

/// The names of a preset, in order; `None` if there is no such preset. `all` is every action.
pub fn preset(name: &str, entries: &[Entry]) -> Option<Vec<&'static str>> {
    Some(match name {
        "agent" => AGENT.to_vec(),
        "minimal" => MINIMAL.to_vec(),
        "standard" => [MINIMAL, STANDARD].concat(),
        "full" => [MINIMAL, STANDARD, FULL].concat(),
        "all" => {
            let mut all = preset("full", entries)?;
            all.extend(
                entries
                    .iter()
                    .map(|entry| entry.name)
                    .filter(|name| !all.contains(name))
                    .collect::<Vec<_>>(),
            );
            all
        }
        _ => return None,
    })
}

/// Reads `--toolset`: preset, group and tool names, comma-separated; a leading `+` adds to the default.
pub(crate) fn parse(written: &str, entries: &[Entry]) -> Result<Vec<&'static str>, CallError> {
    let (list, adds) = match written.trim().strip_prefix('+') {
        Some(rest) => (rest, true),
        None => (written.trim(), false),
    };
    let mut chosen = Vec::new();
    if adds {
        chosen.extend(preset(DEFAULT, entries).unwrap_or_default());
    }
    for word in list.split(',').map(str::trim).filter(|word| !word.is_empty()) {
        chosen.extend(meaning(word.trim_start_matches('+'), entries)?);
    }
    let mut tools = Vec::new();
    for name in chosen {
        if entries.iter().any(|entry| entry.name == name) && !tools.contains(&name) {
            tools.push(name);
        }
    }
    if tools.is_empty() {
        return Err(refused(format!("Toolset '{written}' has no tools"), None));
    }
    Ok(tools)
}

/// A bare word is a preset, then a group, then a tool; with `browser_` it is the tool.
fn meaning(word: &str, entries: &[Entry]) -> Result<Vec<&'static str>, CallError> {
    if !word.to_lowercase().starts_with("browser_") {
        if let Some(names) = preset(&word.to_lowercase(), entries) {
            return Ok(names);
        }
        if let Some(group) = Group::ALL.iter().find(|group| group.name() == word.to_lowercase()) {
            return Ok(entries.iter().filter(|e| e.group == *group).map(|e| e.name).collect());
        }
    }
    if let Some(entry) = find(word, entries) {
        return Ok(vec![entry.name]);
    }
    let known = PRESETS
        .iter()
        .copied()
        .chain(Group::ALL.iter().map(|group| group.name()))
        .chain(entries.iter().map(|entry| entry.name));
    let near = names::nearest(word, known, 3);
    let hint = (!near.is_empty()).then(|| format!("Did you mean {}?", near.join(", ")));
    Err(refused(format!("Toolset '{word}' is neither a preset, a group nor a tool"), hint))
}

fn refused(reason: String, hint: Option<String>) -> CallError {
    CallError::InvalidParams { field: Some("toolset".into()), reason, hint }
}

/// The entry a name means, spelling ignored.
pub(crate) fn find<'a>(name: &str, entries: &'a [Entry]) -> Option<&'a Entry> {
    let wanted = names::squashed(name);
    entries.iter().find(|entry| {
        names::squashed(entry.name) == wanted
            || entry.aliases.iter().any(|alias| names::squashed(alias) == wanted)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ENTRIES;

    /// Written out here a second time: what a conversation is offered must not change by accident.
    #[test]
    fn presets_have_their_final_contents() {
        let minimal = "count describe get_attribute get_text is_visible snapshot title url";
        let standard = format!(
            "{minimal} back check clear click fill forward get_by_label get_by_role get_by_text \
             highlight hover navigate press reload screenshot scroll scroll_into_view select type wait"
        );
        let full = format!(
            "{standard} console evaluate frame get_by_placeholder is_enabled mainframe uncheck \
             wait_for_url"
        );
        let agent = "snapshot find navigate back click type fill fill_form press select hover drag \
                     upload scroll wait screenshot tabs dialog evaluate console network batch \
                     web_fetch describe";
        for (name, size, contents) in [
            ("minimal", 8, minimal),
            ("standard", 28, &standard),
            ("full", 36, &full),
            ("agent", 24, agent),
        ] {
            let sorted = |names: &mut Vec<&str>| {
                names.sort_unstable();
                names.join(" ")
            };
            let mut listed = preset(name, ENTRIES).unwrap();
            assert_eq!(listed.len(), size, "{name}");
            assert_eq!(sorted(&mut listed), sorted(&mut contents.split(' ').collect()), "{name}");
        }
        // Those that are still to come.
        let offered = parse("agent", ENTRIES).unwrap();
        let lacks = preset("agent", ENTRIES).unwrap().into_iter().filter(|n| !offered.contains(n));
        assert_eq!(lacks.collect::<Vec<_>>(), ["network", "web_fetch"]);
    }

    #[test]
    fn presets_groups_and_tools_can_be_mixed() {
        let tools = parse("minimal,navigation,browser_click", ENTRIES).unwrap();
        assert!(tools.starts_with(&["snapshot"]) && tools.contains(&"click"), "{tools:?}");
        assert!(tools.contains(&"navigate"), "{tools:?}");
        assert_eq!(tools.iter().filter(|name| **name == "url").count(), 1);
    }

    #[test]
    fn a_plus_adds_to_the_default() {
        let tools = parse("+title", ENTRIES).unwrap();
        assert_eq!(tools.first(), Some(&"snapshot"));
        assert_eq!(tools.last(), Some(&"title"));
    }

    /// Most pages have none, and every conversation would pay for them.
    #[test]
    fn tools_of_pages_are_offered_only_where_they_are_asked_for() {
        let page = ["call_page_tool", "page_tools"];
        for name in ["agent", "minimal", "standard", "full"] {
            let offered = parse(name, ENTRIES).unwrap();
            assert!(!page.iter().any(|tool| offered.contains(tool)), "{name} has {offered:?}");
        }
        assert!(parse("+page", ENTRIES).unwrap().ends_with(&page));
        assert_eq!(parse("page", ENTRIES).unwrap(), page);
    }

    #[test]
    fn a_wrong_word_names_the_nearest() {
        let error = parse("minmal", ENTRIES).unwrap_err();
        let CallError::InvalidParams { hint, .. } = error else { panic!("{error:?}") };
        assert_eq!(hint.as_deref(), Some("Did you mean minimal?"));
    }
}
