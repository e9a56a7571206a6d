//! Whose Chrome it is, and all that follows from it: one we started, or a person's, in which we are
//! a guest.
//!
//! In our own each session has a context, all its traffic goes through the egress guard, and Chrome
//! ends with us. A guest's sessions live in the person's own context, for the sake of their logins; what
//! is theirs there is told by tab: those they opened, and those that these opened. The person's tabs are
//! never attached to, nor is anything set that they would notice. Attaching itself is `attach.rs`.

use std::path::Path;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use btcp_cdp::{browser as cdp, target};
use futures_util::future::join_all;
use tokio::time::{Instant, timeout};

use crate::attach::{Attached, attach};
use crate::browser::Browser;
use crate::egress::{Guard, Memory};
use crate::error::{Error, Result};
use crate::hub::{Hub, is_web};
use crate::launch::{self, Chrome};
use crate::session::Session;
use crate::settings::Settings;

/// How long Chrome may take to end, or our tabs in another's Chrome to close.
const ENDING: Duration = Duration::from_secs(2);

/// What is said of a Chrome that is not ours.
const NO_GUARD: &str = "This Chrome was not started by btcp: only addresses that the agent names itself are judged, its \
                        pages may reach the private network and this machine. Its other tabs are left alone; its \
                        cookies and logins are yours.";

/// Whose Chrome it is.
pub(crate) enum Tenure {
    /// We started it.
    Own(Chrome),
    /// We started it with a profile that a person keeps: its one session lives in the profile's own
    /// context, which has its guard from the start.
    Kept(Chrome, Arc<Guard>),
    /// A person did.
    Guest(Attached),
}

impl Tenure {
    /// Starts Chrome, or connects to the one that was named. Tells what a person should know of it.
    pub(crate) async fn begin(
        settings: &Settings,
        hub: &Arc<Hub>,
        named: Arc<Memory>,
        say: &(dyn Fn(&str) + Send + Sync),
    ) -> Result<Self> {
        if let Some(endpoint) = &settings.connect {
            let attached = attach(endpoint, settings, hub.clone()).await?;
            say(NO_GUARD);
            return Ok(Self::Guest(attached));
        }
        let installed = match launch::find(settings) {
            Ok(installed) => installed,
            Err(launch::LaunchError::NotInstalled { .. }) if settings.install => {
                let mut lines = launch::Lines::default();
                let mut hear = |news| {
                    if let Some(line) = lines.of(news) {
                        say(&line);
                    }
                };
                launch::obtain(launch::Wanted::Any, settings, &mut hear).await?
            }
            Err(error) => return Err(error.into()),
        };
        let (chrome, guard) = match settings.profile.is_some() {
            false => (launch::start(&installed, settings, hub.clone()).await?, None),
            true => {
                let (chrome, guard) = start_behind_guard(&installed, settings, hub, named).await?;
                (chrome, Some(guard))
            }
        };
        if let Some(port) = chrome.port() {
            say(&format!(
                "Chrome takes connections at 127.0.0.1:{port}: every program and user of this machine can do with it \
                 what btcp can, and nothing of that is judged."
            ));
        }
        if chrome.sandbox != launch::SandboxState::On {
            say(&chrome.sandbox.to_string());
        }
        Ok(match guard {
            None => Self::Own(chrome),
            Some(guard) => Self::Kept(chrome, guard),
        })
    }

    pub(crate) fn connection(&self) -> &btcp_cdp::Connection {
        match self {
            Self::Own(chrome) | Self::Kept(chrome, _) => &chrome.connection,
            Self::Guest(attached) => &attached.connection,
        }
    }

    /// What Chrome says it is.
    pub(crate) fn version(&self) -> &cdp::Version {
        match self {
            Self::Own(chrome) | Self::Kept(chrome, _) => &chrome.version,
            Self::Guest(attached) => &attached.version,
        }
    }

    /// Has Chrome tell of tabs.
    pub(crate) fn watch(&self) {
        let connection = self.connection();
        let page = target::FilterEntry { kind: Some("page"), exclude: None };
        let worker = target::FilterEntry { kind: Some("service_worker"), exclude: None };
        let discover = |filter: &[target::FilterEntry<'_>]| {
            let filter = Some(filter);
            connection.post(None, &target::SetDiscoverTargets { discover: true, filter });
        };
        match self {
            Self::Own(_) | Self::Kept(..) => {
                connection.post(
                    None,
                    &target::SetAutoAttach {
                        auto_attach: true,
                        wait_for_debugger_on_start: true,
                        flatten: true,
                        filter: Some(&[page]),
                    },
                );
                // Service workers, the crashes of pages, and what Chrome shows before it prints, which is
                // none of its kinds at first.
                let other = target::FilterEntry { kind: Some("other"), exclude: None };
                discover(&[worker, page, other]);
            }
            // Attaching to all would hold every window the person opens. Service workers serve the
            // person's tabs too.
            Self::Guest(_) => discover(&[page]),
        }
    }
}

