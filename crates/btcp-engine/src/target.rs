//! Targets: what an agent writes to name an element (`e5`, `#send`, `text=Save`).
//!
//! Only the notation is understood here; which element it means is decided in the
//! page (`element.rs` asks). `e5` alone is ambiguous on purpose: it is a ref if such
//! a ref was issued, a CSS type selector otherwise, so that stays open until then.

use std::fmt;

use schemars::JsonSchema;
use serde::Deserialize;

use crate::page::ops::Step;

/// What the agent wrote to name an element: a ref, a selector, or several joined by `>>`.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub struct Target {
    written: String,
    parts: Vec<Part>,
}

/// One part of a target.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Part {
    /// Surely a ref: `@ref:12`, `@12`, `ref=12`.
    Ref(u32),
    /// A ref if issued, else the CSS selector as written: `e12`.
    RefOrCss(u32, String),
    /// Anything else.
    Step(Step),
}

/// Why a target cannot be understood.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct TargetError(String);

impl Target {
    /// Reads a target as an agent writes it.
    pub fn parse(written: &str) -> Result<Self, TargetError> {
        let written = written.trim();
        if written.is_empty() {
            return Err(TargetError("a selector must not be empty".into()));
        }
        let parts = split_chain(written)
            .into_iter()
            .map(|part| parse_part(part.trim()))
            .collect::<Result<Vec<_>, _>>()?;
        if let Some(at) = parts.iter().skip(1).position(|part| matches!(part, Part::Ref(_))) {
            return Err(TargetError(format!("a ref can only come first, not in part {}", at + 2)));
        }
        Ok(Self { written: written.to_owned(), parts })
    }

    /// A target that is known not to need parsing.
    pub fn from_step(written: impl Into<String>, step: Step) -> Self {
        Self { written: written.into(), parts: vec![Part::Step(step)] }
    }

    /// The target that is an element's ref.
    pub(crate) fn from_ref(number: u32) -> Self {
        Self { written: format!("e{number}"), parts: vec![Part::Ref(number)] }
    }

    /// The n-th match of this; −1 is the last.
    #[must_use]
    pub(crate) fn nth(&self, index: i32) -> Self {
        let mut parts = self.parts.clone();
        parts.push(Part::Step(Step::Nth { index }));
        Self { written: format!("{} >> nth={index}", self.written), parts }
    }

    /// As the agent wrote it.
    pub fn as_str(&self) -> &str {
        &self.written
    }

    pub(crate) fn parts(&self) -> &[Part] {
        &self.parts
    }

    /// The ref this target begins with, or would if one with that number was issued.
    pub fn ref_number(&self) -> Option<u32> {
        match self.parts.first() {
            Some(Part::Ref(number) | Part::RefOrCss(number, _)) => Some(*number),
            _ => None,
        }
    }

    /// Whether frames below the current one are searched too: CSS and XPath belong to one document.
    pub(crate) fn searches_frames(&self) -> bool {
        matches!(self.parts.first(), Some(Part::Step(step)) if !matches!(step, Step::Css { .. } | Step::Xpath { .. }))
    }
}

impl fmt::Display for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.written)
    }
}

impl TryFrom<String> for Target {
    type Error = TargetError;

    fn try_from(written: String) -> Result<Self, TargetError> {
        Self::parse(&written)
    }
}

impl JsonSchema for Target {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Target".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({ "type": "string" })
    }
}

/// Splits at `>>` outside quotes and brackets.
fn split_chain(written: &str) -> Vec<&str> {
    let bytes = written.as_bytes();
    let (mut parts, mut start, mut at, mut depth) = (Vec::new(), 0, 0, 0_i32);
    let mut quote = None;
    while at < bytes.len() {
        let byte = bytes[at];
        match (quote, byte) {
            (_, b'\\') => at += 1,
            (Some(open), _) if byte == open => quote = None,
            (Some(_), _) => {}
            (None, b'"' | b'\'') if closes_later(bytes, at) => quote = Some(byte),
            (None, b'[' | b'(') => depth += 1,
            (None, b']' | b')') => depth -= 1,
            (None, b'>') if depth <= 0 && bytes.get(at + 1) == Some(&b'>') => {
                parts.push(&written[start..at]);
                at += 1;
                start = at + 1;
            }
            _ => {}
        }
        at += 1;
    }
    parts.push(&written[start..]);
    parts
}

/// An apostrophe in `text=Don't` opens nothing.
fn closes_later(bytes: &[u8], at: usize) -> bool {
    bytes[at + 1..].contains(&bytes[at])
}

fn parse_part(part: &str) -> Result<Part, TargetError> {
    if part.is_empty() {
        return Err(TargetError("a part between '>>' is empty".into()));
    }
    if let Some(number) = part
        .strip_prefix("@ref:")
        .or_else(|| part.strip_prefix('@'))
        .or_else(|| part.strip_prefix("ref="))
    {
        return number
            .parse()
            .map(Part::Ref)
            .map_err(|_| TargetError(format!("'{part}' is not a ref; a ref looks like e12")));
    }
    if let Some(number) = part.strip_prefix('e').and_then(|digits| digits.parse().ok()) {
        return Ok(Part::RefOrCss(number, part.to_owned()));
    }
    let step = match part.split_once('=') {
        _ if part.starts_with('/') || part.starts_with('(') => {
            Step::Xpath { value: part.to_owned() }
        }
        Some((kind, value)) => match engine_step(kind.trim(), value.trim())? {
            Some(step) => step,
            None => Step::Css { value: part.to_owned() },
        },
        None => Step::Css { value: part.to_owned() },
    };
    Ok(Part::Step(step))
}

