//! Elements that were given a secret: what stands in one is told by the secret's name, whatever the
//! page has made of it since. A field may group it, cut it off, or write it in capitals.

use serde_json::Value;

use crate::page::Place;
use crate::page::ops::{Line, Property};
use crate::tab::Tab;

impl Tab {
    /// The secret that was put into an element.
    fn given_at(&self, place: &Place) -> Option<&str> {
        let mut given = self.memory.entrusted.iter().rev();
        given.find(|(known, _)| known == place).map(|(_, name)| name.as_str())
    }

    /// Keeps the secret of an element out of what stands in it.
    pub(crate) fn hide_given(&self, place: &Place, text: &mut String) {
        if let Some(name) = self.given_at(place) {
            self.secrets().mask_given(name, text);
        }
    }

    /// The same in a property that was read.
    pub(crate) fn hide_read(
        &self,
        place: &Place,
        what: Property,
        attribute: Option<&str>,
        value: &mut Value,
    ) {
        let told = match what {
            Property::Text | Property::InnerText | Property::InnerHtml => Some(value),
            Property::Value => value.get_mut("value"),
            Property::Attribute
                if attribute.is_some_and(|name| name.eq_ignore_ascii_case("value")) =>
            {
                Some(value)
            }
            _ => None,
        };
        if let Some(Value::String(text)) = told {
            self.hide_given(place, text);
        }
    }

    /// The same in the lines of a document, of which one may be such an element's, and those below it
    /// its text.
    pub(crate) fn hide_in_lines(&self, frame: &str, document: u64, lines: &mut [Line]) {
        if self.memory.entrusted.is_empty() {
            return;
        }
        let mut around: Option<(u32, &str)> = None;
        for Line(depth, head, id, tail, node, ..) in lines {
            around = around.filter(|(above, _)| *depth > *above);
            let numbers = [u32::try_from(*id).unwrap_or(0), *node];
            let at = |id| self.given_at(&Place { frame: frame.to_owned(), document, id });
            let own = numbers.into_iter().filter(|id| *id > 0).find_map(at);
            if let Some(name) = own {
                around = around.or(Some((*depth, name)));
                hide_quoted(tail, |text| self.secrets().mask_given(name, text));
            }
            if let Some((_, name)) = around.filter(|_| head.starts_with('"')) {
                hide_quoted(head, |text| self.secrets().mask_given(name, text));
            }
        }
    }
}

/// Changes what stands between the first quote of a line's part and the one that ends it.
fn hide_quoted(part: &mut String, change: impl Fn(&mut String)) {
    let Some(from) = part.find('"').map(|at| at + 1) else { return };
    let mut escaped = false;
    let ends = part[from..].find(|c| {
        let ends = c == '"' && !escaped;
        escaped = c == '\\' && !escaped;
        ends
    });
    let Some(to) = ends.map(|at| from + at) else { return };
    let mut text = part[from..to].to_owned();
    change(&mut text);
    part.replace_range(from..to, &text);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_a_line_quotes_first_is_hidden() {
        for (line, hidden) in [
            (r#" = "4242 4242" [required]"#, r#" = "*" [required]"#),
            (r#" = "a \"b\" c" [x] "d""#, r#" = "*" [x] "d""#),
            (r#""text""#, r#""*""#),
            (" [password, 8 characters]", " [password, 8 characters]"),
        ] {
            let mut part = line.to_owned();
            hide_quoted(&mut part, |text| *text = "*".to_owned());
            assert_eq!(part, hidden);
        }
    }
}
