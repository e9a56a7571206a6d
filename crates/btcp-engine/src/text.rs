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

/// Control, bidirectional and zero-width characters.
fn is_hidden(c: char) -> bool {
    c.is_control()
        || matches!(
            c,
            '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{061c}'
        )
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
    fn cutting_counts_characters() {
        assert_eq!(cut("åäö", 3), "åäö");
        assert_eq!(cut("åäöü", 3), "åä…");
    }

    #[test]
    fn origins_are_cut_off_urls() {
        assert_eq!(origin("https://a.test:8/x?y"), "https://a.test:8");
        assert_eq!(origin("about:blank"), "about:blank");
    }
}