/// Starts Chrome with a proxy for the profile's own context: no other way is there to give it one.
async fn start_behind_guard(
    installed: &launch::Installed,
    settings: &Settings,
    hub: &Arc<Hub>,
    named: Arc<Memory>,
) -> Result<(Chrome, Arc<Guard>)> {
    let pid = Arc::new(OnceLock::new());
    let guard = Guard::before(Arc::new(settings.egress.clone()), named, pid.clone()).await?;
    let mut settings = settings.clone();
    if let Some(proxy) = guard.proxy().filter(|_| !settings.egress.unguarded) {
        settings.extra_args.push(format!("--proxy-server={proxy}"));
        // Chrome would reach this machine without asking its proxy.
        settings.extra_args.push("--proxy-bypass-list=<-loopback>".to_owned());
    }
    let chrome = launch::start(installed, &settings, hub.clone()).await?;
    // Told once.
    let _ = pid.set(chrome.pid());
    Ok((chrome, Arc::new(guard)))
}

impl Browser {
    /// Whether the session lives in the context of a profile that a person keeps.
    pub(crate) fn is_kept(&self) -> bool {
        matches!(self.tenure, Tenure::Kept(..))
    }

    /// Whether Chrome is somebody else's.
    pub(crate) fn is_guest(&self) -> bool {
        matches!(self.tenure, Tenure::Guest(_))
    }

    /// Whether what a session's pages store is theirs alone: then it is copied for the case of a crash,
    /// and pages that take too much, or will not be left, are ended. A person's Chrome keeps its own, and
    /// a process of it may have tabs of theirs too.
    pub(crate) fn owns_pages(&self) -> bool {
        !self.is_guest()
    }

    /// Permissions are a context's, and a guest has none of its own.
    pub(crate) fn may_permit(&self) -> Result<()> {
        match self.is_guest() {
            false => Ok(()),
            true => Err(Error::BadParam {
                field: "permissions",
                message: "Permissions, and a place, would be given to all tabs of this Chrome, which btcp did not start"
                    .to_owned(),
            }),
        }
    }

    /// The browser ended, for this reason.
    pub(crate) fn gone(&self, reason: String) -> Error {
        Error::BrowserGone { reason, restarts: !self.is_guest() }
    }

    /// Where a new session is to live, and its guard: a context behind it, or, in a profile and as a
    /// guest, the person's own, which has no name.
    pub(crate) async fn home(&self, memory: Arc<Memory>) -> Result<(Option<String>, Arc<Guard>)> {
        let rules = Arc::new(self.settings.egress.clone());
        let chrome = match &self.tenure {
            Tenure::Own(chrome) => chrome,
            Tenure::Kept(_, guard) => return Ok((None, guard.clone())),
            Tenure::Guest(_) => return Ok((None, Arc::new(Guard::without_door(rules, memory)))),
        };
        let guard = Guard::open(rules, memory, Some(chrome.pid())).await?;
        let proxy = guard.proxy().filter(|_| !self.settings.egress.unguarded);
        let made = self
            .call(&target::CreateBrowserContext {
                dispose_on_detach: Some(true),
                proxy_server: proxy.as_deref(),
                // Chrome would reach this machine without asking its proxy.
                proxy_bypass_list: proxy.is_some().then_some("<-loopback>"),
            })
            .await?;
        Ok((Some(made.browser_context_id), Arc::new(guard)))
    }

    /// Downloads go to the session's folder. A guest's go where the person's go, for that is one setting
    /// for both, and are fetched from there (`downloads.rs`): Chrome is only asked to tell of them.
    pub(crate) fn keep_downloads(&self, context: Option<&str>, folder: &Path) {
        let (behavior, download_path) = match self.is_guest() {
            false => ("allowAndName", folder.to_str()),
            true => ("default", None),
        };
        self.connection.post(
            None,
            &cdp::SetDownloadBehavior {
                behavior,
                browser_context_id: context,
                download_path,
                events_enabled: Some(true),
            },
        );
    }

    /// Opens an empty page of a session; the hub hears of it when it is attached to.
    pub(crate) async fn open_page(
        self: &Arc<Self>,
        session: &Arc<Session>,
        (width, height): (u32, u32),
    ) -> Result<String> {
        let (browser, owner) = (self.clone(), Arc::downgrade(session));
        let context = session.context().map(str::to_owned);
        let opening = async move {
            let made = browser
                .call(&target::CreateTarget {
                    url: "about:blank",
                    browser_context_id: context.as_deref(),
                    // A tab behind another of its window can be neither captured nor animated.
                    new_window: Some(true),
                    width: Some(width),
                    height: Some(height),
                    background: None,
                })
                .await?;
            if browser.is_guest() {
                browser.claim(&made.target_id, owner.upgrade());
            }
            Ok(made.target_id)
        };
        if !self.is_guest() {
            return opening.await;
        }
        // A caller who leaves meanwhile must not leave a tab without an owner behind.
        let opened = tokio::spawn(opening).await;
        opened.unwrap_or_else(|_| Err(Error::internal("opening a tab broke off")))
    }

