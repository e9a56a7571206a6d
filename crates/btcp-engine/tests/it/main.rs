//! Tests of the engine that need a real Chrome or real processes.

mod launch;
