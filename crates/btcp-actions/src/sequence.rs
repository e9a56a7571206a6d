//! Several actions in one call: run one after the other on one tab, each told for itself, and
//! what came of them told once.
//!
//! `fill_form` and `batch` are made of it. A part that fails does not take back those before it, so
//! the answer is an error only if none succeeded; otherwise it says what was done and what not.

use std::time::Duration;

use btcp_engine::text::quoted;
use btcp_engine::{Bound, Done, Effect, Error, Secrets, Tab};
use serde_json::{Map, Value, json};

use crate::action::OnTab;
use crate::catalog::run_on;
use crate::did::{effect_data, effect_text};
use crate::error::Fault;
use crate::grant::OnPage;
use crate::hints;
use crate::outcome::{Denial, Image, Output, Text};

/// One of several actions, ready to run.
pub(crate) struct Part {
    /// How results name it: the selector of a field, the action of a step.
    pub(crate) label: String,
    /// The action's name.
    pub(crate) name: &'static str,
    /// See `Action::UNBLOCKS`.
    pub(crate) unblocks: bool,
    /// See `Action::SEES_DIALOGS`.
    pub(crate) sees_dialogs: bool,
    /// Whether it goes to another page on purpose.
    pub(crate) navigates: bool,
    /// On which pages it may run.
    pub(crate) on_page: OnPage,
    /// Secrets it holds; those of the whole call if absent.
    pub(crate) carried: Option<Vec<Bound>>,
    /// The most time it may take; a fair share of what is left if absent.
    pub(crate) limit: Option<Duration>,
    /// The work.
    pub(crate) run: OnTab,
}

/// How several actions are told.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Kind {
    /// What one is called, and several.
    pub(crate) nouns: [&'static str; 2],
    /// Under which name a result has its label.
    pub(crate) key: &'static str,
    /// Whether a failure ends it.
    pub(crate) stops: bool,
}

/// What became of one.
enum Ended {
    Did(Box<dyn Output>),
    Failed(Fault, Done),
    NotTried,
}

/// What became of all.
pub(crate) struct Sequence {
    kind: Kind,
    parts: Vec<(String, Ended)>,
    stopped: Option<&'static str>,
    effect: Option<Effect>,
    secrets: Secrets,
}

/// Runs them in order.
pub(crate) async fn run(tab: &mut Tab, parts: Vec<Part>, kind: Kind) -> Result<Sequence, Fault> {
    let progress = tab.progress();
    let mut together = tab.begin_together().await;
    let secrets = Secrets::default();
    let mut done = Sequence { kind, parts: Vec::new(), stopped: None, effect: None, secrets };
    let count = parts.len();
    for (n, part) in parts.into_iter().enumerate() {
        if done.stopped.is_none() && tab.time_left().is_zero() && n > 0 {
            done.stopped = Some("the time was over");
        }
        let Part { label, name, unblocks, sees_dialogs, navigates, on_page, carried, limit, run } =
            part;
        if done.stopped.is_some() {
            done.parts.push((label, Ended::NotTried));
            continue;
        }
        let left = u32::try_from(count - n).unwrap_or(u32::MAX).max(1);
        if let Some(carried) = carried {
            tab.entrust(carried);
        }
        let whole = tab.hurry(limit.unwrap_or(tab.time_left() / left));
        let unblocks = unblocks || (sees_dialogs && tab.meets_dialog());
        let ran = run_on(tab, &on_page, unblocks, run, name, &progress).await;
        tab.take_time(whole);
        let field = ran.as_ref().is_ok_and(|output| output.reads_back());
        let came = tab.settle_part(&mut together, field).await;
        let happened = progress.next_part();
        let both = ran.and_then(|output| Ok((output, came?)));
        let ended = match both {
            Ok((mut output, came)) => {
                done.stopped = match () {
                    () if came.effect.dialog.is_some() => Some("a dialog opened"),
                    () if came.navigated && !navigates => Some("the page navigated"),
                    () => None,
                };
                if let Some(slot) = output.effect() {
                    let Effect { field, received_by, .. } = came.effect;
                    *slot = Some(Effect::of_part(field, received_by));
                }
                Ended::Did(output)
            }
            Err(fault) => {
                if kind.stops || is_final(&fault) {
                    done.stopped = Some("that failed");
                }
                Ended::Failed(fault, happened)
            }
        };
        done.parts.push((label, ended));
    }
    // Only now: a password may have been typed by one of them.
    done.secrets = tab.hidden().into_owned();
    if !done.parts.iter().any(|(_, ended)| matches!(ended, Ended::Did(_))) {
        return Err(done.failure());
    }
    tab.end_together(together);
    Ok(done)
}

