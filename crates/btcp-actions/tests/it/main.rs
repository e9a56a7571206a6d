//! Tests of the actions with Chrome, one binary.
//!
//! `examples` runs what the action files promise, `hard` every page action on every hard
//! page; the others are what examples do not cover, by topic. All share one Chrome, each
//! test has a session of its own.

mod bad_input;
mod bad_pages;
mod choices;
mod console;
mod dialogs;
mod done;
mod effects;
mod examples;
mod fields;
mod frames;
mod hard;
mod lanes;
mod lists;
mod locators;
mod overlays;
mod refs;
mod refusal;
mod scrolling;
mod shadow;
mod snapshot;
mod targets;
mod traces;
