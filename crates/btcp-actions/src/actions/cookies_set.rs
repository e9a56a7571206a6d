//! `cookies_set`: gives the session a cookie, or several.

use btcp_engine::Cookie;

use crate::error::CallError;
use crate::prelude::*;

/// Set a cookie, or several.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct CookiesSet {
    /// Name.
    name: Option<String>,
    /// Value.
    value: Option<FieldText>,
    /// Address it is for, default the current page's.
    url: Option<String>,
    /// Host it is for; with a dot in front, those below it too.
    domain: Option<String>,
    /// Path it is for, default /.
    path: Option<String>,
    /// Seconds since 1970 when it ends, default with the session.
    expires: Option<f64>,
    /// Scripts may not read it.
    #[serde(default)]
    http_only: bool,
    /// Sent over TLS only.
    #[serde(default)]
    secure: bool,
    /// Whether other sites' pages send it.
    same_site: Option<SameSite>,
    /// Several, each with the fields above.
    #[serde(default)]
    cookies: Vec<OneCookie>,
}

/// Whether other sites' pages send it.
#[derive(Deserialize, JsonSchema, Clone, Copy)]
enum SameSite {
    #[serde(alias = "strict")]
    Strict,
    #[serde(alias = "lax")]
    Lax,
    #[serde(alias = "none")]
    None,
}

/// One of several.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct OneCookie {
    /// Name.
    name: String,
    /// Value.
    value: FieldText,
    /// Host it is for, default the page's.
    domain: Option<String>,
    /// Path it is for, default /.
    path: Option<String>,
    /// Seconds since 1970 when it ends.
    expires: Option<f64>,
    /// Scripts may not read it.
    #[serde(default)]
    http_only: bool,
    /// Sent over TLS only.
    #[serde(default)]
    secure: bool,
    /// Whether other sites' pages send it.
    same_site: Option<SameSite>,
}

impl SessionAction for CookiesSet {
    const NAME: &'static str = "cookies_set";
    const GROUP: Group = Group::State;
    const TOOLSET: Toolset = Toolset::All;
    const ACCESS: Access = Access::Changes;
    const TIPS: &'static [&'static str] = &[
        "Without url and domain a cookie is for the page of the current tab. Of several none is set if the browser refuses one.",
    ];
    type Output = Done;

    fn examples() -> Vec<Example> {
        vec![
            Example::does(
                "One for this page's site",
                json!({ "name": "taste", "value": "sweet" }),
                "document.cookie === 'taste=sweet'",
            ),
            Example::does(
                "One that scripts cannot read",
                json!({ "name": "sid", "value": "1", "httpOnly": true, "sameSite": "Lax" }),
                "fetch('/echo').then((answer) => answer.text()).then((text) => text.includes('sid=1') && document.cookie === '')",
            ),
            Example::does(
                "Several",
                json!({ "cookies": [{ "name": "a", "value": "1" }, { "name": "b", "value": "2", "path": "/" }] }),
                "document.cookie === 'a=1; b=2'",
            ),
            Example::fails("Without a name", json!({ "value": "x" }), "invalid_params"),
        ]
    }

    async fn run(self, session: &Arc<Session>, call: &CallContext) -> Result<Done> {
        let url = self.url.clone();
        let cookies = self.wanted()?;
        let made = session.set_cookies(cookies, url.as_deref(), call).await?;
        Ok(Done::saying(match made.as_slice() {
            [one] => format!("cookie {} is set for {}", quoted(&one.name), quoted(&one.domain)),
            many => format!("{} cookies are set", many.len()),
        }))
    }
}

impl CookiesSet {
    fn wanted(self) -> Result<Vec<Cookie>, CallError> {
        let missing = |field: &str| CallError::InvalidParams {
            field: Some(field.to_owned()),
            reason: format!("{field} is required"),
            hint: None,
        };
        let mut wanted = self.cookies;
        if let (true, None) = (wanted.is_empty(), &self.name) {
            return Err(missing("name"));
        }
        if let Some(name) = self.name {
            wanted.push(OneCookie {
                name,
                value: self.value.ok_or_else(|| missing("value"))?,
                domain: self.domain,
                path: self.path,
                expires: self.expires,
                http_only: self.http_only,
                secure: self.secure,
                same_site: self.same_site,
            });
        }
        Ok(wanted.into_iter().map(OneCookie::made).collect())
    }
}

impl OneCookie {
    fn made(self) -> Cookie {
        let same_site = self.same_site.map(|site| match site {
            SameSite::Strict => "Strict".to_owned(),
            SameSite::Lax => "Lax".to_owned(),
            SameSite::None => "None".to_owned(),
        });
        Cookie {
            name: self.name,
            value: self.value.0,
            domain: self.domain.unwrap_or_default(),
            path: self.path.unwrap_or_else(|| "/".to_owned()),
            expires: self.expires,
            http_only: self.http_only,
            secure: self.secure,
            same_site,
        }
    }
}
