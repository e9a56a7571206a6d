//! Scripts, styles, markup and events that an agent adds to a page.
//!
//! A page's policy (CSP) is for what strangers put into it, not for who drives the browser: what
//! it forbids is brought in another way.

use base64::Engine as _;
use btcp_cdp::{io, network, page, target};
use serde_json::{Map, Value};

use crate::element::{Element, millis};
use crate::error::{Error, Result};
use crate::evaluate::thrown;
use crate::page::ops::{
    AddReply, AddScriptRequest, AddStyleRequest, Added, DispatchReply, DispatchRequest,
};
use crate::page::{Answer, Place};
use crate::tab::{Tab, TabHandle};
use crate::tab_state::Facts;
use crate::target::Target;

/// What is loaded past a page's policy is at most this long.
const LARGEST: usize = 20 << 20;

impl Tab {
    /// Runs a script in the page's own world, for its effects.
    pub async fn add_script(&mut self, content: &str) -> Result<()> {
        self.watch().await?;
        self.run_in_page(content).await
    }

    /// Loads a script into the page's own world.
    pub async fn add_script_from(&mut self, src: &str) -> Result<()> {
        self.watch().await?;
        self.context.progress.sent();
        let request = AddScriptRequest { src, timeout: millis(self.context.left()) };
        let home = self.checked_home()?;
        let (added, _) = self.op::<_, AddReply>(&home, "addScript", &request).await?;
        match added.is {
            Added::Added => {
                self.context.progress.happened();
                Ok(())
            }
            Added::Failed => Err(self.not_loaded("script", &added.url)),
            Added::Blocked => {
                let content = self.load_past_policy("script", &added.url).await?;
                self.run_in_page(&content).await
            }
        }
    }

    /// Gives the page another style sheet.
    pub async fn add_style(&mut self, content: &str) -> Result<()> {
        self.watch().await?;
        self.context.progress.sent();
        self.style(&AddStyleRequest { content: Some(content), ..Default::default() }).await?;
        self.context.progress.happened();
        Ok(())
    }

    /// Gives the page another style sheet from an address.
    pub async fn add_style_from(&mut self, href: &str) -> Result<()> {
        self.watch().await?;
        self.context.progress.sent();
        let timeout = millis(self.context.left());
        let request = AddStyleRequest { href: Some(href), timeout, ..Default::default() };
        let added = self.style(&request).await?;
        match added.is {
            Added::Added => {}
            Added::Failed => return Err(self.not_loaded("style sheet", &added.url)),
            Added::Blocked => {
                let content = self.load_past_policy("style sheet", &added.url).await?;
                let (content, base) = (Some(content.as_str()), Some(added.url.as_str()));
                self.style(&AddStyleRequest { content, base, ..Default::default() }).await?;
            }
        }
        self.context.progress.happened();
        Ok(())
    }

    async fn style(&mut self, request: &AddStyleRequest<'_>) -> Result<AddReply> {
        let home = self.checked_home()?;
        Ok(self.op::<_, AddReply>(&home, "addStyle", request).await?.0)
    }

    fn not_loaded(&self, what: &str, url: &str) -> Error {
        self.context.progress.undone();
        Error::NavigationFailed { message: format!("The {what} at {url} did not load") }
    }

    /// Gives the frame the agent works in another content; its address stays.
    pub async fn set_content(&mut self, html: &str) -> Result<()> {
        self.watch().await?;
        let home = self.checked_home()?;
        let session = self.process_of(&home);
        self.context.progress.sent();
        let set = page::SetDocumentContent { frame_id: &home, html };
        self.send_to(&session, &set).await.map_err(|error| self.explain(error))?;
        self.context.progress.happened();
        Ok(())
    }

