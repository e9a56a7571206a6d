//! `Inspector`: what becomes of the renderer behind a session.

use serde::Deserialize;

/// The renderer crashed. Calls in flight are never answered.
#[derive(Debug, Clone, Deserialize)]
pub struct TargetCrashed {}

event!(TargetCrashed, "Inspector.targetCrashed");
