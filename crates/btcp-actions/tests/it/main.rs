//! Tests of the actions with Chrome, one binary.
//!
//! `examples` runs what the action files promise, `hard` every page action on every hard
//! page; the others are what examples do not cover, by topic. All share one Chrome, each
//! test has a session of its own.

mod attacks;
mod bad_input;
mod bad_pages;
mod batch;
mod belongings;
mod blanked;
mod boundary;
mod boundary_app;
mod boundary_net;
mod certificates;
mod choices;
mod clickables;
mod clipboard;
mod closed_roots;
mod complete;
mod console;
mod dialogs;
mod docs;
mod done;
mod downloads;
mod dragging;
mod effects;
mod emulation;
mod examples;
mod fields;
mod find;
mod fitting;
mod forgery;
mod forms;
mod frames;
mod frameworks;
mod hangs;
mod hard;
mod headers;
mod keyboard;
mod lanes;
mod lists;
mod locators;
mod names;
mod overlays;
mod own_lists;
mod page_tools;
mod pictures;
mod pointing;
mod prompts;
mod reading;
mod refs;
mod refusal;
mod scripts;
mod scrolling;
mod secrets;
mod shadow;
mod since;
mod snapshot;
mod states;
mod tabs;
mod targets;
mod traces;
mod unseen;
mod uploads;
mod waiting;
