//! `batch`: several actions in one call, on one tab.
//!
//! All steps are read and judged, and all refs looked up, before the first one runs. It stops at a
//! failure, a navigation the page makes and a dialog; what came of all steps is told once.

use std::time::Duration;

use serde_json::Map;

use crate::action::Prepared;
use crate::catalog::{Asked, settle};
use crate::error::{CallError, Fault};
use crate::grant::OnPage;
use crate::prelude::*;
use crate::sequence::{self, Kind, Part, Sequence};

/// Do several actions in order.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct Batch {
    /// Each {action, its parameters}.
    steps: Vec<Step>,
    /// After a failure. Seldom needed, so it is told in the tips and not paid for in the schema.
    #[serde(default)]
    #[schemars(skip)]
    on_error: OnError,
}

/// An action's name and its parameters.
#[derive(Deserialize)]
#[serde(transparent)]
struct Step(Map<String, Value>);

impl JsonSchema for Step {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Step".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> Schema {
        json_schema!({ "type": "object" })
    }
}

/// What a failure does to the steps after it.
#[derive(Deserialize, Clone, Copy, Default, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
enum OnError {
    #[default]
    Stop,
    Continue,
}

/// More is a program, and belongs into one.
const MOST: usize = 50;
/// No call takes longer.
const LONGEST: Duration = Duration::from_secs(600);

impl CatalogAction for Batch {
    const NAME: &'static str = "batch";
    const GROUP: Group = Group::Interaction;
    const TOOLSET: Toolset = Toolset::All;
    const ACCESS: Access = Access::Changes;
    const TIPS: &'static [&'static str] = &[
        "Steps are actions on a page; each takes its own parameters, and a timeout. What is the session's is no step: tabs, cookies, saved states, downloads.",
        "onError: \"continue\" goes on after a failure.",
        "It stops where a step fails, the page goes elsewhere by itself or a dialog opens, and says how far it came. A step whose purpose is to load a page does not end it.",
    ];
    const UNLISTED: &'static [(&'static str, &'static str)] =
        &[("onError", "After a failure: stop or continue, default stop.")];
    const STEPS: Option<&'static str> = Some("steps");
    type Output = Sequence;

    fn examples() -> Vec<Example> {
        vec![
            Example::does(
                "Fill, tick and send",
                json!({ "steps": [
                    { "action": "fill", "selector": "#name", "value": "Ada" },
                    { "action": "check", "selector": "#agree" },
                    { "action": "click", "selector": "text=Send" },
                ] }),
                "log.at(-1) === 'sent Ada true'",
            ),
            Example::gives(
                "It stops where one fails",
                json!({ "steps": [
                    { "action": "fill", "selector": "#name", "value": "Ada" },
                    { "action": "click", "selector": "#missing", "timeout": 1000 },
                    { "action": "click", "selector": "text=Send" },
                ] }),
                json!({ "success": false, "stopped": "that failed", "results": [
                    { "action": "fill", "success": true },
                    { "action": "click", "success": false, "code": "not_found", "done": "no" },
                    { "action": "click", "success": false, "error": "Not tried" },
                ] }),
            ),
            Example::fails(
                "Something that is no action",
                json!({ "steps": [{ "action": "clik", "selector": "text=Send" }] }),
                "invalid_params",
            ),
        ]
    }

    async fn run(self, call: &Call<'_>) -> Result<Sequence> {
        let count = self.steps.len();
        if count == 0 || count > MOST {
            let reason = format!("steps must be 1 to {MOST}, not {count}");
            return Err(invalid("steps".into(), reason, None).into());
        }
        let (mut parts, mut targets) = (Vec::new(), Vec::new());
        let mut time = Duration::ZERO;
        for (n, Step(step)) in self.steps.into_iter().enumerate() {
            let (part, named) = part(call, step).map_err(|fault| of_step(fault, n))?;
            time += part.limit.unwrap_or_default();
            targets.extend(named);
            parts.push(part);
        }
        let stops = self.on_error == OnError::Stop;
        let kind = Kind { nouns: ["step", "steps"], key: "action", stops };
        let (changes, refs) = (call.params.changes, targets.clone());
        let pages = parts.iter().map(|part| part.on_page.clone());
        let on_page = pages.fold(OnPage::any(), OnPage::or);
        // A step that answers a dialog comes first where one is open; nothing can be looked up then.
        let blocked = parts.first().is_some_and(|part| part.unblocks);
        let timeout = call.params.timeout.unwrap_or(time).min(LONGEST);
        let done = call.catalog.on_tab(call, &targets, timeout, changes, Vec::new(), move |tab| {
            Box::pin(async move {
                if !blocked {
                    tab.undisturbed(|tab| Box::pin(look_up(tab, refs))).await?;
                }
                let mut sequence = sequence::run(tab, parts, kind).await?;
                settle(tab, &on_page, &mut sequence, changes).await?;
                Ok(sequence)
            })
        });
        done.await
    }
}

