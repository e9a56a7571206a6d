//! Tools in the words of Anthropic's Messages API.

use serde_json::{Value, json};

use super::Tool;

/// The `tools` array of a request.
pub fn anthropic(tools: &[Tool]) -> Value {
    let one = |tool: &Tool| {
        json!({
            "name": tool.name,
            "description": tool.description,
            "input_schema": tool.input_schema,
        })
    };
    tools.iter().map(one).collect()
}
