//! A browser an agent can hold: Chrome, sessions, tabs, frames, refs, input, snapshots.
//!
//! The types you will meet: [`Sessions`] holds one [`Session`] per conversation and starts
//! Chrome when the first is opened; a session has tabs; [`TabHandle::run`] gives work a
//! [`Tab`] for its turn. Below: `hub.rs` takes in what Chrome says, `tab_state.rs` keeps it,
//! `page.rs` calls our JavaScript in a frame. What can be asked for is `btcp-actions`.

mod browser;
mod call;
mod capture;
mod console;
mod dialog;
mod downloads;
mod effect;
mod element;
mod error;
mod evaluate;
mod frame;
mod frames;
mod highlight;
mod hub;
mod input;
pub mod launch;
mod locate;
pub mod names;
mod navigation;
mod network;
pub mod page;
mod read;
mod refs;
mod scroll;
mod sessions;
mod settings;
mod snapshot;
mod tab;
mod tab_state;
mod target;
pub mod text;
mod wait;

pub use self::call::{CallContext, Done, Progress};
pub use self::capture::{Format, Picture, Shot};
pub use self::console::Message;
pub use self::dialog::Dialog;
pub use self::downloads::{Download, DownloadState};
pub use self::effect::Effect;
pub use self::element::{Element, Hit, How};
pub use self::error::{Error, Result, seconds};
pub use self::evaluate::Evaluated;
pub use self::input::{Button, Modifiers};
pub use self::navigation::{Arrived, WaitUntil};
pub use self::page::ops::{FillPlan, Mode, Purpose as For, ScrollBy};
pub use self::read::Located;
pub use self::scroll::Scrolled;
pub use self::sessions::{Session, Sessions};
pub use self::settings::Settings;
pub use self::snapshot::{RefInfo, Snapshot, SnapshotOptions};
pub use self::tab::{Boxed, Tab, TabHandle};
pub use self::target::{Target, TargetError};
pub use self::wait::ElementState;
