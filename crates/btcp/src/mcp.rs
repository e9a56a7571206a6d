//! `btcp mcp`: serves the MCP client that started us.

use std::process::ExitCode;

use btcp::mcp::{McpOptions, serve_stdio};
use btcp::{Catalog, DEFAULT_TOOLSET, Sessions, Settings};

use crate::cli::refused_toolset;
use crate::settings::Granted;
use crate::{output, signals};

pub(crate) async fn run(
    settings: Settings,
    granted: Granted,
    structured: bool,
    url: Option<String>,
) -> anyhow::Result<ExitCode> {
    let sessions = Sessions::new(settings);
    let catalog = granted.applied(Catalog::new(sessions.clone()))?;
    let options = match granted.for_model(&catalog, DEFAULT_TOOLSET) {
        Ok(grant) => McpOptions { structured, url, ..McpOptions::new(grant) },
        Err(error) => return Ok(output::usage(&refused_toolset("mcp", &error), false)),
    };
    let progress = options.progress.clone();
    sessions.on_progress(move |line| {
        output::note(line);
        // No receiver means no call that asked for it.
        let _ = progress.send(line.to_owned());
    });
    tokio::select! {
        served = serve_stdio(catalog, options) => served.map(|()| ExitCode::SUCCESS).map_err(Into::into),
        code = signals::asked_to_end() => {
            sessions.close_all().await;
            Ok(code)
        }
    }
}
