//! Telling code, comments and string literals apart in Rust and TypeScript.
//!
//! Just enough of a lexer for tidy's rules, so that a rule about code does not
//! trip over a sentence that mentions it. Parsing is left to the compilers.

/// Which rules of quoting apply.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Language {
    Rust,
    TypeScript,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Code,
    Comment,
    /// A string, character, template or regular expression literal.
    Literal,
}

/// A stretch of a file; the pieces of a file put together are the file.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Piece<'a> {
    pub(crate) kind: Kind,
    pub(crate) start: usize,
    pub(crate) text: &'a str,
}

/// Cuts a file into code, comments and literals.
pub(crate) fn pieces(text: &str, language: Language) -> Vec<Piece<'_>> {
    let mut pieces = Vec::new();
    let (mut code, mut at) = (0, 0);
    while at < text.len() {
        let Some((kind, end)) = quoted(text, at, language) else {
            at += 1;
            continue;
        };
        if code < at {
            pieces.push(Piece { kind: Kind::Code, start: code, text: &text[code..at] });
        }
        pieces.push(Piece { kind, start: at, text: &text[at..end] });
        (code, at) = (end, end);
    }
    if code < text.len() {
        pieces.push(Piece { kind: Kind::Code, start: code, text: &text[code..] });
    }
    pieces
}

/// The file with everything but the pieces of one kind blanked; offsets and lines stay.
pub(crate) fn only(kind: Kind, text: &str, language: Language) -> String {
    let blank = |byte: char| if byte == '\n' { '\n' } else { ' ' };
    let mut kept = String::with_capacity(text.len());
    for piece in pieces(text, language) {
        if piece.kind == kind {
            kept.push_str(piece.text);
        } else {
            kept.extend(piece.text.bytes().map(char::from).map(blank));
        }
    }
    kept
}

/// The line, counted from one, on which a byte lies.
pub(crate) fn line_of(text: &str, offset: usize) -> usize {
    text.as_bytes()[..offset].iter().filter(|byte| **byte == b'\n').count() + 1
}

/// Where `word` stands by itself, not as part of a longer name.
pub(crate) fn find_word(text: &str, word: &str) -> Option<usize> {
    let is_name = |character: char| character.is_alphanumeric() || character == '_';
    text.match_indices(word).map(|(at, _)| at).find(|at| {
        !text[..*at].chars().next_back().is_some_and(is_name)
            && !text[at + word.len()..].chars().next().is_some_and(is_name)
    })
}

/// The bracket that closes the one at `open`, in text without literals and comments.
pub(crate) fn closing(code: &str, open: usize) -> Option<usize> {
    let mut depth = 0_usize;
    for (at, byte) in code.bytes().enumerate().skip_while(|(at, _)| *at < open) {
        match byte {
            b'(' | b'[' | b'{' => depth += 1,
            b')' | b']' | b'}' => depth = depth.checked_sub(1)?,
            _ => {}
        }
        if depth == 0 {
            return Some(at);
        }
    }
    None
}

/// If a comment or literal starts at this byte: what it is and where it ends.
fn quoted(text: &str, at: usize, language: Language) -> Option<(Kind, usize)> {
    let rest = &text.as_bytes()[at..];
    match (rest[0], language) {
        (b'/', _) if rest.starts_with(b"//") => Some((Kind::Comment, line_end(text, at))),
        (b'/', _) if rest.starts_with(b"/*") => {
            Some((Kind::Comment, block_comment_end(text, at, language == Language::Rust)))
        }
        (b'"', _) | (b'\'' | b'`', Language::TypeScript) => {
            Some((Kind::Literal, string_end(text, at, language)))
        }
        (b'\'', Language::Rust) => Some((Kind::Literal, character_end(text, at)?)),
        (b'b' | b'c' | b'r', Language::Rust) if !follows_name(text, at) => {
            Some((Kind::Literal, prefixed_string_end(text, at)?))
        }
        (b'/', Language::TypeScript) if regex_may_start(&text[..at]) => {
            Some((Kind::Literal, regex_end(text, at)))
        }
        _ => None,
    }
}

fn follows_name(text: &str, at: usize) -> bool {
    let before = text[..at].bytes().next_back();
    before.is_some_and(|byte| byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 0x80)
}

fn line_end(text: &str, at: usize) -> usize {
    text[at..].find('\n').map_or(text.len(), |length| at + length)
}

/// Rust's block comments nest, TypeScript's do not.
fn block_comment_end(text: &str, start: usize, nests: bool) -> usize {
    let bytes = text.as_bytes();
    let (mut depth, mut at) = (1, start + 2);
    while at < bytes.len() {
        if bytes[at..].starts_with(b"*/") {
            depth -= 1;
            at += 2;
            if depth == 0 {
                return at;
            }
        } else if nests && bytes[at..].starts_with(b"/*") {
            depth += 1;
            at += 2;
        } else {
            at += 1;
        }
    }
    text.len()
}

/// The end of a literal with backslash escapes; a template's `${…}` may hold further ones.
fn string_end(text: &str, start: usize, language: Language) -> usize {
    let bytes = text.as_bytes();
    let quote = bytes[start];
    let mut at = start + 1;
    while at < bytes.len() {
        match bytes[at] {
            b'\\' => at += 2,
            byte if byte == quote => return at + 1,
            b'$' if quote == b'`' && bytes.get(at + 1) == Some(&b'{') => {
                at = placeholder_end(text, at + 2, language);
            }
            _ => at += 1,
        }
    }
    text.len()
}