/// Whether every ref is still there.
async fn look_up(tab: &mut Tab, targets: Vec<Target>) -> Result<()> {
    for target in &targets {
        tab.check_ref(target).await?;
    }
    Ok(())
}

/// Reads a step and asks the grant for it as for a call.
fn part(call: &Call<'_>, mut step: Map<String, Value>) -> Result<(Part, Vec<Target>), Fault> {
    let field = || "action".to_owned();
    let written = match step.shift_remove("action") {
        Some(Value::String(name)) => name,
        Some(other) => {
            let reason = format!("action must be the name of an action, not {other}");
            return Err(invalid(field(), reason, None).into());
        }
        None => return Err(invalid(field(), "action is required".into(), None).into()),
    };
    let Some(entry) = call.catalog.find(&written) else {
        let near = call.catalog.suggestions(&written, &call.caller.grant);
        let hint = (!near.is_empty()).then(|| format!("Did you mean {}?", near.join(", ")));
        return Err(invalid(field(), format!("There is no action '{written}'"), hint).into());
    };
    let asked = call.catalog.prepare(call.caller, entry, &written, step)?;
    let Asked { params, prepared, on_page, carried, .. } = asked;
    for (given, name) in [(params.tab_id.is_some(), "tabId"), (params.session.is_some(), "session")]
    {
        if given {
            let reason = format!("{name} is for the whole batch, not for a step");
            return Err(invalid(name.into(), reason, None).into());
        }
    }
    let Prepared::Tab { targets, unblocks, sees_dialogs, delay, run, .. } = prepared else {
        let reason = format!("'{written}' is not about a page and cannot be a step");
        return Err(invalid(field(), reason, None).into());
    };
    let navigates = entry.group == Group::Navigation;
    let limit = Some(call.catalog.deadline(&params, entry, delay));
    let label = entry.name.to_owned();
    let name = entry.name;
    let carried = Some(carried);
    let part =
        Part { label, name, unblocks, sees_dialogs, navigates, on_page, carried, limit, run };
    Ok((part, targets))
}

fn invalid(field: String, reason: String, hint: Option<String>) -> CallError {
    CallError::InvalidParams { field: Some(field), reason, hint }
}

/// The same, saying which step it is about.
fn of_step(fault: Fault, n: usize) -> Fault {
    let at = n + 1;
    match fault {
        Fault::Call(CallError::InvalidParams { field, reason, hint }) => {
            let field = field.map_or_else(|| format!("steps[{n}]"), |f| format!("steps[{n}].{f}"));
            invalid(field, format!("Step {at}: {reason}"), hint).into()
        }
        Fault::Call(CallError::Denied { message }) => {
            CallError::Denied { message: format!("Step {at}: {message}") }.into()
        }
        Fault::Call(CallError::NotGranted { message }) => {
            CallError::NotGranted { message: format!("Step {at}: {message}") }.into()
        }
        other => other,
    }
}