    /// Sends an event made by a script to an element; whether a handler prevented what comes of it.
    pub async fn dispatch(
        &mut self,
        target: &Target,
        event: &str,
        init: &Map<String, Value>,
    ) -> Result<(Element, bool)> {
        self.watch().await?;
        loop {
            let (mut frame, steps) = self.locate(target).await?;
            let mut steps = steps.as_slice();
            loop {
                let token = self.token();
                let timeout = millis(self.context.left());
                let request = DispatchRequest { query: steps, event, init, timeout, token };
                self.context.progress.sent();
                let answer = self.op_once(&frame, "dispatch", &request, Some(token)).await?;
                match answer {
                    Answer::Is(DispatchReply::Sent { element, prevented }, document) => {
                        self.context.progress.happened();
                        let place = Place { frame, document, id: element.id };
                        return Ok((self.element(&place, &element.what), prevented));
                    }
                    Answer::Is(DispatchReply::Frame { id, used }, document) => {
                        self.context.progress.undone();
                        let Some(child) = self.child_frame(&frame, document, id).await? else {
                            break;
                        };
                        (frame, steps) = (child, &steps[used.min(steps.len())..]);
                    }
                    Answer::Is(DispatchReply::Failed(failed), document) => {
                        self.context.progress.undone();
                        return Err(self.failed(target, &frame, document, failed, None));
                    }
                    // The page that left may have heard it.
                    Answer::Navigated => {
                        return Err(Error::JavaScript {
                            message: "The page navigated away while the event was sent".into(),
                        });
                    }
                }
            }
            let main = self.main_frame();
            self.new_document(&main).await?;
        }
    }

    async fn run_in_page(&mut self, script: &str) -> Result<()> {
        self.check_home()?;
        self.context.progress.sent();
        let evaluated = self.run_script(script, false).await?;
        self.context.progress.happened();
        match evaluated.exception_details {
            Some(details) => Err(Error::JavaScript { message: thrown(&details, 0) }),
            None => Ok(()),
        }
    }

    /// Loads something as the page would if its policy let it.
    async fn load_past_policy(&self, what: &str, url: &str) -> Result<String> {
        if !url.starts_with("http:") && !url.starts_with("https:") {
            return Err(self.not_loaded(what, url));
        }
        // The policy of the page would hold for it too; that of an empty one does not.
        let helper = self.session.new_tab().await?;
        let loaded = self.load_in(&helper, what, url).await;
        let close = target::CloseTarget { target_id: helper.target() };
        self.state.connection.post(None, &close);
        helper.state.close();
        loaded
    }

    async fn load_in(&self, helper: &TabHandle, what: &str, url: &str) -> Result<String> {
        let begun = |facts: &Facts| facts.begun.then_some(());
        helper.state.until(self.deadline(), begun).await;
        let session = helper.state.session.clone();
        let options = network::LoadOptions { disable_cache: false, include_credentials: true };
        let load = network::LoadNetworkResource { frame_id: helper.target(), url, options };
        let loaded = self.send_to(&session, &load).await;
        let resource = loaded.map_err(|error| self.explain(error))?.resource;
        let fine = resource.http_status_code.is_none_or(|status| (200.0..300.0).contains(&status));
        let Some(handle) = resource.stream.filter(|_| resource.success && fine) else {
            return Err(self.not_loaded(what, url));
        };
        let mut bytes = Vec::new();
        let read = loop {
            let piece = self.send_to(&session, &io::Read { handle: &handle, size: None }).await;
            let piece = match piece {
                Ok(piece) => piece,
                Err(error) => break Err(self.explain(error)),
            };
            match piece.base64_encoded {
                true => {
                    let engine = base64::engine::general_purpose::STANDARD;
                    let decoded = engine.decode(piece.data.as_bytes()).unwrap_or_default();
                    bytes.extend(decoded);
                }
                false => bytes.extend_from_slice(piece.data.as_bytes()),
            }
            if bytes.len() > LARGEST {
                break Err(self.not_loaded(what, url));
            }
            if piece.eof {
                break Ok(());
            }
        };
        self.state.connection.post(Some(&session), &io::Close { handle: &handle });
        read?;
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    }

    /// The process a frame lives in.
    pub(crate) fn process_of(&self, frame: &str) -> btcp_cdp::SessionId {
        let facts = self.state.facts();
        let session = facts.frames.get(frame).map(|frame| frame.session.clone());
        session.unwrap_or_else(|| self.state.session.clone())
    }
}