fn placeholder_end(text: &str, start: usize, language: Language) -> usize {
    let bytes = text.as_bytes();
    let (mut depth, mut at) = (1, start);
    while at < bytes.len() {
        if let Some((_, end)) = quoted(text, at, language) {
            at = end;
            continue;
        }
        match bytes[at] {
            b'{' => depth += 1,
            b'}' => depth -= 1,
            _ => {}
        }
        at += 1;
        if depth == 0 {
            return at;
        }
    }
    text.len()
}

/// The end of `'a'` or `'\n'`; nothing for a lifetime.
fn character_end(text: &str, at: usize) -> Option<usize> {
    let mut characters = text[at + 1..].char_indices();
    let (_, first) = characters.next()?;
    if first == '\\' {
        // The escaped character itself may be a quote.
        let close = text.get(at + 3..)?.find('\'')?;
        return Some(at + 3 + close + 1);
    }
    let (offset, second) = characters.next()?;
    (second == '\'').then_some(at + 1 + offset + 1)
}

/// The end of `b"…"`, `c"…"`, `r#"…"#` and their kin; nothing for a name such as `r#type`.
fn prefixed_string_end(text: &str, start: usize) -> Option<usize> {
    let bytes = text.as_bytes();
    let mut at = start;
    while matches!(bytes.get(at), Some(b'b' | b'c')) && at - start < 1 {
        at += 1;
    }
    if bytes.get(at) == Some(&b'\'') {
        return character_end(text, at);
    }
    if bytes.get(at) != Some(&b'r') {
        return (bytes.get(at) == Some(&b'"')).then(|| string_end(text, at, Language::Rust));
    }
    let hashes = bytes[at + 1..].iter().take_while(|byte| **byte == b'#').count();
    let open = at + 1 + hashes;
    if bytes.get(open) != Some(&b'"') {
        return None;
    }
    let close = format!("\"{}", "#".repeat(hashes));
    let length = text[open + 1..].find(&close)?;
    Some(open + 1 + length + close.len())
}

/// A slash divides after a value and starts a regular expression elsewhere.
fn regex_may_start(before: &str) -> bool {
    let before = before.trim_end();
    let Some(last) = before.chars().next_back() else { return true };
    let word = before.rsplit(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap_or("");
    if ["return", "typeof", "case", "of", "in", "do", "else", "yield", "await"].contains(&word) {
        return true;
    }
    !(last.is_alphanumeric() || matches!(last, '_' | '$' | ')' | ']' | '\'' | '"' | '`'))
}

fn regex_end(text: &str, start: usize) -> usize {
    let bytes = text.as_bytes();
    let (mut at, mut in_class) = (start + 1, false);
    while at < bytes.len() && bytes[at] != b'\n' {
        match bytes[at] {
            b'\\' => at += 1,
            b'[' => in_class = true,
            b']' => in_class = false,
            b'/' if !in_class => return at + 1,
            _ => {}
        }
        at += 1;
    }
    at.min(bytes.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn literals(text: &str, language: Language) -> Vec<&str> {
        let pieces = pieces(text, language);
        pieces.iter().filter(|piece| piece.kind == Kind::Literal).map(|piece| piece.text).collect()
    }

    #[test]
    fn rust_strings_are_found_and_lifetimes_are_not() {
        let text = r###"fn f<'a>(x: &'a str) { g("a\"b", r#"c"d"#, b"e", 'f', '\'', r#type, br"h") } // "i""###;
        let found = literals(text, Language::Rust);
        assert_eq!(
            found,
            [r#""a\"b""#, r##"r#"c"d"#"##, r#"b"e""#, "'f'", r"'\''", r#"br"h""#],
            "in {text}"
        );
    }

    #[test]
    fn typescript_templates_and_regular_expressions_are_literals() {
        let text = "a = `x ${b ? `y${1}` : '}'} z` + c / d / e; f = /[/'\"]/.test(g) // 'h'";
        let found = literals(text, Language::TypeScript);
        assert_eq!(found, ["`x ${b ? `y${1}` : '}'} z`", "/[/'\"]/"]);
    }

    #[test]
    fn blanking_keeps_offsets_and_lines() {
        let text = "let a = \"ä\n\"; /* b\n/* c */ */ d";
        let code = only(Kind::Code, text, Language::Rust);
        assert_eq!(code.len(), text.len());
        assert_eq!(code.lines().count(), text.lines().count());
        assert_eq!(code.find('d'), text.rfind('d'));
        assert!(!code.contains('b'), "{code}");
    }

    #[test]
    fn a_word_is_not_part_of_a_name() {
        assert_eq!(find_word("Deserialize, Serialize", "Serialize"), Some(13));
        assert_eq!(find_word("Deserialize, Serializer", "Serialize"), None);
    }

    #[test]
    fn a_bracket_finds_its_partner() {
        assert_eq!(closing("f(a[1], {b}) c", 1), Some(11));
        assert_eq!(closing("f(a", 1), None);
    }
}