/// After these nothing more can be done on the page.
fn is_final(fault: &Fault) -> bool {
    matches!(
        fault,
        Fault::Page(
            Error::BrowserGone { .. }
                | Error::PageCrashed { .. }
                | Error::PageHung { .. }
                | Error::SessionGone { .. }
                | Error::DialogOpen { .. }
                | Error::NoSuchTab { .. }
                | Error::Cancelled
        )
    )
}

impl Sequence {
    fn succeeded(&self) -> usize {
        self.parts.iter().filter(|(_, ended)| matches!(ended, Ended::Did(_))).count()
    }

    /// None of them was done: the first failure, and all of them.
    fn failure(self) -> Fault {
        let results = self.results();
        let failed = |ended: &Ended| match ended {
            Ended::Failed(fault, _) => Some(fault.clone()),
            Ended::Did(_) | Ended::NotTried => None,
        };
        let mut faults = self.parts.iter().filter_map(|(_, ended)| failed(ended));
        let Some(first) = faults.next() else {
            let message = "nothing was tried".to_owned();
            return Fault::Page(Error::Internal { message });
        };
        let mut told = first.to_string();
        for fault in faults {
            told.push_str(&format!("\n{fault}"));
        }
        Fault::Several { first: Box::new(first), told, results }
    }

    /// `filled 2 of 3 fields, stopped because the page navigated`.
    fn sentence(&self) -> String {
        let (done, all) = (self.succeeded(), self.parts.len());
        let [one, many] = self.kind.nouns;
        let mut text = format!("did {done} of {all} {}", if all == 1 { one } else { many });
        if let Some(why) = self.stopped.filter(|_| done < all) {
            text.push_str(&format!(", stopped because {why}"));
        }
        text
    }

    fn results(&self) -> Value {
        self.parts.iter().map(|(label, ended)| self.result(label, ended)).collect()
    }

    fn result(&self, label: &str, ended: &Ended) -> Value {
        let mut result = Map::new();
        result.insert(self.kind.key.into(), json!(label));
        result.insert("success".into(), json!(matches!(ended, Ended::Did(_))));
        match ended {
            Ended::Did(output) => {
                result.insert("result".into(), output.data());
            }
            Ended::Failed(fault, done) => {
                result.insert("error".into(), json!(fault.to_string()));
                result.insert("code".into(), json!(fault.code()));
                result.insert("done".into(), json!(done.name()));
            }
            Ended::NotTried => {
                result.insert("error".into(), json!("Not tried"));
                result.insert("done".into(), json!("no"));
            }
        }
        Value::Object(result)
    }

