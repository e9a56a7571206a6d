//! Capabilities: what actions need of a caller, by their group, with the exceptions by name.
//!
//! Names of actions that do not exist yet stand here too: they come under these rules when they
//! arrive, as in the presets of `toolsets.rs`.

use serde_json::{Map, Value};

use crate::action::Group;
use crate::error::CallError;
use btcp_engine::names;

/// Something a caller may be allowed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Capability {
    /// Going to pages.
    Navigate,
    /// Reading pages.
    DomRead,
    /// Acting on pages.
    DomWrite,
    /// Pictures of pages.
    Capture,
    /// Running JavaScript.
    Script,
    /// Reading cookies and web storage.
    StorageRead,
    /// Changing them.
    StorageWrite,
    /// Opening, listing and closing tabs.
    Tabs,
    /// Reading the history.
    HistoryRead,
    /// Deleting from it.
    HistoryWrite,
    /// Requests of our own, and rules for those of pages.
    NetworkFetch,
    /// Reading the session's clipboard.
    ClipboardRead,
    /// Filling it.
    ClipboardWrite,
    /// Reading files.
    FilesRead,
    /// Writing files.
    FilesWrite,
    /// Seeing cookies and passwords as they are.
    SecretsRead,
}

use Capability as C;

/// Every capability and its name.
const ALL: &[(Capability, &str)] = &[
    (C::Navigate, "navigate"),
    (C::DomRead, "dom:read"),
    (C::DomWrite, "dom:write"),
    (C::Capture, "capture"),
    (C::Script, "script"),
    (C::StorageRead, "storage:read"),
    (C::StorageWrite, "storage:write"),
    (C::Tabs, "tabs"),
    (C::HistoryRead, "history:read"),
    (C::HistoryWrite, "history:write"),
    (C::NetworkFetch, "network:fetch"),
    (C::ClipboardRead, "clipboard:read"),
    (C::ClipboardWrite, "clipboard:write"),
    (C::FilesRead, "files:read"),
    (C::FilesWrite, "files:write"),
    (C::SecretsRead, "secrets:read"),
];

impl Capability {
    /// Its name in settings and errors.
    pub fn name(self) -> &'static str {
        ALL.iter().find(|(one, _)| *one == self).map_or("", |(_, name)| name)
    }

    /// Who may write may read.
    fn implies(self, other: Self) -> bool {
        self == other
            || matches!(
                (self, other),
                (C::DomWrite, C::DomRead)
                    | (C::StorageWrite, C::StorageRead)
                    | (C::HistoryWrite, C::HistoryRead)
                    | (C::ClipboardWrite, C::ClipboardRead)
                    | (C::FilesWrite, C::FilesRead)
            )
    }
}

/// A set of them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Capabilities(Vec<Capability>);

impl Capabilities {
    /// All there are.
    pub fn all() -> Self {
        Self(ALL.iter().map(|(one, _)| *one).collect())
    }

    /// All, but to see cookies and passwords as they are: what a model gets unless a person says
    /// more.
    pub fn for_models() -> Self {
        Self(Self::all().0.into_iter().filter(|one| *one != C::SecretsRead).collect())
    }

    /// Reads a list as written in settings: `dom:read, navigate`. `all` is everything, three-level
    /// names (`storage:local:read`) mean those of two. A name nobody knows is an error.
    pub fn parse(written: &str) -> Result<Self, CallError> {
        let mut found = Vec::new();
        for word in written.split(',').map(str::trim).filter(|word| !word.is_empty()) {
            if word == "all" {
                found.extend(ALL.iter().map(|(one, _)| *one));
                continue;
            }
            let lower = word.to_lowercase();
            let short = match lower.split(':').collect::<Vec<_>>()[..] {
                [first, _, last] => format!("{first}:{last}"),
                _ => lower,
            };
            match ALL.iter().find(|(_, name)| *name == short) {
                Some((one, _)) => found.push(*one),
                None => return Err(unknown(word)),
            }
        }
        Ok(Self(found))
    }

    /// Whether this is allowed, by itself or by something that implies it.
    pub fn has(&self, wanted: Capability) -> bool {
        self.0.iter().any(|one| one.implies(wanted))
    }

    /// What of these is missing.
    pub(crate) fn lacks(&self, needed: &[Capability]) -> Option<Capability> {
        needed.iter().copied().find(|one| !self.has(*one))
    }
}

fn unknown(word: &str) -> CallError {
    let known = ALL.iter().map(|(_, name)| *name);
    let near = names::nearest(word, known.clone(), 3).join(", ");
    let list = known.collect::<Vec<_>>().join(", ");
    CallError::InvalidParams {
        field: Some("capabilities".into()),
        reason: format!("Capability '{word}' is not known"),
        hint: Some(match near.is_empty() {
            true => format!("There are {list}."),
            false => format!("Did you mean {near}?"),
        }),
    }
}

/// What an action needs, as far as its name tells.
pub(crate) fn needed(name: &str, group: Group) -> &'static [Capability] {
    match name {
        "close" | "session" | "describe" => &[],
        // Its steps are judged, each as what it runs.
        "batch" => &[],
        "wait_for_function" => &[C::DomRead, C::Script],
        // They are where one is, not a way to go.
        "url" | "title" | "page_tools" => &[C::DomRead],
        "dialog" => &[C::DomWrite],
        "upload" => &[C::DomWrite, C::FilesRead],
        "downloads" | "read_image" => &[C::FilesRead],
        "pdf" => &[C::Capture, C::FilesWrite],
        "har_stop" => &[C::DomRead, C::FilesWrite],
        "trace_stop" => &[C::DomRead, C::FilesWrite],
        "storage_get" | "cookies_get" => &[C::StorageRead],
        "storage_set" | "storage_clear" | "cookies_set" | "cookies_clear" => &[C::StorageWrite],
        "state_save" => &[C::StorageRead, C::FilesWrite],
        "state_load" => &[C::StorageWrite, C::FilesRead],
        "route" | "unroute" | "emulate" | "resize" | "set_offline" | "web_fetch" => {
            &[C::NetworkFetch]
        }
        "clipboard" => &[C::ClipboardRead],
        "search_history" | "get_recent_history" | "get_visit_count" => &[C::HistoryRead],
        "delete_history_item" | "delete_history_range" => &[C::HistoryWrite],
        _ => of_group(group),
    }
}

