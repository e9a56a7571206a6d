//! What Chrome says of a tab, put into its facts.
//!
//! Runs on the reading task, so each event is a short locked step. Dialogs and other questions
//! are answered in `dialog.rs` and `prompts.rs`; what the facts are stands in `tab_state.rs`.

use std::collections::VecDeque;
use std::sync::Arc;

use btcp_cdp::{Event, SessionId, log, network, page, runtime, web_mcp};

use crate::frame::{DOM_CONTENT_LOADED, LOADED};
use crate::hub::is_web;
use crate::tab_state::{EXPECTED, Facts, TabState};

impl TabState {
    /// Takes in an event of one of this tab's sessions.
    pub(crate) fn event(self: &Arc<Self>, session: &SessionId, event: &Event<'_>) {
        if event.method.starts_with("Network.") && self.asking_event(session, event) {
            return;
        }
        match event.method {
            "Page.frameAttached" => self.on(event, |facts, e: page::FrameAttached| {
                facts.frames.attach(&e.frame_id, Some(&e.parent_frame_id), session.clone());
            }),
            "Page.frameDetached" => self.on(event, |facts, e: page::FrameDetached| {
                // `swap` is a move to another process; the frame itself stays.
                if e.reason != "swap" {
                    facts.frames.detach(&e.frame_id);
                    let held = &facts.shared.guard.memory.held;
                    held.left(&self.target, &e.frame_id, |_| false);
                }
            }),
            "Page.frameNavigated" => {
                let mut came = None;
                self.on(event, |facts, e: page::FrameNavigated| {
                    came = Some((e.frame.id.clone(), e.frame.url.clone()));
                    frame_navigated(facts, session, e);
                });
                if let Some((frame, url)) = came {
                    self.document_came(&frame, &url);
                    self.prepare_world(&frame);
                }
            }
            "Page.navigatedWithinDocument" => {
                self.on(event, |facts, e: page::NavigatedWithinDocument| {
                    facts.commits += u64::from(e.frame_id == facts.frames.main);
                    let is_main = e.frame_id == facts.frames.main;
                    if let Some(frame) = facts.frames.get_mut(&e.frame_id) {
                        let before = std::mem::replace(&mut frame.url, e.url.clone());
                        if is_main {
                            facts.shared.guard.renamed(&before, &e.url);
                        }
                    }
                });
            }
            "Page.lifecycleEvent" => self.on(event, |facts, e: page::LifecycleEvent| {
                let stage = match e.name.as_str() {
                    "DOMContentLoaded" => DOM_CONTENT_LOADED,
                    "load" => DOM_CONTENT_LOADED | LOADED,
                    _ => return,
                };
                facts.frames.reached(&e.frame_id, &e.loader_id, stage);
            }),
            "Page.javascriptDialogOpening" => {
                if let Some(opening) = event.read() {
                    self.dialog_opened(opening);
                }
            }
            "Page.javascriptDialogClosed" => {
                if let Some(closed) = event.read() {
                    self.dialog_closed(&closed);
                }
            }
            "Page.fileChooserOpened" => self.prompt_event(session, event),
            "Page.screencastFrame" => self.on(event, |facts, e: page::ScreencastFrame| {
                facts.watched = Some(e.data);
            }),
            "Page.windowOpen" => self.on(event, |facts, e: page::WindowOpen| {
                facts.windows.asked += 1;
                if facts.windows.expected.len() < EXPECTED {
                    facts.windows.expected.push(e.url);
                }
            }),
            "Fetch.requestPaused" if self.facts().is_emptied(session) => {
                self.answer_empty(session, event);
            }
            "Fetch.requestPaused" | "Fetch.authRequired" => self.prompt_event(session, event),
            // Which they are is asked of the page code: here they may be thousands.
            "WebMCP.toolsAdded" => self.update(|facts| facts.tool_answers.add()),
            "WebMCP.toolResponded" => self.on(event, |facts, e: web_mcp::ToolResponded| {
                facts.tool_answers.hear(e);
            }),
            "Inspector.targetCrashed" if *session == self.session => self.crashed(),
            "Inspector.targetCrashed" => self.frame_crashed(session),
            _ if event.method.starts_with("Runtime.") || event.method.starts_with("Log.") => {
                self.console_event(session, event);
            }
            _ => self.loading_event(event),
        }
    }

    /// What pages and workers log, and the worlds scripts run in.
    fn console_event(&self, session: &SessionId, event: &Event<'_>) {
        match event.method {
            "Runtime.consoleAPICalled" => self.on(event, |facts, e| {
                let context = facts.context_of(session);
                facts.console.called(session, context, e);
            }),
            "Runtime.exceptionThrown" => self.on(event, |facts, e| {
                let context = facts.context_of(session);
                facts.console.threw(session, context, e);
            }),
            "Log.entryAdded" => self.on(event, |facts, e: log::EntryAdded| {
                // Failed requests are reported as such, and workers speak for themselves.
                if !matches!(e.entry.source.as_str(), "network" | "worker") {
                    let context = facts.context_of(session);
                    facts.console.logged(session, context, e);
                }
            }),
            "Runtime.executionContextCreated" => {
                self.on(event, |facts, e: runtime::ExecutionContextCreated| {
                    let data = e.context.aux_data.filter(|data| data.is_default);
                    let frame = data.and_then(|data| data.frame_id);
                    if let Some(frame) = frame.and_then(|id| facts.frames.get_mut(&id)) {
                        frame.main_world = Some(e.context.id);
                    }
                });
            }
            _ => {}
        }
    }