    /// One line a part; what was not tried is counted.
    fn lines(&self) -> Text {
        let mut text = Text::default();
        let mut left_out = 0;
        for (n, (label, ended)) in self.parts.iter().enumerate() {
            let line = match ended {
                Ended::Did(output) => {
                    let mut said = output.brief();
                    // Before it is cut: a part of a secret could not be recognised.
                    said.mask(&self.secrets);
                    Text::ours(format!("{} ", n + 1)).then(shortened(said))
                }
                Ended::Failed(fault, done) => {
                    let hint = hints::plain(fault).map(|hint| format!(" {hint}"));
                    let (code, done) = (fault.code(), done.name());
                    let hint = hint.unwrap_or_default();
                    let label = quoted(&btcp_engine::text::cut(label, 80));
                    Text::ours(format!(
                        "{} {label} failed: {fault}.{hint} ({code}, done: {done})",
                        n + 1
                    ))
                }
                Ended::NotTried => {
                    left_out += 1;
                    continue;
                }
            };
            text = text.then(line).then(Text::ours("\n"));
        }
        match left_out {
            0 => text,
            n => text.then(Text::ours(format!("… {n} not tried\n"))),
        }
    }
}

/// What of several things was refused, as their results tell it: a step by its own name, a field as the
/// call it is of.
pub(crate) fn denials(results: &Value) -> Vec<Denial> {
    let refused = results.as_array().into_iter().flatten().filter(|one| one["code"] == "denied");
    let denial = |one: &Value| {
        let text = |key: &str| one[key].as_str().map(str::to_owned);
        (text("action"), text("error").unwrap_or_default())
    };
    refused.map(denial).collect()
}

/// What one of several says at the most; all of it is in the answer of a call of its own.
const INLINE: usize = 8 * 1024;

fn shortened(text: Text) -> Text {
    let length = text.length();
    if length <= INLINE {
        return text;
    }
    text.part(0, INLINE).then(Text::ours(format!(" … {} more characters", length - INLINE)))
}

impl Output for Sequence {
    fn data(&self) -> Value {
        let mut data = Map::new();
        data.insert("success".into(), json!(self.succeeded() == self.parts.len()));
        data.insert("did".into(), json!(self.sentence()));
        data.insert("results".into(), self.results());
        if let Some(why) = self.stopped.filter(|_| self.succeeded() < self.parts.len()) {
            data.insert("stopped".into(), json!(why));
        }
        if let Some(effect) = &self.effect {
            effect_data(effect, &mut data);
        }
        Value::Object(data)
    }

    fn schema() -> Option<schemars::Schema> {
        let mut schema = crate::Did::schema()?;
        schema.insert("title".into(), json!("Several"));
        schema.insert(
            "description".into(),
            json!("What was done one after the other, and what came of it all."),
        );
        let properties = schema.get_mut("properties")?.as_object_mut()?;
        properties.insert("success".into(), json!({ "type": "boolean" }));
        properties.remove("selector");
        properties.insert("did".into(), json!({ "type": "string" }));
        properties.insert(
            "stopped".into(),
            json!({ "type": "string", "description": "Why the rest was not tried." }),
        );
        properties.insert(
            "results".into(),
            json!({
                "type": "array",
                "items": {
                    "type": "object",
                    "properties": {
                        "selector": { "type": "string" },
                        "action": { "type": "string" },
                        "success": { "type": "boolean" },
                        "result": { "type": "object", "description": "What the action answers with." },
                        "error": { "type": "string" },
                        "code": { "type": "string" },
                        "done": { "enum": ["no", "yes", "unknown"] },
                    },
                    "required": ["success"],
                },
            }),
        );
        schema.insert("required".into(), json!(["success", "did", "results"]));
        Some(schema)
    }

    fn text(&self) -> Text {
        let mut last = self.sentence();
        if let Some(effect) = &self.effect {
            last.push_str(&effect_text(effect));
        }
        self.lines().then(Text::ours(last))
    }

    fn denials(&self) -> Vec<Denial> {
        denials(&self.results())
    }

    fn images(&mut self) -> Vec<Image> {
        let each = self.parts.iter_mut().map(|(_, ended)| match ended {
            Ended::Did(output) => output.images(),
            Ended::Failed(..) | Ended::NotTried => Vec::new(),
        });
        each.flatten().collect()
    }

    fn effect(&mut self) -> Option<&mut Option<Effect>> {
        Some(&mut self.effect)
    }
}
