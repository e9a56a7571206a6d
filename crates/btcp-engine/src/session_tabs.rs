//! What a session does with its tabs, on the control lane: nothing here waits for a page but a
//! page that is being opened.

use std::sync::Arc;
use std::time::Duration;

use btcp_cdp::target;
use tokio::time::Instant;

use crate::call::CallContext;
use crate::error::{Error, Limited, Result};
use crate::navigation::WaitUntil;
use crate::recovery::KeptTabs;
use crate::session::Session;
use crate::tab::TabHandle;
use crate::tab_state::TabState;
use crate::tabs::TabInfo;

/// How long a list of tabs waits for what would only make it better.
const A_MOMENT: Duration = Duration::from_millis(5);

impl Session {
    /// Every tab, from our own memory. Of titles Chrome tells only the first by itself: its browser
    /// process, which no page can hold up, is asked for the rest and has a moment to answer.
    pub async fn list_tabs(&self) -> Vec<TabInfo> {
        let soon = Instant::now() + A_MOMENT;
        let pages = [target::FilterEntry { kind: Some("page"), exclude: None }];
        let titles = target::GetTargets { filter: Some(&pages) };
        if let Ok(titles) = self.browser.connection.call(None, &titles, soon).await {
            self.tabs().rename(titles.target_infos);
        }
        self.tabs().infos()
    }

    /// Opens an empty tab; it does not become the current one.
    pub async fn open_tab(self: &Arc<Self>, call: &CallContext) -> Result<TabHandle> {
        let (open, limit) = (self.tabs().len(), self.browser.settings.max_tabs);
        if open >= limit {
            return Err(Error::SessionLimit {
                of: Limited::Tabs,
                message: format!("The session has {open} tabs open, and may have {limit}"),
            });
        }
        call.progress.sent();
        let tab = self.new_tab().await?;
        call.progress.happened();
        Ok(tab)
    }

    /// Opens a page in a new tab. An address that cannot be opened leaves no tab behind; one that
    /// does not load in time does.
    pub async fn open_tab_at(
        self: &Arc<Self>,
        url: &str,
        select: bool,
        call: &CallContext,
    ) -> Result<u32> {
        let url = crate::navigation::address(url)?;
        let tab = self.open_tab(call).await?;
        let blank = url == "about:blank";
        let arrived = match blank {
            true => Ok(()),
            false => {
                let go = tab.run(call.clone(), move |tab| {
                    Box::pin(async move { tab.navigate(&url, WaitUntil::Load).await })
                });
                go.await.map(drop)
            }
        };
        let opened = !matches!(
            arrived,
            Err(Error::NavigationFailed { .. } | Error::BadParam { .. } | Error::Denied { .. })
        );
        if !opened {
            self.close_tab(Some(tab.id()), call).await?;
            call.progress.undone();
        } else if select {
            self.select_tab(tab.id())?;
        }
        arrived.map(|()| tab.id())
    }

    /// Calls that name no tab go to this one from now on.
    pub fn select_tab(&self, id: u32) -> Result<()> {
        let tab = self.tabs().select(id)?;
        // For a person who watches; nothing waits for it.
        let activate = target::ActivateTarget { target_id: tab.target() };
        self.browser.connection.post(None, &activate);
        Ok(())
    }

    /// Closes a tab, the current one if none is named, whatever its page is busy with and without
    /// asking it. Calls that wait for it fail.
    pub async fn close_tab(&self, id: Option<u32>, call: &CallContext) -> Result<u32> {
        let tab = match id {
            Some(id) => self.tabs().get(id)?,
            None => self.tabs().current().ok_or_else(|| self.gone())?,
        };
        call.progress.sent();
        let close = target::CloseTarget { target_id: tab.target() };
        match self.browser.call(&close).await {
            Ok(_) => {}
            // Chrome closed it before we could.
            Err(Error::Internal { .. }) if tab.is_closed() => {}
            Err(error) => return Err(error),
        }
        call.progress.happened();
        tab.state.close();
        Ok(tab.id())
    }

    /// Opens a tab that has this number.
    pub(crate) async fn new_tab_numbered(self: &Arc<Self>, id: u32) -> Result<TabHandle> {
        self.tabs().next_is(id);
        self.new_tab().await
    }

    /// Goes on with the numbers a session had before.
    pub(crate) fn number_on(&self, kept: &KeptTabs) {
        self.tabs().number_on(kept);
    }

    /// Its tabs, to be opened again.
    pub(crate) fn kept_tabs(&self) -> KeptTabs {
        self.tabs().kept()
    }

    /// What is known of the tabs that are open.
    pub(crate) fn open_tabs(&self) -> Vec<Arc<TabState>> {
        self.tabs().states()
    }
}