/// What a call needs besides, by what it asks for.
pub(crate) fn needed_by(name: &str, args: &Map<String, Value>) -> &'static [Capability] {
    let is = |key: &str, value: &str| args.get(key).and_then(Value::as_str) == Some(value);
    let writes = is("do", "write") || is("action", "write");
    match name {
        "clipboard" if writes => &[C::ClipboardWrite],
        "screencast_start" if args.get("path").is_some_and(|path| !path.is_null()) => {
            &[C::FilesWrite]
        }
        _ => &[],
    }
}

fn of_group(group: Group) -> &'static [Capability] {
    match group {
        Group::Navigation => &[C::Navigate],
        Group::Interaction => &[C::DomWrite],
        // With a subaction they are judged as that.
        Group::Locators | Group::Reading | Group::Waiting => &[C::DomRead],
        Group::Frames | Group::Debugging => &[C::DomRead],
        Group::Pictures => &[C::Capture],
        // What a session keeps; those that only read say so above.
        Group::State => &[C::StorageWrite],
        Group::Script => &[C::Script],
        Group::Tabs => &[C::Tabs],
        // As much as acting on it oneself; to list what there is reads it, as said above.
        Group::Page => &[C::DomWrite],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_read_and_a_wrong_name_is_an_error() {
        let some = Capabilities::parse("dom:write, storage:local:read,NAVIGATE").unwrap();
        for (one, there) in [
            (C::DomWrite, true),
            (C::DomRead, true),
            (C::StorageRead, true),
            (C::StorageWrite, false),
            (C::Navigate, true),
            (C::Script, false),
        ] {
            assert_eq!(some.has(one), there, "{}", one.name());
        }
        assert!(Capabilities::parse("all").unwrap().has(C::SecretsRead));
        let most = Capabilities::for_models();
        assert!(!most.has(C::SecretsRead) && most.has(C::Script));
        for wrong in ["eval", "dom", "dom:readwrite", "dom:read:x:y", "files"] {
            let error = Capabilities::parse(wrong).unwrap_err();
            assert_eq!(error.to_string(), format!("Capability '{wrong}' is not known"));
        }
    }

    /// What each needs, and those that need it; some of them are still to come.
    const NEEDS: [(&str, &str); 17] = [
        ("", "batch close describe session"),
        ("navigate", "back forward navigate reload"),
        (
            "dom:read",
            "bounding_box content count find get_attribute get_page_content get_text inner_html inner_text \
             input_value is_checked is_enabled is_visible page_tools snapshot title url",
        ),
        (
            "dom:read",
            "get_by_alt_text get_by_label get_by_placeholder get_by_role get_by_test_id get_by_text \
             get_by_title nth",
        ),
        (
            "dom:read",
            "scroll scroll_into_view wait wait_for_load_state wait_for_url frame mainframe",
        ),
        (
            "dom:read",
            "clear_console console errors har_start network network_body network_sources \
             service_workers trace_start",
        ),
        (
            "dom:write",
            "call_page_tool check clear click dblclick dialog drag fill fill_form focus hover insert_text keydown keyup \
             mouse multiselect press select select_all type uncheck",
        ),
        ("dom:write, files:read", "upload"),
        ("dom:read, script", "wait_for_function"),
        ("capture", "highlight screencast_start screencast_stop screenshot"),
        ("capture, files:write", "pdf"),
        ("script", "addscript addstyle dispatch evaluate setcontent"),
        ("tabs", "close_tab get_all_tabs open_tab switch_tab tabs"),
        ("network:fetch", "emulate resize route set_offline unroute web_fetch"),
        ("storage:read", "cookies_get storage_get"),
        ("storage:write", "cookies_clear cookies_set storage_clear storage_set"),
        ("files:read", "downloads read_image"),
    ];

    #[test]
    fn every_action_needs_what_the_contract_says() {
        let more = [
            ("storage:read, files:write", "state_save"),
            ("storage:write, files:read", "state_load"),
            ("dom:read, files:write", "har_stop trace_stop"),
            ("clipboard:read", "clipboard"),
        ];
        for entry in crate::ENTRIES {
            let lists = |(_, names): &&(&str, &str)| names.split(' ').any(|one| one == entry.name);
            let listed: Vec<&str> =
                NEEDS.iter().chain(&more).filter(lists).map(|(needs, _)| *needs).collect();
            let has = needed(entry.name, entry.group).iter().map(|one| one.name());
            let has = has.collect::<Vec<_>>().join(", ");
            assert_eq!(
                listed,
                [has.as_str()],
                "{}: is it listed, and what does it need?",
                entry.name
            );
        }
    }

    #[test]
    fn what_is_written_needs_more_than_what_is_read() {
        let args = |value: Value| value.as_object().cloned().unwrap_or_default();
        let write = args(serde_json::json!({ "do": "write", "text": "x" }));
        assert_eq!(needed_by("clipboard", &write), [C::ClipboardWrite]);
        assert!(needed_by("clipboard", &args(serde_json::json!({ "do": "read" }))).is_empty());
    }
}
