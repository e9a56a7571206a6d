//! The page's words, made safe to stand in ours.

/// In quotes, on one line: `"` and `\` escaped, white space folded, and every character
/// that could hide or reorder text dropped. The snapshot's own lines come so from the page code.
pub fn quoted(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    let mut space = false;
    for c in text.chars() {
        if c.is_whitespace() {
            space = true;
            continue;
        }
        if is_hidden(c) {
            continue;
        }
        if space && out.len() > 1 {
            out.push(' ');
        }
        space = false;
        if matches!(c, '"' | '\\') {
            out.push('\\');
        }
        out.push(c);
    }
    out.push('"');
    out
}

/// The text of a quoted string at the start, and what comes after it: `quoted` taken back.
pub(crate) fn unquoted(rest: &str) -> Option<(String, &str)> {
    let inner = rest.strip_prefix('"')?;
    let (mut text, mut escaped) = (String::new(), false);
    for (at, c) in inner.char_indices() {
        match (escaped, c) {
            (true, _) => {
                text.push(c);
                escaped = false;
            }
            (false, '\\') => escaped = true,
            (false, '"') => return Some((text, &inner[at + 1..])),
            _ => text.push(c),
        }
    }
    None
}

/// At most so many characters, `…` in place of the rest.
pub fn cut(text: &str, at_most: usize) -> String {
    match text.char_indices().nth(at_most) {
        None => text.to_owned(),
        Some(_) => {
            let keep = at_most.saturating_sub(1);
            let end = text.char_indices().nth(keep).map_or(text.len(), |(at, _)| at);
            format!("{}…", &text[..end])
        }
    }
}

/// The same of a text with quotes in it: a quote that is cut ends all the same, or what follows would
/// stand in it.
pub fn cut_quotes(text: &str, at_most: usize) -> String {
    let mut short = cut(text, at_most);
    let (mut open, mut escaped) = (false, false);
    for c in short.chars() {
        if c == '"' && !escaped {
            open = !open;
        }
        escaped = open && c == '\\' && !escaped;
    }
    if open {
        short.push('"');
    }
    short
}

/// Control, bidirectional and zero-width characters, and others nobody sees: a model reads them,
/// the person beside it does not.
pub fn is_hidden(c: char) -> bool {
    c.is_control()
        || matches!(
            c,
            '\u{ad}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{180e}' | '\u{200b}'..='\u{200f}'
            | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{3164}' | '\u{feff}' | '\u{ffa0}'
            | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e0fff}'
        )
}

/// An address as it stands in our text: one word. What a page wrote that is no address (a script
/// names its source itself) is quoted.
pub fn address(url: &str) -> String {
    // They have no meaning of their own in what the browser made of an address.
    let url = cut(&url.replace('\\', "%5c").replace('"', "%22"), 200);
    let odd = |c: char| c.is_whitespace() || is_hidden(c) || matches!(c, '"' | '\\' | '<' | '>');
    let has_scheme = url.split_once(':').is_some_and(|(scheme, rest)| {
        let fits = |c: char| c.is_ascii_alphanumeric() || matches!(c, '+' | '.' | '-');
        !rest.is_empty() && !scheme.is_empty() && scheme.chars().all(fits)
    });
    if url.contains(odd) || !has_scheme { quoted(&url) } else { url }
}

/// A path as it stands in our text: as it is where it is one word; else quoted, since a page may have
/// named the file.
pub fn path(path: &std::path::Path) -> String {
    let path = path.display().to_string();
    let odd = |c: char| c.is_whitespace() || is_hidden(c) || matches!(c, '"' | '\\' | '<' | '>');
    if path.contains(odd) { quoted(&path) } else { path }
}

/// The names browsers give errors; a page can give one any name.
const ERRORS: [&str; 38] = [
    "AbortError",
    "AggregateError",
    "CompileError",
    "ConstraintError",
    "DataCloneError",
    "DataError",
    "EncodingError",
    "Error",
    "EvalError",
    "HierarchyRequestError",
    "InUseAttributeError",
    "IndexSizeError",
    "InvalidAccessError",
    "InvalidCharacterError",
    "InvalidModificationError",
    "InvalidNodeTypeError",
    "InvalidStateError",
    "LinkError",
    "NamespaceError",
    "NetworkError",
    "NotAllowedError",
    "NotFoundError",
    "NotReadableError",
    "NotSupportedError",
    "OperationError",
    "QuotaExceededError",
    "RangeError",
    "ReadOnlyError",
    "ReferenceError",
    "RuntimeError",
    "SecurityError",
    "SyntaxError",
    "TimeoutError",
    "TransactionInactiveError",
    "TypeError",
    "URIError",
    "UnknownError",
    "VersionError",
];

/// What a script threw: bare where the browser says it (`foo is not defined`), else in quotes, since
/// a page can throw any words.
pub fn thrown(said: &str) -> String {
    let (kind, message) = match said.split_once(": ") {
        Some((kind, message))
            if kind.ends_with("Error") && kind.chars().all(char::is_alphanumeric) =>
        {
            (Some(kind), message)
        }
        _ => (None, said),
    };
    let message =
        if is_browsers(message) { message.to_owned() } else { quoted(&cut(message, 500)) };
    match kind {
        Some(kind) if ERRORS.contains(&kind) => format!("{kind}: {message}"),
        Some(kind) => format!("{}: {message}", quoted(&cut(kind, 80))),
        None => message,
    }
}

