//! Real frameworks for pages of tests, bundled from `web/frameworks` when a page first asks.

use std::collections::HashMap;
use std::process::Command;
use std::sync::OnceLock;

type Bundles = HashMap<String, String>;

/// A bundle by its file name; why there is none is told in its place, as a script that throws.
pub(crate) async fn bundle(name: &str) -> Option<String> {
    let name = name.to_owned();
    let found = tokio::task::spawn_blocking(move || match bundles() {
        Ok(bundles) => bundles.get(&name).cloned(),
        Err(why) => Some(format!("throw new Error({})", serde_json::Value::from(why.as_str()))),
    });
    found.await.ok().flatten()
}

fn bundles() -> &'static Result<Bundles, String> {
    static BUNDLES: OnceLock<Result<Bundles, String>> = OnceLock::new();
    BUNDLES.get_or_init(|| {
        let script = concat!(env!("CARGO_MANIFEST_DIR"), "/../../web/frameworks/build.mjs");
        let built = Command::new("node").arg(script).output().map_err(|error| error.to_string())?;
        if !built.status.success() {
            let said = String::from_utf8_lossy(&built.stderr);
            return Err(format!("run `npm ci` in web/ first: {said}"));
        }
        serde_json::from_slice(&built.stdout).map_err(|error| error.to_string())
    })
}