fn engine_step(kind: &str, value: &str) -> Result<Option<Step>, TargetError> {
    if value.is_empty() {
        return match kind {
            "text" | "role" | "label" | "placeholder" | "alt" | "title" | "testid" | "xpath"
            | "css" | "nth" => Err(TargetError(format!("'{kind}=' needs a value"))),
            _ => Ok(None),
        };
    }
    let (text, exact) = unquote(value);
    Ok(Some(match kind {
        "xpath" => Step::Xpath { value: value.to_owned() },
        "css" => Step::Css { value: value.to_owned() },
        "text" => Step::Text { value: text, exact },
        "label" => Step::Label { value: text, exact },
        "placeholder" => Step::Placeholder { value: text, exact },
        "alt" => Step::Alt { value: text, exact },
        "title" => Step::Title { value: text, exact },
        "testid" | "data-testid" => Step::Testid { value: text },
        "role" => role_step(value)?,
        "nth" => Step::Nth {
            index: value
                .parse()
                .map_err(|_| TargetError(format!("'nth={value}' needs a number")))?,
        },
        _ => return Ok(None),
    }))
}

/// `"Save"` asks for exactly that; `Save` for that or something that contains it.
fn unquote(value: &str) -> (String, bool) {
    for quote in ['"', '\''] {
        if let Some(inner) = value.strip_prefix(quote).and_then(|rest| rest.strip_suffix(quote)) {
            return (inner.replace("\\\"", "\"").replace("\\'", "'").replace("\\\\", "\\"), true);
        }
    }
    (value.to_owned(), false)
}

/// `button`, `button[name="Save"]`, `button "Save"`.
fn role_step(value: &str) -> Result<Step, TargetError> {
    let at = value.find(['[', '"', ' ']).unwrap_or(value.len());
    let (role, rest) = (value[..at].trim().to_lowercase(), value[at..].trim());
    if role.is_empty() {
        return Err(TargetError(format!("'role={value}' names no role")));
    }
    if rest.is_empty() {
        return Ok(Step::Role { role, name: None, exact: false });
    }
    let written = match rest.strip_prefix('[').and_then(|inner| inner.strip_suffix(']')) {
        Some(inner) => inner.trim().strip_prefix("name=").ok_or_else(|| {
            TargetError(format!(
                "'role={value}' is not understood; write role={role}[name=\"Save\"]"
            ))
        })?,
        None => rest,
    };
    // As in a snapshot line: the name in quotes may still be matched in part, exact comes first.
    let (name, _) = unquote(written.trim());
    Ok(Step::Role { role, name: Some(name), exact: false })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parts(written: &str) -> Vec<Part> {
        Target::parse(written).unwrap().parts
    }

    fn css(value: &str) -> Part {
        Part::Step(Step::Css { value: value.into() })
    }

    #[test]
    fn every_way_to_write_a_ref_is_one() {
        for written in ["@ref:12", "@12", "ref=12"] {
            assert_eq!(parts(written), [Part::Ref(12)], "{written}");
        }
        assert_eq!(parts("e12"), [Part::RefOrCss(12, "e12".into())]);
    }

    #[test]
    fn plain_selectors_are_css_even_with_an_equals_sign() {
        assert_eq!(parts("#send"), [css("#send")]);
        assert_eq!(parts("a[href=x]"), [css("a[href=x]")]);
        assert_eq!(parts("em"), [css("em")]);
    }

    #[test]
    fn paths_begin_with_a_slash_or_a_bracket() {
        for written in ["//button", "(//a)[2]", "xpath=//b"] {
            assert!(matches!(&parts(written)[0], Part::Step(Step::Xpath { .. })), "{written}");
        }
    }

    #[test]
    fn quotes_ask_for_exact_text() {
        assert_eq!(
            parts("text=Save"),
            [Part::Step(Step::Text { value: "Save".into(), exact: false })]
        );
        assert_eq!(
            parts(r#"text="Save""#),
            [Part::Step(Step::Text { value: "Save".into(), exact: true })]
        );
    }

    #[test]
    fn roles_take_a_name() {
        let save = Step::Role { role: "button".into(), name: Some("Save".into()), exact: false };
        for written in [r#"role=button[name="Save"]"#, r#"role=button "Save""#] {
            assert_eq!(parts(written), [Part::Step(save.clone())], "{written}");
        }
    }

    #[test]
    fn chains_split_outside_quotes_and_brackets() {
        assert_eq!(parts("#a >> .b"), [css("#a"), css(".b")]);
        assert_eq!(parts("a > b"), [css("a > b")]);
        assert_eq!(
            parts(r#"text="a >> b""#),
            [Part::Step(Step::Text { value: "a >> b".into(), exact: true })]
        );
        assert_eq!(parts("text=Don't >> b").len(), 2);
    }

    #[test]
    fn nonsense_is_refused_with_a_reason() {
        for written in ["", "  ", "text=", "@x", "a >> ", "#a >> @3", "role=[name=x]"] {
            assert!(Target::parse(written).is_err(), "{written:?} was accepted");
        }
    }
}
