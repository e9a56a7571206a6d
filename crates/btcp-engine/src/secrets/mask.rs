//! Taking secrets out of what goes to an agent, wherever they stand in it.

use serde_json::{Map, Value};

use super::{CLOSE, OPEN, Secret, Secrets};

/// Of a secret that was cut off, so many characters are told apart from chance.
const BEGINNING: usize = 4;

/// With fewer letters and digits a secret in another case or grouping could be there by chance.
const BARE: usize = 8;

/// So many other characters may stand between two letters of one that was grouped.
const BETWEEN: usize = 3;

impl Secrets {
    /// The text with names in place of values, also where one is cut off, or spread over several
    /// quoted strings.
    pub fn mask(&self, text: &mut String) {
        if self.0.is_empty() {
            return;
        }
        self.mask_plain(text);
        let mut pieces = split_at_quotes(text);
        if pieces.len() > 3 && self.mask_spread(pieces.iter_mut().skip(1).step_by(2)) {
            *text = pieces.concat();
        }
    }

    /// The same in several texts that a page said one after the other.
    pub fn mask_all<'a>(&self, texts: impl Iterator<Item = &'a mut String>) {
        let mut texts: Vec<&mut String> = texts.collect();
        for text in &mut texts {
            self.mask(text);
        }
        self.mask_spread(texts.into_iter());
    }

    /// The same in everything an object holds, but for what `spared` is true of.
    pub fn mask_value(&self, value: &mut Value, spared: &dyn Fn(&str) -> bool) {
        if self.0.is_empty() {
            return;
        }
        self.mask_keys(value);
        let mut leaves = Vec::new();
        collect("", value, &mut leaves);
        leaves.retain(|(_, text)| !spared(text));
        for (_, text) in &mut leaves {
            self.mask(text);
        }
        // What a page said in several parts: messages one after the other, arguments of one.
        let mut keys: Vec<&str> = leaves.iter().map(|(key, _)| *key).collect();
        keys.sort_unstable();
        keys.dedup();
        for key in keys {
            let of_key = leaves.iter_mut().filter(|(other, _)| *other == key);
            self.mask_spread(of_key.map(|(_, text)| &mut **text));
        }
    }

    /// The same in what stands in an element that was given one: where it is not found, the page has
    /// written it in a way of its own, and all of it is told by the secret's name.
    pub(crate) fn mask_given(&self, name: &str, text: &mut String) {
        let before = text.clone();
        self.mask(text);
        if *text == before && !text.trim().is_empty() {
            *text = format!("{OPEN}{name}{CLOSE}");
        }
    }

    /// Which of several texts that stand in fields show one, by its name: whole, cut off by the
    /// field, or spread over several of them.
    pub(crate) fn found_in(&self, texts: &[&str]) -> Vec<Option<String>> {
        let mut found = vec![None; texts.len()];
        for secret in &self.0 {
            let alone = Self(vec![secret.clone()]);
            let mut spread: Vec<String> = texts.iter().map(|text| (*text).to_owned()).collect();
            alone.mask_spread(spread.iter_mut());
            for ((text, spread), found) in texts.iter().zip(&spread).zip(&mut found) {
                let before = format!("{text}…");
                let mut after = before.clone();
                alone.mask(&mut after);
                if before != after || spread != text {
                    found.get_or_insert_with(|| secret.name.clone());
                }
            }
        }
        found
    }

    fn mask_keys(&self, value: &mut Value) {
        match value {
            Value::Array(items) => items.iter_mut().for_each(|item| self.mask_keys(item)),
            Value::Object(fields) => {
                let hit = |key: &String| {
                    let held = |one: &Secret| one.forms.iter().any(|form| key.contains(form));
                    self.0.iter().any(|one| held(one) || one.stands_bare_in(key))
                };
                if fields.keys().any(hit) {
                    let old = std::mem::take(fields);
                    let masked = old.into_iter().map(|(mut key, value)| {
                        self.mask(&mut key);
                        (key, value)
                    });
                    *fields = masked.collect::<Map<_, _>>();
                }
                fields.values_mut().for_each(|field| self.mask_keys(field));
            }
            _ => {}
        }
    }

    fn mask_plain(&self, text: &mut String) {
        for secret in &self.0 {
            for form in &secret.forms {
                if secret.word {
                    replace_words(text, form, &secret.shown);
                } else if text.contains(form.as_str()) {
                    *text = text.replace(form.as_str(), &secret.shown);
                }
            }
            if text.contains('%') {
                secret.mask_encoded(text);
            }
            if text.contains('…') {
                secret.mask_cut_off(text);
            }
            secret.mask_bare(text);
        }
    }

    /// What stands in several texts one after the other; whether there was any.
    fn mask_spread<'a>(&self, texts: impl Iterator<Item = &'a mut String>) -> bool {
        let mut texts: Vec<&mut String> = texts.collect();
        if texts.len() < 2 {
            return false;
        }
        let mut found = false;
        for secret in &self.0 {
            for form in &secret.forms {
                let whole: String = texts.iter().map(|text| text.as_str()).collect();
                // From the end, so that what is before stays where it is.
                for (at, _) in whole.rmatch_indices(form.as_str()) {
                    cut_out(&mut texts, at, at + form.len(), &secret.shown);
                    found = true;
                }
            }
        }
        found
    }
}

