//! `call_page_tool`: has the page do what it offers to do.
//!
//! Chrome calls the tool in the page; whether the arguments fit its schema we decide, before
//! anything is sent. What it answers is the page's word, and what came of it on the page is told
//! as for every action.

use btcp_engine::Effect;
use serde_json::Map;

use super::page_tools::page_json;
use crate::prelude::*;
use crate::tool_input;

/// Call a tool that the page declares.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct CallPageTool {
    /// Name of the tool.
    name: String,
    /// What it takes.
    #[serde(default)]
    arguments: Arguments,
    /// Seldom needed, so it is told by `describe` and not paid for in the schema.
    #[schemars(skip)]
    origin: Option<String>,
}

/// A tool's arguments.
#[derive(Deserialize, Default)]
#[serde(transparent)]
struct Arguments(Map<String, Value>);

impl JsonSchema for Arguments {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Arguments".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> Schema {
        json_schema!({ "type": "object" })
    }
}

/// What was done, and what the tool answered.
pub(crate) struct Called {
    did: Did,
    result: Option<Value>,
    /// Whose word that is.
    origin: String,
    /// Whether it may be that of the page the call led to.
    left: bool,
}

impl Action for CallPageTool {
    const NAME: &'static str = "call_page_tool";
    const GROUP: Group = Group::Page;
    const TOOLSET: Toolset = Toolset::All;
    const ACCESS: Access = Access::Changes;
    const LONG: bool = true;
    const TIPS: &'static [&'static str] = &[
        "It waits for a tool that is not declared yet, until `timeout`.",
        "Of tools of one name in several frames the one of the frame that was entered is meant, or that of `origin`.",
        "A form without toolautosubmit is only filled in: the call waits for somebody to send it, until `timeout`.",
    ];
    const UNLISTED: &'static [(&'static str, &'static str)] = &[(
        "origin",
        "Origin of the frame whose tool is meant, where several have one of that name.",
    )];
    type Output = Called;

    fn examples() -> Vec<Example> {
        vec![
            Example::does(
                "A tool of the page",
                json!({ "name": "order_tea", "arguments": { "kind": "green", "cups": 2 } }),
                "log.join() === 'ordered 2 green'",
            ),
            Example::gives(
                "What it answers",
                json!({ "name": "order_tea", "arguments": { "kind": "green" } }),
                json!({ "success": true, "result": { "order": 1, "tea": "1 green" } }),
            ),
            Example::does(
                "A form",
                json!({ "name": "subscribe", "arguments": { "mail": "ada@example.test" } }),
                "location.search === '?mail=ada%40example.test'",
            ),
            Example::fails(
                "Arguments that do not fit",
                json!({ "name": "order_tea", "arguments": { "kind": "soup" } }),
                "invalid_params",
            ),
            Example::fails(
                "A tool that throws",
                json!({ "name": "order_tea", "arguments": { "kind": "black" } }),
                "javascript_error",
            ),
            Example::fails(
                "A tool that is not there",
                json!({ "name": "order_te", "timeout": 1000 }),
                "not_found",
            ),
        ]
    }

    async fn run(self, tab: &mut Tab) -> Result<Called> {
        let tool = tab.page_tool(&self.name, self.origin.as_deref()).await?;
        let checked = tool_input::fits(tool.input_schema.as_ref(), &self.arguments.0)?;
        let answer = tab.call_page_tool(&tool, &self.arguments.0).await?;
        let unchecked = (!checked)
            .then(|| "its schema cannot be used, so the arguments were not checked".to_owned());
        let left = (answer.left && answer.value.is_none())
            .then(|| "its page was left before it answered".to_owned());
        let name = quoted(&cut(&tool.name, 120));
        let did = Did::plain(format!("called page tool {name}")).note(unchecked).note(left);
        Ok(Called { did, result: answer.value, origin: tool.origin, left: answer.left })
    }
}

impl Called {
    fn with_result(&self, text: Text) -> Text {
        match &self.result {
            None => text,
            Some(Value::String(said)) => {
                text.then(Text::ours("\nresult ")).then(Text::page(said, &self.origin))
            }
            Some(value) => {
                text.then(Text::ours("\nresult ")).then(page_json(&json_text(value), &self.origin))
            }
        }
    }
}

impl Output for Called {
    fn data(&self) -> Value {
        let mut data = self.did.data();
        if let Some(result) = &self.result {
            data["result"] = result.clone();
        }
        data
    }

    fn schema() -> Option<Schema> {
        let mut schema = Did::schema()?.to_value();
        schema["title"].take();
        schema["properties"]["result"] =
            json!({ "description": "What the tool answered; absent where that is nothing." });
        Schema::try_from(schema).ok().map(|mut schema| {
            schema.remove("title");
            schema
        })
    }

    fn text(&self) -> Text {
        self.with_result(self.did.text())
    }

    fn brief(&self) -> Text {
        self.with_result(self.did.brief())
    }

    fn without_page(&mut self) {
        if self.left {
            self.result = None;
        }
    }

    fn effect(&mut self) -> Option<&mut Option<Effect>> {
        self.did.effect()
    }
}
