//! The rules of JSON Schema (2020-12), for a value and a schema that a stranger wrote.
//!
//! What a schema says by other means than these, wrongly, or at such length that following it would
//! not end, leaves the judge unsure: then only what does not fit for certain is refused. Nothing is
//! fetched: a schema refers to itself or to nothing.

use regex::RegexBuilder;
use serde_json::{Map, Value};

use super::{Misfit, shown};

/// Schemas inside schemas that are followed, all together and one in another.
const STEPS: usize = 20_000;
const DEPTH: usize = 60;
/// Bytes a pattern may become.
const PATTERN: usize = 1 << 20;

/// Rules that are not followed here.
const OTHERS: [&str; 6] = [
    "$dynamicRef",
    "$recursiveRef",
    "unevaluatedProperties",
    "unevaluatedItems",
    "dependentSchemas",
    "dependencies",
];

pub(super) struct Judge<'s> {
    root: &'s Value,
    steps: usize,
    depth: usize,
    /// Whether something of the schema was not followed.
    pub(super) unsure: bool,
}

type Judged = Result<(), Misfit>;
/// Whether a number keeps to a limit.
type Holds = fn(f64, f64) -> bool;

impl<'s> Judge<'s> {
    pub(super) fn new(root: &'s Value) -> Self {
        Self { root, steps: STEPS, depth: DEPTH, unsure: false }
    }

    /// What of a value does not fit a schema, the first of it.
    pub(super) fn fits(&mut self, schema: &'s Value, value: &Value, path: &str) -> Judged {
        let rules = match schema {
            Value::Bool(true) => return Ok(()),
            Value::Bool(false) => return Err(Misfit::new(path, "is not allowed")),
            Value::Object(rules) => rules,
            _ => return self.cannot_tell(),
        };
        if self.steps == 0 || self.depth == 0 {
            return self.cannot_tell();
        }
        self.steps -= 1;
        self.depth -= 1;
        let judged = self.all(rules, value, path);
        self.depth += 1;
        judged
    }

    fn all(&mut self, rules: &'s Map<String, Value>, value: &Value, path: &str) -> Judged {
        self.unsure |= OTHERS.iter().any(|other| rules.contains_key(*other));
        self.kind(rules, value, path)?;
        match value {
            Value::Number(number) => self.number(rules, number.as_f64().unwrap_or(0.0), path)?,
            Value::String(text) => self.text(rules, text, path)?,
            Value::Array(items) => self.list(rules, items, path)?,
            Value::Object(fields) => self.object(rules, fields, path)?,
            Value::Null | Value::Bool(_) => {}
        }
        self.combined(rules, value, path)
    }

    fn cannot_tell(&mut self) -> Judged {
        self.unsure = true;
        Ok(())
    }

    /// What it is at all.
    fn kind(&mut self, rules: &'s Map<String, Value>, value: &Value, path: &str) -> Judged {
        if let Some(kinds) = rules.get("type") {
            let kinds: Vec<&str> = match kinds {
                Value::String(one) => vec![one],
                Value::Array(several) => several.iter().filter_map(Value::as_str).collect(),
                _ => Vec::new(),
            };
            if kinds.is_empty() || kinds.iter().any(|kind| !KINDS.contains(kind)) {
                self.unsure = true;
            } else if !kinds.iter().any(|kind| is_a(value, kind)) {
                let is = format!("should be {}, not {}", kinds.join(" or "), kind_of(value));
                return Err(Misfit::new(path, is));
            }
        }
        match rules.get("enum") {
            Some(Value::Array(values)) if !values.iter().any(|one| same(one, value)) => {
                let some: Vec<String> = values.iter().take(10).map(shown).collect();
                let more = if values.len() > some.len() { ", …" } else { "" };
                let is = format!("should be one of {}{more}", some.join(", "));
                return Err(Misfit::new(path, is));
            }
            Some(other) if !other.is_array() => self.unsure = true,
            _ => {}
        }
        match rules.get("const") {
            Some(only) if !same(only, value) => {
                Err(Misfit::new(path, format!("should be {}", shown(only))))
            }
            _ => Ok(()),
        }
    }

