//! How long the control lane takes while a page hangs and a call waits for it.

use std::time::Instant;

use anyhow::Result;
use serde_json::{Value, json};

use crate::ours::Mcp;

const ROUNDS: usize = 500;

/// A line of the report for each tool of the lane that Chrome has no part in.
pub(crate) fn lanes(origin: &str) -> Result<Vec<String>> {
    let mut mcp = Mcp::with(&["--toolset", "all"])?;
    let small = format!("{origin}/small");
    mcp.tool("browser_navigate", &json!({ "url": small }))?;
    mcp.tool("browser_open_tab", &json!({ "url": small }))?;
    let forever = "setTimeout(() => { for (;;); }); 0";
    mcp.tool("browser_evaluate", &json!({ "script": forever }))?;
    // Waits for the page all the while.
    mcp.send("browser_snapshot", &json!({ "timeout": "120s" }))?;
    let tools = [
        ("browser_tabs", json!({})),
        ("browser_get_all_tabs", json!({})),
        ("browser_switch_tab", json!({ "tabId": 2 })),
        ("browser_downloads", json!({})),
        ("browser_session", json!({})),
        // There is none: that is known from memory as well.
        ("browser_dialog", json!({ "response": "accept" })),
    ];
    let lines = tools.iter().map(|(name, args)| line(&mut mcp, name, args)).collect();
    mcp.end();
    lines
}

fn line(mcp: &mut Mcp, name: &str, args: &Value) -> Result<String> {
    let mut took = Vec::with_capacity(ROUNDS);
    for _ in 0..ROUNDS {
        let begin = Instant::now();
        mcp.answer(name, args)?;
        took.push(begin.elapsed().as_secs_f64() * 1000.0);
    }
    took.sort_by(f64::total_cmp);
    let of = |share: f64| took[((took.len() - 1) as f64 * share) as usize];
    Ok(format!(
        "{name} while a page hangs, by MCP: median {:.2} ms, p99 {:.2} ms, slowest {:.2} ms",
        of(0.5),
        of(0.99),
        of(1.0)
    ))
}
