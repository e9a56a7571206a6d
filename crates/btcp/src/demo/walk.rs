//! The walk: one call after the other, printed as an agent sees it.

use std::time::{Duration, Instant};

use btcp::{Caller, Catalog, Outcome};
use serde_json::{Map, Value};

use crate::output;

/// A step that did not do what it should.
pub(crate) struct Stopped {
    /// What is wrong, in a sentence.
    pub(crate) why: String,
}

/// A caller and what it has done so far.
pub(crate) struct Walk {
    catalog: Catalog,
    caller: Caller,
    started: Instant,
    steps: u32,
}

impl Walk {
    pub(crate) fn new(catalog: Catalog) -> anyhow::Result<Self> {
        let caller = Caller::new("demo", catalog.grant("all")?);
        Ok(Self { catalog, caller, started: Instant::now(), steps: 0 })
    }

    /// Makes a call and prints it.
    pub(crate) async fn step(
        &mut self,
        about: &str,
        tool: &str,
        args: &[(&str, &str)],
    ) -> Result<Seen, Stopped> {
        let args: Map<String, Value> =
            args.iter().map(|(name, value)| ((*name).to_owned(), Value::from(*value))).collect();
        self.steps += 1;
        output::line(&format!("{}. {about}", self.steps));
        output::line(&format!("   > {tool} {}", Value::Object(args.clone())));

        let asked = Instant::now();
        let result = self.catalog.call(&self.caller, tool, args).await;
        let (text, stopped) = match &result {
            Ok(outcome) => (outcome.text.for_model(), false),
            Err(failure) => (failure.text(), true),
        };
        for line in text.lines() {
            output::line(&format!("   {line}"));
        }
        output::line(&format!("   ({})\n", duration(asked.elapsed())));
        match result {
            Ok(outcome) if !stopped => Ok(Seen { text, outcome }),
            _ => Err(Stopped { why: format!("'{tool}' failed") }),
        }
    }

    /// Prints where the picture is and how long it all took.
    pub(crate) fn end(&self, picture: &str) {
        let took = duration(self.started.elapsed());
        output::line(&format!("Done: {} calls in {took}. The picture is {picture}", self.steps));
    }
}

/// What an agent has before it after a call.
pub(crate) struct Seen {
    text: String,
    outcome: Outcome,
}

impl Seen {
    /// The ref on the line of an element, found by its role and name: `textbox "Name" e1`.
    pub(crate) fn ref_of(&self, element: &str) -> Result<String, Stopped> {
        find_ref(&self.text, element)
            .map(str::to_owned)
            .ok_or_else(|| Stopped { why: format!("The snapshot shows no {element}") })
    }

    /// Checks that the page says this.
    pub(crate) fn must_say(&self, expected: &str) -> Result<(), Stopped> {
        if self.text.contains(expected) {
            return Ok(());
        }
        Err(Stopped { why: format!("The page does not say '{expected}'") })
    }

    /// Where the picture was saved.
    pub(crate) fn path(&self) -> Result<&str, Stopped> {
        let path = self.outcome.data.get("path").and_then(Value::as_str);
        path.ok_or_else(|| Stopped { why: "The picture was not saved".to_owned() })
    }
}

fn find_ref<'a>(snapshot: &'a str, element: &str) -> Option<&'a str> {
    let rest = snapshot.lines().find_map(|line| line.trim_start().strip_prefix(element))?;
    let word = rest.split_whitespace().next()?;
    let digits = word.strip_prefix('e')?;
    (!digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())).then_some(word)
}

/// `312 ms`, `4.2 s`.
fn duration(duration: Duration) -> String {
    match duration.as_millis() {
        millis @ 0..1000 => format!("{millis} ms"),
        _ => format!("{:.1} s", duration.as_secs_f64()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SNAPSHOT: &str = "page \"Tea\" http://127.0.0.1/\n\
        form \"Order\"\n  textbox \"Your name\" e1 [required]\n  button \"Order\" e12\n  \"e9\"";

    #[test]
    fn a_ref_is_read_from_the_line_of_its_element() {
        assert_eq!(find_ref(SNAPSHOT, "textbox \"Your name\""), Some("e1"));
        assert_eq!(find_ref(SNAPSHOT, "button \"Order\""), Some("e12"));
    }

    #[test]
    fn a_line_without_a_ref_gives_none() {
        assert_eq!(find_ref(SNAPSHOT, "form \"Order\""), None);
        assert_eq!(find_ref(SNAPSHOT, "link \"Order\""), None);
    }

    #[test]
    fn times_are_short() {
        assert_eq!(duration(Duration::from_millis(312)), "312 ms");
        assert_eq!(duration(Duration::from_millis(4230)), "4.2 s");
    }
}
