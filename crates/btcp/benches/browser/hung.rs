//! How long a list of tabs takes while a page hangs and a call waits for it.

use std::time::Instant;

use anyhow::Result;
use serde_json::json;

use crate::ours::Mcp;

const LISTS: usize = 500;

/// The line for the report.
pub(crate) fn lists(origin: &str) -> Result<String> {
    let mut mcp = Mcp::start()?;
    mcp.tool("browser_navigate", &json!({ "url": format!("{origin}/small") }))?;
    let forever = "setTimeout(() => { for (;;); }); 0";
    mcp.tool("browser_evaluate", &json!({ "script": forever }))?;
    // Waits for the page all the while.
    mcp.send("browser_snapshot", &json!({ "timeout": "60s" }))?;
    let mut took = Vec::with_capacity(LISTS);
    for _ in 0..LISTS {
        let begin = Instant::now();
        mcp.tool("browser_tabs", &json!({}))?;
        took.push(begin.elapsed().as_secs_f64() * 1000.0);
    }
    took.sort_by(f64::total_cmp);
    let of = |share: f64| took[((took.len() - 1) as f64 * share) as usize];
    mcp.end();
    Ok(format!(
        "list of tabs while a page hangs, by MCP: median {:.2} ms, p99 {:.2} ms, slowest {:.2} ms",
        of(0.5),
        of(0.99),
        of(1.0)
    ))
}