impl Secret {
    /// In capitals or small letters, or in groups as fields write the number of a card.
    fn mask_bare(&self, text: &mut String) {
        // From the end, so that what is before stays where it is.
        for (from, to) in self.bare_places(text).into_iter().rev() {
            text.replace_range(from..to, &self.shown);
        }
    }

    pub(super) fn stands_bare_in(&self, text: &str) -> bool {
        !self.bare_places(text).is_empty()
    }

    /// Where its letters and digits stand one after the other. The signs between them may be others
    /// only if there are digits: words with a space between them are said by chance.
    fn bare_places(&self, text: &str) -> Vec<(usize, usize)> {
        if self.bare.is_empty() || text.len() < self.bare.len() {
            return Vec::new();
        }
        let (letters, places) = bare(text);
        let found = letters.match_indices(&self.bare);
        let found = found.map(|(at, _)| (places[at].0, places[at + self.bare.len() - 1].1));
        let has_digits = self.bare.contains(|c: char| c.is_numeric());
        let value = self.value.trim_matches(|c: char| !c.is_alphanumeric());
        let is_it = |(from, to): &(usize, usize)| {
            let mut there = text[*from..*to].chars().flat_map(folded);
            has_digits || value.chars().flat_map(folded).all(|c| there.any(|d| d == c))
        };
        found.filter(is_it).collect()
    }

    /// In an address, where any of its letters may be encoded and others not.
    fn mask_encoded(&self, text: &mut String) {
        // What looks encoded in the secret itself may have been left as it is.
        let as_is = self.forms.iter().map(|form| form.as_bytes().to_vec());
        let read = self.forms.iter().filter(|form| form.contains('%')).map(|form| decoded(form).0);
        for form in as_is.chain(read).filter(|form| form.len() >= BEGINNING) {
            let (bytes, starts) = decoded(text);
            let mut end = bytes.len();
            // From the end, so that what is before stays where it is.
            while let Some(at) = last_in(&bytes[..end], &form) {
                let to = starts.get(at + form.len()).copied().unwrap_or(text.len());
                let from = starts[at];
                if text.is_char_boundary(from) && text.is_char_boundary(to) {
                    text.replace_range(from..to, &self.shown);
                }
                end = at;
            }
        }
    }

    /// A beginning of it right before an ellipsis: a long text was cut there.
    fn mask_cut_off(&self, text: &mut String) {
        let mut from = 0;
        while let Some(found) = text[from..].find('…') {
            let at = from + found;
            let before = &text[..at];
            let cut = self.forms.iter().filter_map(|form| ends_in_beginning(before, form)).max();
            from = match cut {
                Some(length) => {
                    let name = &self.shown;
                    text.replace_range(at - length..at, name);
                    at - length + name.len() + '…'.len_utf8()
                }
                None => at + '…'.len_utf8(),
            };
        }
    }
}

/// Puts something in place of a word, but not of a part of one.
fn replace_words(text: &mut String, word: &str, with: &str) {
    // From the end, so that what is before stays where it is.
    let places: Vec<usize> = text.rmatch_indices(word).map(|(at, _)| at).collect();
    for at in places {
        let end = at + word.len();
        let joins = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
        if !joins(text[..at].chars().next_back()) && !joins(text[end..].chars().next()) {
            text.replace_range(at..end, with);
        }
    }
}

