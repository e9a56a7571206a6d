//! A settings file: `name = value` lines in TOML, values being texts, numbers, true, false and lists.
//!
//! Settings are flat, so no more of TOML is read; what is not, is an error with its line.

/// One line of it.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Line {
    pub(super) number: usize,
    pub(super) name: String,
    pub(super) values: Vec<String>,
}

/// Reads a file; an error says in which line.
pub(super) fn read(text: &str) -> Result<Vec<Line>, String> {
    let mut lines: Vec<Line> = Vec::new();
    let mut rest = text.lines().enumerate();
    while let Some((index, line)) = rest.next() {
        let number = index + 1;
        let at = |why: &str| format!("line {number}: {why}");
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        if line.starts_with('[') {
            return Err(at("settings have no sections; write 'name = value'"));
        }
        let Some((name, value)) = line.split_once('=') else {
            return Err(at("'name = value' is wanted"));
        };
        let name = name.trim().trim_matches('"').to_owned();
        if lines.iter().any(|other| other.name == name) {
            return Err(at(&format!("'{name}' is set twice")));
        }
        // A list may go on in the next lines.
        let mut value = value.trim().to_owned();
        let values = loop {
            match read_value(&value) {
                Ok(values) => break values,
                Err(Unread::Open) => match rest.next() {
                    Some((_, more)) => {
                        value.push('\n');
                        value.push_str(more.trim());
                    }
                    None => return Err(at("a list is not closed")),
                },
                Err(Unread::Wrong(why)) => return Err(at(&why)),
            }
        };
        lines.push(Line { number, name, values });
    }
    Ok(lines)
}

enum Unread {
    /// A list that goes on.
    Open,
    Wrong(String),
}

fn read_value(text: &str) -> Result<Vec<String>, Unread> {
    let Some(mut rest) = text.strip_prefix('[') else {
        let (value, rest) = read_one(text)?;
        return nothing_more(rest).map(|()| vec![value]);
    };
    let mut values = Vec::new();
    loop {
        rest = skip(rest);
        if let Some(after) = rest.strip_prefix(']') {
            return nothing_more(after).map(|()| values);
        }
        if rest.is_empty() {
            return Err(Unread::Open);
        }
        let (value, after) = read_one(rest)?;
        values.push(value);
        rest = skip(after);
        if let Some(after) = rest.strip_prefix(',') {
            rest = after;
        } else if !rest.is_empty() && !rest.starts_with(']') {
            return Err(Unread::Wrong("a comma is wanted between two values of a list".into()));
        }
    }
}

/// Past white space and comments.
fn skip(mut text: &str) -> &str {
    loop {
        text = text.trim_start();
        match text.strip_prefix('#') {
            Some(comment) => text = comment.split_once('\n').map_or("", |(_, rest)| rest),
            None => return text,
        }
    }
}

fn nothing_more(rest: &str) -> Result<(), Unread> {
    match skip(rest) {
        "" => Ok(()),
        more => Err(Unread::Wrong(format!("'{more}' stands behind the value"))),
    }
}

/// A text in quotes, a number, true or false; and what comes after it.
fn read_one(text: &str) -> Result<(String, &str), Unread> {
    if let Some(inside) = text.strip_prefix('\'') {
        let Some((value, rest)) = inside.split_once('\'') else {
            return Err(Unread::Wrong("a quote is not closed".into()));
        };
        return Ok((value.to_owned(), rest));
    }
    if text.starts_with('"') {
        // The escapes of TOML that anybody uses are those of JSON.
        let mut values = serde_json::Deserializer::from_str(text).into_iter::<String>();
        return match values.next() {
            Some(Ok(value)) => Ok((value, &text[values.byte_offset()..])),
            _ => Err(Unread::Wrong("a quote is not closed".into())),
        };
    }
    let end = text.find([',', ']', '#', '\n']).unwrap_or(text.len());
    let word = text[..end].trim();
    let is_plain = matches!(word, "true" | "false") || word.parse::<f64>().is_ok();
    if !is_plain {
        let why = match word {
            "" => "a value is wanted".to_owned(),
            word => format!("text stands in quotes: \"{word}\""),
        };
        return Err(Unread::Wrong(why));
    }
    Ok((word.replace('_', ""), &text[end..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn values(text: &str) -> Vec<(String, Vec<String>)> {
        read(text).unwrap().into_iter().map(|line| (line.name, line.values)).collect()
    }

    #[test]
    fn texts_numbers_switches_and_lists_are_read() {
        let text = "# ours\nviewport = \"800x600\" # small\nheaded = true\nmax-tabs = 5\n\
                    allow = [\n  \"https://a.test\", # one\n  'b.test',\n]\ndeny = []\n";
        let all = values(text);
        assert_eq!(all[0], ("viewport".into(), vec!["800x600".into()]));
        assert_eq!(all[1].1, ["true"]);
        assert_eq!(all[2].1, ["5"]);
        assert_eq!(all[3].1, ["https://a.test", "b.test"]);
        assert!(all[4].1.is_empty());
    }

    #[test]
    fn what_is_not_read_is_told_with_its_line() {
        for (text, says) in [
            ("[browser]", "line 1: settings have no sections; write 'name = value'"),
            ("\nheaded", "line 2: 'name = value' is wanted"),
            ("out = here", "line 1: text stands in quotes: \"here\""),
            ("out = \"here", "line 1: a quote is not closed"),
            ("allow = [\"a\"\n", "line 1: a list is not closed"),
            ("max-tabs = 5\nmax-tabs = 6", "line 2: 'max-tabs' is set twice"),
            ("out = \"a\" b", "line 1: 'b' stands behind the value"),
        ] {
            assert_eq!(read(text).unwrap_err(), says);
        }
    }
}
