//! Command lines in a file: words apart by spaces, in quotes where they have some.

use std::io::Read as _;

/// More than this is no list of commands.
const LONGEST: u64 = 16 << 20;

/// What a file holds; standard input if it is `-` or none is named.
pub(super) fn input(file: Option<&str>) -> Result<String, String> {
    let mut text = String::new();
    let (from, read) = match file {
        None | Some("-") => {
            ("standard input", std::io::stdin().take(LONGEST).read_to_string(&mut text))
        }
        Some(path) => {
            let open = std::fs::File::open(path);
            (path, open.and_then(|file| file.take(LONGEST).read_to_string(&mut text)))
        }
    };
    match read {
        Ok(_) => Ok(text),
        Err(error) => Err(format!("{from} cannot be read: {error}")),
    }
}

/// The words of each line that has some, with its number. A line that begins with `#` is a comment.
pub(super) fn read(text: &str) -> Result<Vec<(usize, Vec<String>)>, String> {
    let mut lines = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let words = words(line).map_err(|why| format!("Line {}: {why}", index + 1))?;
        if !words.is_empty() {
            lines.push((index + 1, words));
        }
    }
    Ok(lines)
}

/// The words of a line, as a shell would see them that knows quotes and nothing else.
pub(crate) fn words(line: &str) -> Result<Vec<String>, String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut chars = line.chars();
    let open = || "a quote is not closed".to_owned();
    while let Some(c) = chars.next() {
        match c {
            c if c.is_whitespace() => words.extend(word.take()),
            // Only at its beginning: `click #send` is about an element.
            '#' if word.is_none() && words.is_empty() => break,
            '\'' => {
                let word = word.get_or_insert_default();
                loop {
                    match chars.next().ok_or_else(open)? {
                        '\'' => break,
                        c => word.push(c),
                    }
                }
            }
            '"' => {
                let word = word.get_or_insert_default();
                loop {
                    match chars.next().ok_or_else(open)? {
                        '"' => break,
                        '\\' => match chars.next().ok_or_else(open)? {
                            c @ ('"' | '\\' | '$' | '`') => word.push(c),
                            'n' => word.push('\n'),
                            c => word.extend(['\\', c]),
                        },
                        c => word.push(c),
                    }
                }
            }
            '\\' => match chars.next() {
                Some(c) => word.get_or_insert_default().push(c),
                None => return Err("nothing stands behind the backslash".to_owned()),
            },
            c => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    Ok(words)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_apart_by_spaces_and_whole_in_quotes() {
        let line = r##"fill 'label=Your name' "Ada \"A\" L" a\ b '' #send"##;
        assert_eq!(
            words(line).unwrap(),
            ["fill", "label=Your name", "Ada \"A\" L", "a b", "", "#send"]
        );
        assert!(words("  # click a").unwrap().is_empty());
        assert_eq!(words("click a#b").unwrap(), ["click", "a#b"]);
    }

    #[test]
    fn an_open_quote_is_told_with_its_line() {
        assert_eq!(read("url\n\nfill 'a b\n").unwrap_err(), "Line 3: a quote is not closed");
        assert_eq!(read("# nothing\nurl\n").unwrap(), [(2, vec!["url".to_owned()])]);
    }
}
