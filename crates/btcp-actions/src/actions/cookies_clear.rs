//! `cookies_clear`: takes cookies away from the session.

use btcp_engine::WhichCookies;

use crate::prelude::*;

/// Remove the session's cookies, all or some.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct CookiesClear {
    /// Only of this name.
    name: Option<String>,
    /// Only of this host and those below it.
    domain: Option<String>,
}

impl SessionAction for CookiesClear {
    const NAME: &'static str = "cookies_clear";
    const GROUP: Group = Group::State;
    const TOOLSET: Toolset = Toolset::All;
    const ACCESS: Access = Access::Changes;
    const TIPS: &'static [&'static str] =
        &["Without name and domain all are removed; with both, those that fit both."];
    type Output = Done;

    fn examples() -> Vec<Example> {
        vec![
            Example::does("All", json!({}), "document.cookie === ''"),
            Example::does("One", json!({ "name": "taste" }), "document.cookie === 'step=2'"),
            Example::fails("A wrong filter", json!({ "host": "a.test" }), "invalid_params"),
        ]
    }

    async fn run(self, session: &Arc<Session>, call: &CallContext) -> Result<Done> {
        let which = WhichCookies { name: self.name, domain: self.domain, url: None };
        let removed = session.clear_cookies(&which, call).await?;
        Ok(Done::saying(match removed {
            1 => "1 cookie is removed".to_owned(),
            many => format!("{many} cookies are removed"),
        }))
    }
}