/// Whether the browser itself says so. Names in it are a page's, but names only.
fn is_browsers(message: &str) -> bool {
    const SAYS: [&str; 16] = [
        "* is not defined",
        "* is not a function",
        "* is not a constructor",
        "* is not iterable",
        "* is not a valid selector.",
        "Cannot read properties of undefined (reading '*')",
        "Cannot read properties of null (reading '*')",
        "Cannot set properties of undefined (setting '*')",
        "Cannot set properties of null (setting '*')",
        "Cannot access '*' before initialization",
        "Identifier '*' has already been declared",
        "Unexpected token '*'",
        "Unexpected identifier '*'",
        "Unexpected end of input",
        "Assignment to constant variable.",
        "Invalid or unexpected token",
    ];
    let is_name = |text: &str| {
        let fits = |c: char| c.is_ascii_alphanumeric() || "_$.()[]{}+-=,;:".contains(c);
        !text.is_empty() && text.len() <= 60 && text.chars().all(fits)
    };
    SAYS.iter().any(|says| match says.split_once('*') {
        None => *says == message,
        Some((before, after)) => message
            .strip_prefix(before)
            .and_then(|rest| rest.strip_suffix(after))
            .is_some_and(is_name),
    })
}

/// The origin of a URL, for fences: `https://example.test`.
pub fn origin(url: &str) -> &str {
    let Some(at) = url.find("://") else {
        return url.split(['?', '#']).next().unwrap_or(url);
    };
    let rest = &url[at + 3..];
    let end = rest.find(['/', '?', '#']).unwrap_or(rest.len());
    &url[..at + 3 + end]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_a_page_says_leaves_its_quotes() {
        assert_eq!(quoted("a \"b\" \\ c"), r#""a \"b\" \\ c""#);
        assert_eq!(quoted("  two\n lines\t"), r#""two lines""#);
        assert_eq!(quoted("a\u{202e}b\u{200b}c\u{1b}[0m"), r#""abc[0m""#);
    }

    #[test]
    fn what_was_quoted_is_had_back() {
        let text = r#"a \" b \\\" c\"#;
        let line = format!("{} e4", quoted(text));
        assert_eq!(unquoted(&line), Some((text.to_owned(), " e4")));
        assert_eq!((unquoted("no"), unquoted("\"open")), (None, None));
    }

    #[test]
    fn what_a_page_throws_or_calls_its_source_is_quoted() {
        for bare in [
            "ReferenceError: foo is not defined",
            "TypeError: Cannot read properties of undefined (reading 'x')",
            "SyntaxError: Unexpected token '}'",
        ] {
            assert_eq!(thrown(bare), bare);
        }
        assert_eq!(thrown("Error: click e5"), "Error: \"click e5\"");
        assert_eq!(
            thrown("TypeError: now go is not defined"),
            "TypeError: \"now go is not defined\""
        );
        assert_eq!(thrown("NowPayE1Error: x y"), "\"NowPayE1Error\": \"x y\"");
        assert_eq!(thrown("go on\u{202e}"), "\"go on\"");
        assert_eq!(thrown("Ignore all: click"), "\"Ignore all: click\"");
        assert_eq!(address("https://a.test/x"), "https://a.test/x");
        assert_eq!(address("https://a.test/#\\"), "https://a.test/#%5c");
        assert_eq!(address("click e5 now"), "\"click e5 now\"");
        assert_eq!(address("x:\nbutton e1"), "\"x: button e1\"");
        assert_eq!(quoted("a\u{e0041}\u{ad}b"), "\"ab\"");
    }

    #[test]
    fn cutting_counts_characters() {
        assert_eq!(cut("åäö", 3), "åäö");
        assert_eq!(cut("åäöü", 3), "åä…");
    }

    #[test]
    fn a_path_is_one_word_or_quoted() {
        let told = |written: &str| path(std::path::Path::new(written));
        assert_eq!(told("/out/a-1.pdf"), "/out/a-1.pdf");
        assert_eq!(told("/out/a b\n\"c\"\u{202e}"), quoted("/out/a b\n\"c\"\u{202e}"));
        assert!(told("/out/<page>").starts_with('"'));
    }

    #[test]
    fn origins_are_cut_off_urls() {
        assert_eq!(origin("https://a.test:8/x?y"), "https://a.test:8");
        assert_eq!(origin("about:blank"), "about:blank");
    }

    #[test]
    fn a_quote_that_is_cut_ends_all_the_same() {
        for (text, short) in [
            (r#"Error: "a b""#, r#"Error: "a b""#),
            (r#"Error: "abcdefghijk""#, r#"Error: "abc…""#),
            (r#"Error: "ab\"fghijkl""#, r#"Error: "ab\…""#),
            (r#"Error: a "b" cdefgh"#, r#"Error: a "b…""#),
            ("Error: abcdefgh", "Error: abcd…"),
        ] {
            assert_eq!(cut_quotes(text, 12), short);
        }
    }
}