    fn number(&mut self, rules: &'s Map<String, Value>, number: f64, path: &str) -> Judged {
        let checks: [(&str, &str, Holds); 5] = [
            ("minimum", "should be at least", |number, limit| number >= limit),
            ("maximum", "should be at most", |number, limit| number <= limit),
            ("exclusiveMinimum", "should be more than", |number, limit| number > limit),
            ("exclusiveMaximum", "should be less than", |number, limit| number < limit),
            ("multipleOf", "should be a multiple of", |number, part| {
                let times = number / part;
                (times - times.round()).abs() < 1e-9 * times.abs().max(1.0)
            }),
        ];
        for (rule, says, holds) in checks {
            let Some(given) = rules.get(rule) else { continue };
            match given.as_f64() {
                Some(limit) if !holds(number, limit) => {
                    return Err(Misfit::new(path, format!("{says} {given}")));
                }
                Some(_) => {}
                None => self.unsure = true,
            }
        }
        Ok(())
    }

    fn text(&mut self, rules: &'s Map<String, Value>, text: &str, path: &str) -> Judged {
        self.size(rules, "Length", "characters", text.chars().count(), path)?;
        match rules.get("pattern") {
            None => Ok(()),
            Some(pattern) => match self.matches(pattern, text) {
                Some(false) => Err(Misfit::new(path, format!("should match {}", shown(pattern)))),
                Some(true) | None => Ok(()),
            },
        }
    }

    /// Whether a pattern is found in a text; `None` if it is none, or none of ours.
    fn matches(&mut self, pattern: &Value, text: &str) -> Option<bool> {
        let made = pattern
            .as_str()
            .and_then(|pattern| RegexBuilder::new(pattern).size_limit(PATTERN).build().ok());
        self.unsure |= made.is_none();
        Some(made?.is_match(text))
    }

    /// `minLength`, `maxItems` …
    fn size(
        &mut self,
        rules: &'s Map<String, Value>,
        what: &str,
        of: &str,
        size: usize,
        path: &str,
    ) -> Judged {
        for (least, says) in [(true, "at least"), (false, "at most")] {
            let rule = format!("{}{what}", if least { "min" } else { "max" });
            let Some(limit) = rules.get(&rule) else { continue };
            let Some(limit) = limit.as_f64() else { return self.cannot_tell() };
            let fits = if least { size as f64 >= limit } else { size as f64 <= limit };
            if !fits {
                return Err(Misfit::new(path, format!("should have {says} {limit} {of}")));
            }
        }
        Ok(())
    }

    fn list(&mut self, rules: &'s Map<String, Value>, items: &[Value], path: &str) -> Judged {
        self.size(rules, "Items", "items", items.len(), path)?;
        let first = rules.get("prefixItems").and_then(Value::as_array);
        let first = first.map_or(&[][..], Vec::as_slice);
        for (at, item) in items.iter().enumerate() {
            let schema = first.get(at).or_else(|| rules.get("items"));
            // Before 2020 a list of schemas was said this way.
            if schema.is_some_and(Value::is_array) {
                return self.cannot_tell();
            }
            if let Some(schema) = schema {
                self.fits(schema, item, &format!("{path}[{at}]"))?;
            }
        }
        if rules.get("uniqueItems") == Some(&Value::Bool(true)) {
            // Those of an agent are few.
            let twice = |at: usize| items[..at].iter().any(|other| same(other, &items[at]));
            if let Some(at) = (0..items.len().min(1000)).find(|at| twice(*at)) {
                return Err(Misfit::new(&format!("{path}[{at}]"), "is there twice"));
            }
        }
        let Some(schema) = rules.get("contains") else { return Ok(()) };
        let fitting = items.iter().filter(|item| self.fits(schema, item, path).is_ok()).count();
        let limit = |rule: &str| rules.get(rule).and_then(Value::as_u64);
        let least = limit("minContains").unwrap_or(1);
        let most = limit("maxContains").unwrap_or(u64::MAX);
        match (least..=most).contains(&(fitting as u64)) {
            true => Ok(()),
            false => Err(Misfit::new(path, "has too few or too many items of a kind")),
        }
    }

