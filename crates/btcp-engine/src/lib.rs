//! A browser an agent can hold: Chrome, sessions, tabs, frames, refs, input, snapshots.
//!
//! The types you will meet: [`Sessions`] holds one [`Session`] per conversation and starts
//! Chrome when the first is opened; a session has tabs; [`TabHandle::run`] gives work a
//! [`Tab`] for its turn. Below: `hub.rs` takes in what Chrome says, `tab_state.rs` keeps it,
//! `page.rs` calls our JavaScript in a frame. What can be asked for is `btcp-actions`.

#[cfg(not(target_os = "linux"))]
compile_error!(
    "btcp is built and tested on Linux only. A port needs: a `Tie` (launch/tie.rs), how processes are started and \
     sockets told apart (launch/spawn.rs, egress/peer.rs), the ways of files and keyrings (files/walk.rs, \
     secrets/keyring.rs), a `Place` (btcp-servers, daemon/place.rs), signals (btcp, signals.rs), and a run in CI"
);

mod attach;
mod browser;
mod call;
mod capture;
mod clipboard;
mod closed_roots;
mod console;
mod content;
mod cookies;
mod dialog;
mod downloads;
mod effect;
pub mod egress;
mod element;
mod emulation;
mod error;
mod evaluate;
mod files;
mod frame;
mod frames;
mod hang;
mod headers;
mod highlight;
mod holding;
mod hub;
mod input;
mod internals;
pub mod launch;
mod listeners;
mod locate;
mod memory;
pub mod names;
mod navigation;
mod network;
mod nodes;
pub mod page;
mod page_tools;
mod prompts;
mod read;
mod recovery;
mod refs;
mod saved;
mod script;
mod scroll;
mod secrets;
mod session;
mod session_tabs;
mod sessions;
mod settings;
mod slots;
mod snapshot;
mod spare;
mod state;
mod tab;
mod tab_events;
mod tab_state;
mod tabs;
mod target;
mod tenure;
pub mod text;
mod together;
mod upload;
mod wait;

pub use self::attach::Endpoint;
pub use self::call::{CallContext, Done, Progress, Reach};
pub use self::capture::{Format, Picture, Shot};
pub use self::console::Message;
pub use self::content::BoundingBox;
pub use self::cookies::{Cookie, Which as WhichCookies};
pub use self::dialog::Dialog;
pub use self::downloads::{Download, DownloadState};
pub use self::effect::Effect;
pub use self::element::{Element, Hit, How};
pub use self::emulation::{Emulate, Emulation};
pub use self::error::{Error, Limited, Result, seconds};
pub use self::evaluate::Evaluated;
pub use self::files::{Folders, NewFile, OpenFile};
pub use self::headers::Header;
pub use self::input::{Button, Dragged, Modifiers, MouseDo, Shown};
pub use self::navigation::{Arrived, WaitUntil};
pub use self::page::ops::{FieldValue, FillPlan, Mode, Purpose as For, ScrollBy, StorageArea};
pub use self::page_tools::{PageTool, PageTools, ToolAnswer};
pub use self::prompts::Credential;
pub use self::read::Located;
pub use self::saved::{SavedState, StateKey};
pub use self::scroll::Scrolled;
pub use self::secrets::{Bound, Keyring, Secrets, SystemKeyring};
pub use self::session::Session;
pub use self::sessions::Sessions;
pub use self::settings::{Isolation, Settings};
pub use self::snapshot::{Changes, Find, Finds, RefInfo, Snapshot, SnapshotOptions};
pub use self::tab::{Boxed, Tab, TabHandle};
pub use self::tabs::{TabInfo, Trouble};
pub use self::target::{Target, TargetError};
pub use self::together::{Came, Share, Together};
pub use self::upload::Uploaded;
pub use self::wait::ElementState;