    /// Navigations beginning and ending, and requests: what "at rest" is made of.
    fn loading_event(&self, event: &Event<'_>) {
        match event.method {
            "Page.frameStartedNavigating" => {
                self.on(event, |facts, e: page::FrameStartedNavigating| {
                    let elsewhere = e
                        .navigation_type
                        .as_deref()
                        .is_none_or(|kind| !kind.contains("ameDocument"));
                    if e.frame_id == facts.frames.main && elsewhere {
                        facts.heading = e.url;
                        facts.starts += 1;
                        facts.loading = true;
                    }
                });
            }
            "Page.frameRequestedNavigation" => {
                self.on(event, |facts, e: page::FrameRequestedNavigation| {
                    // What Chrome refuses to a page, such as a file, never begins and never ends.
                    let leads = e.disposition == "currentTab" && is_web(&e.url);
                    if e.frame_id == facts.frames.main && leads {
                        facts.asked_to_leave += 1;
                        let by = facts.frames.main().map(|main| main.loader.clone());
                        facts.asked_by = by.unwrap_or_default();
                        facts.heading = e.url;
                        facts.starts += 1;
                        facts.loading = true;
                    }
                });
            }
            "Page.frameStartedLoading" => self.on(event, |facts, e: page::FrameStartedLoading| {
                facts.loading |= e.frame_id == facts.frames.main;
            }),
            "Page.frameStoppedLoading" => self.on(event, |facts, e: page::FrameStoppedLoading| {
                facts.loading &= e.frame_id != facts.frames.main;
            }),
            "Network.requestWillBeSent" => {
                self.on(event, |facts, e: network::RequestWillBeSent| {
                    let (method, url) = (&e.request.method, &e.request.url);
                    facts.requests.start(&e.request_id, e.kind.as_deref(), method, url);
                })
            }
            "Network.responseReceived" => self.on(event, |facts, e: network::ResponseReceived| {
                facts.password_refused(&e);
                facts.requests.answered(&e.request_id, e.response.status, &e.response.mime_type);
            }),
            "Network.dataReceived" => self.on(event, |facts, e: network::DataReceived| {
                facts.requests.heard(&e.request_id);
            }),
            "Network.loadingFinished" => self.on(event, |facts, e: network::LoadingFinished| {
                facts.requests.end(&e.request_id);
            }),
            "Network.loadingFailed" => self.on(event, |facts, e: network::LoadingFailed| {
                // The request of a document has the name of its load.
                let of_page = facts.frames.main().is_some_and(|main| main.loader == e.request_id);
                if of_page && !e.canceled {
                    facts.broken = Some(e.error_text.clone());
                }
                if e.canceled && e.kind == "Document" {
                    push(&mut facts.given_up, e.request_id.clone());
                }
                let memory = facts.shared.guard.memory.clone();
                facts.requests.fail(&e.request_id, &e.error_text, e.canceled, &memory);
            }),
            _ => {}
        }
    }
}

impl Facts {
    /// Takes in the frames that were there before Chrome told us of any. What it has told meanwhile is
    /// newer.
    pub(crate) fn catch_up(&mut self, session: &SessionId, tree: &page::FrameTree) {
        let there = &tree.frame;
        if self.frames.get(&there.id).is_none() {
            self.frames.attach(&there.id, there.parent_id.as_deref(), session.clone());
        }
        if let Some(frame) = self.frames.get_mut(&there.id)
            && (frame.loader.is_empty() || frame.loader == there.loader_id)
        {
            let url = there.unreachable_url.as_ref().unwrap_or(&there.url);
            frame.url = format!("{url}{}", there.url_fragment.as_deref().unwrap_or_default());
            frame.loader.clone_from(&there.loader_id);
            frame.name = there.name.clone().unwrap_or_default();
            if there.id == self.frames.main {
                self.failed = there.unreachable_url.is_some();
            }
            if there.id == self.frames.main && there.unreachable_url.is_none() {
                self.shared.guard.arrived(&there.url);
            }
        }
        for child in &tree.child_frames {
            self.catch_up(session, child);
        }
    }

    /// Whose console a session's messages are.
    fn context_of(&self, session: &SessionId) -> &'static str {
        self.workers.get(session).copied().unwrap_or("page")
    }
}

/// How many documents of a tab are remembered, to recognise one that was replaced at once.
const LOADERS: usize = 16;

fn push(last: &mut VecDeque<String>, loader: String) {
    if last.len() == LOADERS {
        last.pop_front();
    }
    last.push_back(loader);
}

fn frame_navigated(facts: &mut Facts, session: &SessionId, event: page::FrameNavigated) {
    let frame = event.frame;
    if facts.frames.get(&frame.id).is_none() {
        facts.frames.attach(&frame.id, frame.parent_id.as_deref(), session.clone());
    }
    let is_main = frame.id == facts.frames.main;
    if is_main {
        facts.failed = frame.unreachable_url.is_some();
    }
    let restored = event.kind.as_deref() == Some("BackForwardCacheRestore");
    if is_main && frame.unreachable_url.is_none() && !facts.is_emptied(session) {
        facts.shared.guard.arrived(&frame.url);
    }
    let url =
        frame.unreachable_url.unwrap_or(frame.url) + frame.url_fragment.as_deref().unwrap_or("");
    facts.frames.navigated(&frame.id, &frame.loader_id, url, frame.name.unwrap_or_default());
    if restored {
        // No loading happens and no stage is reported: the document comes back as it was.
        facts.frames.reached(&frame.id, &frame.loader_id, DOM_CONTENT_LOADED | LOADED);
    }
    if is_main {
        facts.commits += 1;
        push(&mut facts.loaders, frame.loader_id.clone());
        facts.crashed = false;
        facts.crash_told = false;
        facts.broken = None;
        facts.dialogs.dropped();
        facts.ended = None;
        facts.hung = false;
        facts.deaf = false;
        facts.requests.reset();
    }
}
