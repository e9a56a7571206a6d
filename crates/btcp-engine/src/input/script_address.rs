//! Presses and keys that would run the script in an address, where `ready` could not tell.
//!
//! `ready` answers for the element it was asked for, in its own document. A press on a frame goes on into
//! another document, and a key goes to whatever has the focus: those are asked here, before anything is sent.

use crate::error::{Error, Result};
use crate::input::keys::Key;
use crate::page::Answer;
use crate::page::ops::{KeyedReply, KeyedRequest};
use crate::tab::Tab;

/// How deep frames are followed to the focus.
const DEEPEST: usize = 10;

impl Tab {
    /// Refuses a press at a point of the window that would run a script; `pressed` is what the agent wrote.
    pub(crate) async fn refuse_script_at(
        &mut self,
        point: (f64, f64),
        pressed: &str,
    ) -> Result<()> {
        match self.element_at(point).await?.script {
            Some(what) => Err(Error::ScriptAddress { pressed: pressed.to_owned(), what }),
            None => Ok(()),
        }
    }

    /// Refuses a key that would run a script on what has the focus.
    pub(super) async fn refuse_script_by(&mut self, key: &Key) -> Result<()> {
        let key = match key.code {
            "Enter" | "NumpadEnter" => "Enter",
            "Space" => "Space",
            _ => return Ok(()),
        };
        let mut frame = self.main_frame();
        for _ in 0..DEEPEST {
            let answer = self.op_once(&frame, "keyed", &KeyedRequest { key }, None).await?;
            // A document that has just come has no focus on anything yet.
            let Answer::Is(KeyedReply { script, frame: inner }, document) = answer else { break };
            if let Some(named) = script {
                let what = self.names(&frame, document, &[named]).concat();
                return Err(Error::ScriptAddress { pressed: key.to_owned(), what });
            }
            let Some(inner) = inner else { break };
            match self.child_frame(&frame, document, inner).await? {
                Some(child) => frame = child,
                None => break,
            }
        }
        Ok(())
    }
}