/// The letters and digits of a secret, or nothing if they are too few.
pub(super) fn bare_of(value: &str) -> String {
    let letters: String = value.chars().filter(|c| c.is_alphanumeric()).flat_map(folded).collect();
    if letters.chars().count() < BARE { String::new() } else { letters }
}

/// The letters and digits of a text whatever their case, and from where to where each of their bytes
/// stands in it. A gap stands for what does not hold together: the end of a line or of a quote, or
/// much between two letters.
fn bare(text: &str) -> (String, Vec<(usize, usize)>) {
    const GAP: char = '\n';
    let (mut letters, mut places) = (String::with_capacity(text.len()), Vec::new());
    let mut between = 0;
    for (at, c) in text.char_indices() {
        let place = (at, at + c.len_utf8());
        let mut add = |c: char| {
            letters.push(c);
            places.extend(std::iter::repeat_n(place, c.len_utf8()));
        };
        if c.is_alphanumeric() {
            between = 0;
            folded(c).for_each(add);
            continue;
        }
        between += 1;
        if between == BETWEEN + 1 || matches!(c, '"' | '\n' | '…') {
            add(GAP);
        }
    }
    (letters, places)
}

/// A letter in neither case; some have two letters in the other.
fn folded(c: char) -> impl Iterator<Item = char> {
    c.to_uppercase().flat_map(char::to_lowercase)
}

/// The bytes an address stands for, and where each begins in it.
fn decoded(text: &str) -> (Vec<u8>, Vec<usize>) {
    let (raw, mut at) = (text.as_bytes(), 0);
    let (mut bytes, mut starts) = (Vec::with_capacity(raw.len()), Vec::with_capacity(raw.len()));
    while let Some(&byte) = raw.get(at) {
        let digit = |offset: usize| raw.get(at + offset).and_then(|c| char::from(*c).to_digit(16));
        starts.push(at);
        match (byte, digit(1), digit(2)) {
            (b'%', Some(high), Some(low)) => {
                bytes.push((high * 16 + low) as u8);
                at += 3;
            }
            _ => {
                bytes.push(byte);
                at += 1;
            }
        }
    }
    (bytes, starts)
}

fn last_in(bytes: &[u8], wanted: &[u8]) -> Option<usize> {
    bytes.windows(wanted.len()).rposition(|window| window == wanted)
}

/// How many bytes at the end of a text are the beginning of a form.
fn ends_in_beginning(text: &str, form: &str) -> Option<usize> {
    let ends = form.char_indices().map(|(at, _)| at).skip(BEGINNING);
    ends.filter(|end| text.ends_with(&form[..*end])).last()
}

/// Takes a part out of a text that is spread over several; its name stands where it began.
fn cut_out(texts: &mut [&mut String], start: usize, end: usize, name: &str) {
    let mut at = 0;
    let mut named = false;
    for text in texts {
        let length = text.len();
        let (from, to) = (start.clamp(at, at + length) - at, end.clamp(at, at + length) - at);
        at += length;
        if from < to {
            text.replace_range(from..to, if named { "" } else { name });
            named = true;
        }
    }
}

/// A text in parts: every second one is inside quotes.
fn split_at_quotes(text: &str) -> Vec<String> {
    let (mut parts, mut part, mut escaped, mut inside) = (Vec::new(), String::new(), false, false);
    for c in text.chars() {
        if c == '"' && !escaped {
            if inside {
                parts.push(std::mem::take(&mut part));
                part.push(c);
            } else {
                part.push(c);
                parts.push(std::mem::take(&mut part));
            }
            inside = !inside;
            continue;
        }
        escaped = inside && c == '\\' && !escaped;
        part.push(c);
    }
    parts.push(part);
    parts
}

fn collect<'a>(key: &'a str, value: &'a mut Value, leaves: &mut Vec<(&'a str, &'a mut String)>) {
    match value {
        Value::String(text) => leaves.push((key, text)),
        Value::Array(items) => items.iter_mut().for_each(|item| collect(key, item, leaves)),
        Value::Object(fields) => {
            fields.iter_mut().for_each(|(key, field)| collect(key, field, leaves));
        }
        _ => {}
    }
}
