//! Roles and names: every element of `testpages/names/`, compared with Chrome's own accessibility
//! tree at test time. The list of differences could only shrink, and is empty: it stays so.

use std::fs;
use std::path::PathBuf;

use btcp_testkit::{Named, names_on};

/// Fewer elements than this and the pages have lost their rules.
const ENOUGH: usize = 300;

/// Chrome's words for things that are only boxes to us: their text is printed as text.
const BOXES: &[&str] = &[
    "Abbr",
    "Figcaption",
    "generic",
    "LabelText",
    "LayoutTable",
    "LayoutTableCell",
    "LayoutTableRow",
    "Legend",
    "LineBreak",
    "none",
    "Ruby",
];

/// Boxes whose name in Chrome's tree is only their text.
const UNNAMED_BOXES: &[&str] = &["LayoutTableCell", "LineBreak"];

/// Chrome's internal words, and the one we print for them.
const SAME: &[(&str, &str)] = &[
    ("DisclosureTriangleGrouped", "disclosuretriangle"),
    ("IframePresentational", "iframe"),
    ("MathMLMath", "math"),
    ("PluginObject", "embeddedobject"),
    // A drawing whose parts are told; they are printed below it.
    ("SvgRoot", "image"),
];

/// What has no line of its own without a name, so that it may be missing from Chrome's tree.
const UNPRINTED: &[&str] = &[
    "canvas",
    "caption",
    "code",
    "deletion",
    "emphasis",
    "generic",
    "image",
    "insertion",
    "mark",
    "none",
    "paragraph",
    "rowgroup",
    "strong",
    "subscript",
    "superscript",
    "time",
];

/// An agent that looks for the button "Send" must find it under the name Chrome gives it.
#[tokio::test(flavor = "multi_thread")]
async fn roles_and_names_are_those_of_chromes_accessibility_tree() {
    let mut elements = 0;
    let mut found = Vec::new();

    for (page, named) in names_on(pages()).await {
        elements += named.len();
        found.extend(named.iter().filter_map(|element| difference(&page, element)));
    }

    assert!(elements >= ENOUGH, "only {elements} elements were compared");
    assert!(found.is_empty(), "{} of {elements} elements differ:\n{found:#?}", found.len());
    let listed = listed();
    assert!(listed.is_empty(), "differences.txt has grown:\n{listed:#?}");
}

/// A line about an element whose role or name is not Chrome's.
fn difference(page: &str, element: &Named) -> Option<String> {
    let Named { place, ours: (role, name), chrome } = element;
    let (name, theirs) = (tidy(name), tidy(&chrome.name));
    let same = match &chrome.ignored {
        Some(reasons) => is_hidden(reasons) || is_unprinted(role, &name),
        None if is_box(&chrome.role) => {
            is_box(role) && (name == theirs || UNNAMED_BOXES.contains(&&*chrome.role))
        }
        None => *role == our_word(&chrome.role) && name == theirs,
    };
    if same {
        return None;
    }
    let theirs = match &chrome.ignored {
        Some(reasons) => format!("ignored ({})", reasons.join(", ")),
        None => format!("{} {theirs:?}", chrome.role),
    };
    Some(format!("{page} {place}: ours {role} {name:?}, Chrome's {theirs}"))
}

/// What nobody sees or can reach has no line, whatever its role.
fn is_hidden(reasons: &[String]) -> bool {
    const HIDDEN: [&str; 6] = [
        "ariaHiddenElement",
        "ariaHiddenSubtree",
        "inertElement",
        "inertSubtree",
        "notRendered",
        "notVisible",
    ];
    reasons.iter().any(|reason| HIDDEN.contains(&reason.as_str()))
}

/// An image without a name is not printed, and what means nothing has none; the others in the list
/// never are.
fn is_unprinted(role: &str, name: &str) -> bool {
    UNPRINTED.contains(&role) && (!matches!(role, "image" | "none") || name.is_empty())
}

/// The parts of formulas are boxes too: the formula is printed, then its text.
fn is_box(role: &str) -> bool {
    BOXES.contains(&role) || (role.starts_with("MathML") && role != "MathMLMath")
}

fn our_word(role: &str) -> String {
    let same = SAME.iter().find(|(theirs, _)| *theirs == role);
    same.map_or_else(|| role.to_lowercase(), |(_, ours)| (*ours).to_owned())
}

/// White space as our lines have it.
fn tidy(name: &str) -> String {
    let words = name.split([' ', '\t', '\n', '\r', '\u{c}']);
    words.filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ")
}

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../testpages/names")
}

fn pages() -> Vec<String> {
    let entries = fs::read_dir(folder()).expect("the pages are there");
    let names = entries.map(|entry| entry.expect("the folder can be read").file_name());
    let names = names.filter_map(|name| name.into_string().ok());
    names.filter(|n| n.ends_with(".html")).map(|name| format!("names/{name}")).collect()
}

/// The differences we know of; lines that begin with `#` say why.
fn listed() -> Vec<String> {
    let text = fs::read_to_string(folder().join("differences.txt")).expect("the list is there");
    text.lines().filter(|line| !line.is_empty() && !line.starts_with('#')).map(Into::into).collect()
}
