//! `cookies_get`: the session's cookies.
//!
//! Whoever has the cookies of a person is that person: their values are told only to callers that
//! may read secrets, to others their lengths.

use btcp_engine::{Cookie, WhichCookies};

use crate::prelude::*;

/// List the session's cookies.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct CookiesGet {
    /// Only those sent to this address.
    url: Option<String>,
    /// Only of this name.
    name: Option<String>,
    /// Only of this host and those below it.
    domain: Option<String>,
}

/// The cookies.
pub(crate) struct Cookies {
    cookies: Vec<Cookie>,
    reveals: bool,
}

impl SessionAction for CookiesGet {
    const NAME: &'static str = "cookies_get";
    const GROUP: Group = Group::State;
    const TOOLSET: Toolset = Toolset::All;
    const ACCESS: Access = Access::Reads;
    const TIPS: &'static [&'static str] = &[
        "Values are told only where secrets may be read; elsewhere `length` says how long each is.",
    ];
    type Output = Cookies;

    fn examples() -> Vec<Example> {
        vec![
            Example::gives(
                "All",
                json!({}),
                json!({ "cookies": [{ "name": "taste", "domain": "127.0.0.1", "path": "/", "httpOnly": false, "length": 5 }] }),
            ),
            Example::gives(
                "Those of another site",
                json!({ "domain": "a.test" }),
                json!({ "cookies": [] }),
            ),
            Example::fails("A wrong filter", json!({ "host": "a.test" }), "invalid_params"),
        ]
    }

    async fn run(self, session: &Arc<Session>, call: &CallContext) -> Result<Cookies> {
        let which = WhichCookies { name: self.name, domain: self.domain, url: self.url };
        let mut cookies = session.cookies(&which).await?;
        cookies.retain(|cookie| call.has_cookies_of(&cookie.domain));
        Ok(Cookies { cookies, reveals: call.reveals() })
    }
}

impl Output for Cookies {
    fn data(&self) -> Value {
        let cookies: Vec<Value> =
            self.cookies.iter().map(|one| cookie(one, self.reveals)).collect();
        json!({ "cookies": cookies })
    }

    fn schema() -> Option<Schema> {
        Some(json_schema!({
            "type": "object",
            "properties": {
                "cookies": {
                    "type": "array",
                    "items": {
                        "type": "object",
                        "properties": {
                            "name": { "type": "string" },
                            "value": { "type": "string", "description": "Where secrets may be read." },
                            "length": { "type": "integer", "description": "Characters of the value." },
                            "domain": { "type": "string" },
                            "path": { "type": "string" },
                            "expires": { "type": ["number", "null"], "description": "Seconds since 1970; null ends with the session." },
                            "httpOnly": { "type": "boolean" },
                            "secure": { "type": "boolean" },
                            "sameSite": { "type": ["string", "null"] },
                        },
                        "required": ["name", "length", "domain", "path", "expires", "httpOnly", "secure", "sameSite"],
                    },
                },
            },
            "required": ["cookies"],
        }))
    }

    fn text(&self) -> Text {
        if self.cookies.is_empty() {
            return Text::ours("no cookies");
        }
        let lines: Vec<String> = self.cookies.iter().map(|one| line(one, self.reveals)).collect();
        Text::ours(lines.join("\n"))
    }
}

fn cookie(cookie: &Cookie, reveals: bool) -> Value {
    let mut data = json!({
        "name": cookie.name,
        "length": cookie.value.chars().count(),
        "domain": cookie.domain,
        "path": cookie.path,
        "expires": cookie.expires,
        "httpOnly": cookie.http_only,
        "secure": cookie.secure,
        "sameSite": cookie.same_site,
    });
    if reveals {
        data["value"] = json!(cookie.value);
    }
    data
}

/// `"sid" [32 characters] "a.test" "/" [httpOnly, secure]`.
fn line(cookie: &Cookie, reveals: bool) -> String {
    let value = match reveals {
        true => quoted(&cut(&cookie.value, 200)),
        false => format!("[{} characters]", cookie.value.chars().count()),
    };
    let flags = [(cookie.http_only, "httpOnly"), (cookie.secure, "secure")];
    let flags: Vec<&str> =
        flags.into_iter().filter(|(has, _)| *has).map(|(_, name)| name).collect();
    let flags = if flags.is_empty() { String::new() } else { format!(" [{}]", flags.join(", ")) };
    let (name, domain) = (quoted(&cut(&cookie.name, 200)), quoted(&cut(&cookie.domain, 200)));
    format!("{name} {value} {domain} {}{flags}", quoted(&cut(&cookie.path, 200)))
}
