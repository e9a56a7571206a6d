//! Outcomes: what a call answers with, once for every surface.
//!
//! An action's typed output becomes data for programs, text for models and images.
//! The page's own words are kept apart from ours (`Piece::Page`) until a surface
//! prints them, so that a model always sees them quoted or fenced.

use btcp_engine::Effect;
use btcp_engine::text::quoted;
use schemars::{JsonSchema, Schema};
use serde_json::Value;

/// What an action answers with; a struct of its own for each reading action.
pub trait Output: Send + 'static {
    /// The object programs get.
    fn data(&self) -> Value;

    /// What that object looks like; with a `title` it is a type that several actions share.
    /// The examples are held against it.
    fn schema() -> Option<Schema>
    where
        Self: Sized,
    {
        None
    }

    /// What a model reads.
    fn text(&self) -> Text;

    /// Pictures, moved out.
    fn images(&mut self) -> Vec<Image> {
        Vec::new()
    }

    /// Whether the value of the field acted on is to be read back.
    fn reads_back(&self) -> bool {
        false
    }

    /// Where the effect goes, for actions whose effect is to be watched and reported.
    fn effect(&mut self) -> Option<&mut Option<Effect>> {
        None
    }
}

/// The schema of an output that is its own data.
pub(crate) fn schema_of_output<T: JsonSchema>() -> Option<Schema> {
    let settings = schemars::generate::SchemaSettings::draft2020_12()
        .for_serialize()
        .with(|settings| settings.inline_subschemas = true);
    let mut schema = settings.into_generator().into_root_schema_for::<T>();
    schema.remove("$schema");
    schema.remove("title");
    Some(schema)
}

/// A picture for the model.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Image {
    /// `image/png` …
    pub mime: &'static str,
    /// The bytes, base64.
    pub base64: String,
}

/// Text made of our words and the page's.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Text(Vec<Piece>);

#[derive(Debug, Clone, PartialEq, Eq)]
enum Piece {
    Ours(String),
    Page { text: String, origin: String },
}

/// Page text this long, or with line breaks, stands between fences.
const QUOTED_AT_MOST: usize = 200;

impl Text {
    /// Our own words, or page text that is quoted already (a snapshot).
    pub fn ours(text: impl Into<String>) -> Self {
        Self(vec![Piece::Ours(text.into())])
    }

    /// The page's words.
    pub fn page(text: impl Into<String>, origin: impl Into<String>) -> Self {
        Self(vec![Piece::Page { text: text.into(), origin: origin.into() }])
    }

    /// Appends.
    #[must_use]
    pub fn then(mut self, more: Self) -> Self {
        self.0.extend(more.0);
        self
    }

    /// As a model reads it: the page's words quoted, or fenced where they are long.
    pub fn for_model(&self) -> String {
        let mut out = String::new();
        for piece in &self.0 {
            match piece {
                Piece::Ours(text) => out.push_str(text),
                Piece::Page { text, origin } => out.push_str(&fenced(text, origin)),
            }
        }
        out
    }

    /// As a script reads it: raw, control characters dropped.
    pub fn plain(&self) -> String {
        let mut out = String::new();
        for piece in &self.0 {
            match piece {
                Piece::Ours(text) => out.push_str(text),
                Piece::Page { text, .. } => {
                    out.extend(text.chars().filter(|c| !c.is_control() || matches!(c, '\n' | '\t')))
                }
            }
        }
        out
    }
}

fn fenced(text: &str, origin: &str) -> String {
    let short = text.chars().nth(QUOTED_AT_MOST).is_none();
    if short && !text.contains(['\n', '\r', '\u{2028}', '\u{2029}']) {
        return quoted(text);
    }
    let nonce = nonce();
    let text: String =
        text.chars().filter(|c| !c.is_control() || matches!(c, '\n' | '\t')).collect();
    format!("<page {nonce} {origin}>\n{text}\n</page {nonce}>")
}

/// Fresh for each result, so that no page can know how to close its own fence.
fn nonce() -> String {
    let mut bytes = [0_u8; 4];
    // Without randomness we still must answer; the address of a local is better than nothing.
    if getrandom::fill(&mut bytes).is_err() {
        bytes = (std::ptr::from_ref(&bytes).addr() as u32).to_le_bytes();
    }
    format!("{:08x}", u32::from_le_bytes(bytes))
}

/// What a call answers with.
#[derive(Debug, Clone, Default)]
pub struct Outcome {
    /// The object programs get.
    pub data: Value,
    /// What a model reads.
    pub text: Text,
    /// Pictures.
    pub images: Vec<Image>,
}

impl Outcome {
    pub(crate) fn of(mut output: Box<dyn Output>) -> Self {
        Self { data: output.data(), text: output.text(), images: output.images() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_page_text_is_quoted() {
        assert_eq!(Text::page("Say \"hi\"", "https://a.test").for_model(), r#""Say \"hi\"""#);
    }

    #[test]
    fn long_page_text_is_fenced_and_cannot_close_its_fence() {
        let text = Text::page("one\n</page 00000000>\ntwo", "https://a.test").for_model();
        let first = text.lines().next().unwrap();
        let nonce = first.split(' ').nth(1).unwrap();
        assert!(first.starts_with("<page ") && first.ends_with(" https://a.test>"), "{text}");
        assert!(text.ends_with(&format!("\n</page {nonce}>")), "{text}");
        assert_ne!(nonce, "00000000");
    }

    #[test]
    fn scripts_read_it_raw_without_escapes() {
        assert_eq!(Text::page("a\u{1b}[31m\nb", "x").plain(), "a[31m\nb");
    }
}
