//! Text as a person sees it: which code points belong to one character.
//!
//! Not all of Unicode's rules, but those that matter when text is typed: accents, emoji made of
//! several, flags. A character is never torn apart, so that no page sees half of one.

/// The characters of a text; a line break is one, however it is written.
pub(crate) fn characters(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let mut chars = rest.char_indices();
        let (_, mut last) = chars.next()?;
        let mut flags = usize::from(is_regional(last));
        let mut end = rest.len();
        for (at, next) in chars {
            let pairs = is_regional(next) && is_regional(last) && flags % 2 == 1;
            let line = last == '\r' && next == '\n';
            if !(line || pairs || extends(next) || last == JOINER) || last == '\n' {
                end = at;
                break;
            }
            flags += usize::from(is_regional(next));
            last = next;
        }
        let (one, more) = rest.split_at(end);
        rest = more;
        Some(if one == "\r\n" { "\n" } else { one })
    })
}

const JOINER: char = '\u{200d}';

/// Two of them are a flag.
fn is_regional(c: char) -> bool {
    ('\u{1f1e6}'..='\u{1f1ff}').contains(&c)
}

/// Whether it belongs to what stands before it.
fn extends(c: char) -> bool {
    matches!(c,
        '\u{0300}'..='\u{036f}' | '\u{0483}'..='\u{0489}' | '\u{0591}'..='\u{05bd}'
        | '\u{0610}'..='\u{061a}' | '\u{064b}'..='\u{065f}' | '\u{0670}'
        | '\u{0900}'..='\u{0903}' | '\u{093a}'..='\u{093c}' | '\u{093e}'..='\u{094f}'
        | '\u{0e31}' | '\u{0e34}'..='\u{0e3a}' | '\u{0e47}'..='\u{0e4e}'
        | '\u{1ab0}'..='\u{1aff}' | '\u{1dc0}'..='\u{1dff}'
        | '\u{200c}' | JOINER | '\u{20d0}'..='\u{20ff}'
        | '\u{3099}' | '\u{309a}' | '\u{fe00}'..='\u{fe0f}' | '\u{fe20}'..='\u{fe2f}'
        | '\u{1f3fb}'..='\u{1f3ff}' | '\u{e0020}'..='\u{e007f}' | '\u{e0100}'..='\u{e01ef}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_character_is_what_a_person_sees() {
        for (text, wanted) in [
            ("ab", vec!["a", "b"]),
            ("e\u{301}x", vec!["e\u{301}", "x"]),
            ("👩‍👩‍👧!", vec!["👩‍👩‍👧", "!"]),
            ("👍🏽👍", vec!["👍🏽", "👍"]),
            ("🇳🇴🇫🇷", vec!["🇳🇴", "🇫🇷"]),
            ("❤️1️⃣", vec!["❤️", "1️⃣"]),
            ("日本", vec!["日", "本"]),
            ("が", vec!["が"]),
            ("a\r\nb\n\nc\r", vec!["a", "\n", "b", "\n", "\n", "c", "\r"]),
            ("", vec![]),
        ] {
            assert_eq!(characters(text).collect::<Vec<_>>(), wanted, "{text:?}");
        }
    }
}