    fn object(
        &mut self,
        rules: &'s Map<String, Value>,
        fields: &Map<String, Value>,
        path: &str,
    ) -> Judged {
        self.size(rules, "Properties", "fields", fields.len(), path)?;
        let needed = |names: Option<&Value>| {
            let names = names.and_then(Value::as_array).into_iter().flatten();
            let missing = names.filter_map(Value::as_str).find(|name| !fields.contains_key(*name));
            missing.map(|name| Misfit::new(&inside(path, name), "is required"))
        };
        needed(rules.get("required")).map_or(Ok(()), Err)?;
        let others = rules.get("dependentRequired").and_then(Value::as_object);
        for (_, names) in
            others.into_iter().flatten().filter(|(name, _)| fields.contains_key(*name))
        {
            needed(Some(names)).map_or(Ok(()), Err)?;
        }
        let known = rules.get("properties").and_then(Value::as_object);
        self.unsure |= rules.contains_key("properties") && known.is_none();
        let patterns = rules.get("patternProperties").and_then(Value::as_object);
        for (name, value) in fields {
            let path = inside(path, name);
            let schema = known.and_then(|known| known.get(name));
            let mut is_known = schema.is_some();
            if let Some(schema) = schema {
                self.fits(schema, value, &path)?;
            }
            for (pattern, schema) in patterns.into_iter().flatten() {
                // Unsure counts as known: nothing is refused for it.
                if self.matches(&Value::from(pattern.as_str()), name) != Some(false) {
                    is_known = true;
                    self.fits(schema, value, &path)?;
                }
            }
            match rules.get("additionalProperties").filter(|_| !is_known) {
                Some(Value::Bool(false)) => return Err(Misfit::new(&path, "is not known")),
                Some(schema) => self.fits(schema, value, &path)?,
                None => {}
            }
            if let Some(schema) = rules.get("propertyNames") {
                self.fits(schema, &Value::from(name.as_str()), &path)?;
            }
        }
        Ok(())
    }

    /// Schemas that are about the same value.
    fn combined(&mut self, rules: &'s Map<String, Value>, value: &Value, path: &str) -> Judged {
        if let Some(to) = rules.get("$ref") {
            let found = to.as_str().and_then(|to| to.strip_prefix('#'));
            let found = found.and_then(|at| self.root.pointer(&unescaped(at)?));
            match found {
                Some(schema) => self.fits(schema, value, path)?,
                None => self.unsure = true,
            }
        }
        let schemas = |rule: &str| rules.get(rule).and_then(Value::as_array).into_iter().flatten();
        for schema in schemas("allOf") {
            self.fits(schema, value, path)?;
        }
        for (rule, most) in [("anyOf", usize::MAX), ("oneOf", 1)] {
            if schemas(rule).next().is_none() {
                continue;
            }
            let unsure = std::mem::take(&mut self.unsure);
            let fitting = schemas(rule).filter(|one| self.fits(one, value, path).is_ok()).count();
            // Several may fit only because nobody can tell.
            let too_many = fitting > most && !self.unsure;
            self.unsure |= unsure;
            if fitting == 0 || too_many {
                return Err(Misfit::new(path, "does not fit the tool's schema"));
            }
        }
        if let Some(schema) = rules.get("not")
            && self.surely(schema, value, path)
        {
            return Err(Misfit::new(path, "does not fit the tool's schema"));
        }
        if let Some(schema) = rules.get("if") {
            let holds = self.fits(schema, value, path).is_ok();
            if let Some(then) = rules.get(if holds { "then" } else { "else" }) {
                self.fits(then, value, path)?;
            }
        }
        Ok(())
    }

    /// Whether a value fits for certain.
    fn surely(&mut self, schema: &'s Value, value: &Value, path: &str) -> bool {
        let unsure = std::mem::take(&mut self.unsure);
        let fits = self.fits(schema, value, path).is_ok() && !self.unsure;
        self.unsure |= unsure;
        fits
    }
}

const KINDS: [&str; 7] = ["null", "boolean", "number", "integer", "string", "array", "object"];

fn is_a(value: &Value, kind: &str) -> bool {
    match kind {
        "integer" => value.as_f64().is_some_and(|number| number.fract() == 0.0),
        kind => kind_of(value) == kind,
    }
}

fn kind_of(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(_) => "number",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    }
}

/// Whether two values are equal; 1 and 1.0 are.
fn same(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Number(a), Value::Number(b)) => a == b || a.as_f64() == b.as_f64(),
        (Value::Array(a), Value::Array(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(a, b))
        }
        (Value::Object(a), Value::Object(b)) => {
            a.len() == b.len() && a.iter().all(|(k, a)| b.get(k).is_some_and(|b| same(a, b)))
        }
        (a, b) => a == b,
    }
}

/// The pointer in a reference; `None` if it is an anchor, which may be anywhere.
fn unescaped(reference: &str) -> Option<String> {
    let pointer = reference.is_empty() || reference.starts_with('/');
    (pointer && !reference.contains('%')).then(|| reference.to_owned())
}

/// `order.items[2]`, with a field of it.
fn inside(path: &str, name: &str) -> String {
    if path.is_empty() { name.to_owned() } else { format!("{path}.{name}") }
}