    /// The tab a session begins with: those that a person lends, or a new one.
    pub(crate) async fn first_tab(&self, session: &Arc<Session>) -> Result<()> {
        match (&self.settings.connect_tab, self.is_guest()) {
            (Some(text), true) if self.take_lent(session).await? == 0 => Err(Error::NoBrowser {
                message: format!(
                    "No tab of this Chrome has '{text}' in its address or title, or another session has it"
                ),
                how:
                    "Open it there, and call again; without 'connect-tab' there will be a new one."
                        .to_owned(),
            }),
            (Some(_), true) => Ok(()),
            _ => session.new_tab().await.map(drop),
        }
    }

    /// Takes up the tabs that a person lends; how many.
    pub(crate) async fn take_lent(&self, session: &Arc<Session>) -> Result<usize> {
        let Some(text) = &self.settings.connect_tab else { return Ok(0) };
        let pages = [target::FilterEntry { kind: Some("page"), exclude: None }];
        let list = self.call(&target::GetTargets { filter: Some(&pages) }).await?;
        let meant = |page: &target::TargetInfo| {
            is_web(&page.url) && (page.url.contains(text) || page.title.contains(text))
        };
        let owner = Arc::downgrade(session);
        let mut taken = 0;
        for page in list.target_infos.iter().filter(|page| meant(page)) {
            let target_id = page.target_id.as_str();
            if taken < self.settings.max_tabs && self.hub.claim_lent(target_id, &owner) {
                self.connection.post(None, &target::AttachToTarget { target_id, flatten: true });
                session.until_there(target_id).await?;
                taken += 1;
            }
        }
        Ok(taken)
    }

    /// Leaves the tabs that a person lent as they are.
    fn leave_lent(&self, session: &Session) {
        for tab in session.open_tabs().iter().filter(|tab| tab.lent) {
            self.hub.give_back(&tab.target);
            let session_id = tab.session.as_str();
            self.connection.post(None, &target::DetachFromTarget { session_id });
        }
    }

    /// A tab we opened in a person's Chrome is this session's from now on.
    fn claim(&self, target_id: &str, session: Option<Arc<Session>>) {
        if let Some(session) = &session {
            self.hub.claim(target_id, &Arc::downgrade(session), None);
            self.connection.post(None, &target::AttachToTarget { target_id, flatten: true });
        }
        // Looked at last: one that ends now has either seen the claim, or is seen here.
        if session.is_none_or(|session| session.is_ended()) {
            self.connection.post(None, &target::CloseTarget { target_id });
        }
    }

    /// Ends all that a session has in Chrome, and waits for it.
    pub(crate) async fn clear_home(&self, session: &Session) {
        match session.context() {
            Some(context) => {
                // A browser that is gone has taken its contexts along.
                let context = target::DisposeBrowserContext { browser_context_id: context };
                let _ = self.call(&context).await;
            }
            None if self.is_kept() => self.post_close_tabs(session),
            None => {
                self.leave_lent(session);
                self.close_pages(&self.hub.claimed_by(Some(session))).await;
            }
        }
    }

    /// The same for a session nobody waits for.
    pub(crate) fn post_clear_home(&self, session: &Session) {
        match session.context() {
            Some(context) => {
                let context = target::DisposeBrowserContext { browser_context_id: context };
                self.connection.post(None, &context);
            }
            None if self.is_kept() => self.post_close_tabs(session),
            None => {
                self.leave_lent(session);
                for target_id in self.hub.claimed_by(Some(session)) {
                    let target_id = target_id.as_str();
                    self.connection.post(None, &target::CloseTarget { target_id });
                }
            }
        }
    }

    fn post_close_tabs(&self, session: &Session) {
        for tab in session.open_tabs() {
            let target_id = tab.target.as_str();
            self.connection.post(None, &target::CloseTarget { target_id });
        }
    }

    /// Closes pages of ours in a person's Chrome. It would end with its last tab, so that one is left.
    async fn close_pages(&self, targets: &[String]) {
        let soon = Instant::now() + ENDING;
        let pages = [target::FilterEntry { kind: Some("page"), exclude: None }];
        let list = target::GetTargets { filter: Some(&pages) };
        if let Ok(list) = self.connection.call(None, &list, soon).await
            && list.target_infos.iter().all(|page| targets.contains(&page.target_id))
        {
            let blank = target::CreateTarget { url: "about:blank", ..Default::default() };
            // If that cannot be, ours are closed all the same.
            let _ = self.connection.call(None, &blank, soon).await;
        }
        let close = |target_id: &String| {
            self.connection.call(None, &target::CloseTarget { target_id }, soon)
        };
        join_all(targets.iter().map(close)).await;
    }

    /// Ends Chrome; a person's loses our tabs only.
    pub(crate) async fn close(&self) {
        match &self.tenure {
            Tenure::Own(chrome) | Tenure::Kept(chrome, _) => {
                chrome.close(Instant::now() + ENDING).await;
            }
            Tenure::Guest(attached) => {
                // One that was opened meanwhile is in the list the second time.
                for _ in 0..2 {
                    let ours = self.hub.claimed_by(None);
                    if !ours.is_empty() {
                        let _ = timeout(ENDING, self.close_pages(&ours)).await;
                    }
                }
                attached.connection.close("it was left");
            }
        }
    }
}
