//! `emulate`: the session's pages believe that they are on another device, elsewhere.

use btcp_engine::{Emulate as Change, Emulation};

use crate::prelude::*;

/// Emulate a device, language, time zone, place and preferences; without parameters all of it ends.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct Emulate {
    /// Such as Pixel 7, iPhone 15, iPad Mini; desktop for none.
    device: Option<String>,
    /// What the browser calls itself.
    user_agent: Option<String>,
    /// Language, such as de-DE.
    locale: Option<String>,
    /// Such as Europe/Berlin.
    timezone: Option<String>,
    /// Place; pages may then ask for it.
    geolocation: Option<Place>,
    /// What pages may do: camera, notifications, midi.
    permissions: Option<Vec<String>>,
    /// Colours the person prefers.
    color_scheme: Option<ColorScheme>,
    /// Whether the person wants less motion.
    reduced_motion: Option<Motion>,
}

/// A place on the globe.
#[derive(Deserialize, JsonSchema, Clone, Copy)]
#[serde(deny_unknown_fields)]
struct Place {
    /// Degrees.
    latitude: f64,
    /// Degrees.
    longitude: f64,
    /// Metres, default 10.
    accuracy: Option<f64>,
}

/// Colours.
#[derive(Deserialize, JsonSchema, Clone, Copy)]
#[serde(rename_all = "kebab-case")]
enum ColorScheme {
    Light,
    Dark,
}

/// Less motion or not; JSON true and false are taken too.
#[derive(Deserialize, Clone, Copy)]
#[serde(try_from = "Value")]
struct Motion(bool);

impl TryFrom<Value> for Motion {
    type Error = String;

    fn try_from(value: Value) -> Result<Self, String> {
        match value {
            Value::Bool(less) => Ok(Self(less)),
            Value::String(word) if word == "reduce" => Ok(Self(true)),
            Value::String(word) if word == "no-preference" => Ok(Self(false)),
            other => Err(format!("invalid value: {other}, expected true or false")),
        }
    }
}

impl JsonSchema for Motion {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Motion".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> Schema {
        json_schema!({ "type": "boolean" })
    }
}

/// What the pages believe now.
pub(crate) struct Believed(Emulation);

impl Action for Emulate {
    const NAME: &'static str = "emulate";
    const GROUP: Group = Group::State;
    const TOOLSET: Toolset = Toolset::All;
    const ACCESS: Access = Access::Changes;
    const TIPS: &'static [&'static str] = &[
        "It holds for every tab of the session, also those that come, and over navigations.",
        "What is left out stays as it is; an empty text takes userAgent, locale or timezone back.",
        "Load the page again for what it asks only at its start.",
    ];
    type Output = Believed;

    fn examples() -> Vec<Example> {
        vec![
            Example::does(
                "A phone",
                json!({ "device": "Pixel 7" }),
                "navigator.userAgent.includes('Pixel 7') && screen.width === 412 && devicePixelRatio === 2.625 && navigator.maxTouchPoints === 5",
            ),
            Example::does(
                "Another language and time zone",
                json!({ "locale": "de-DE", "timezone": "Asia/Tokyo" }),
                "(1.5).toLocaleString() === '1,5' && new Date(0).getHours() === 9 && navigator.language === 'de-DE'",
            ),
            Example::does(
                "A dark room",
                json!({ "colorScheme": "dark", "reducedMotion": true }),
                "matchMedia('(prefers-color-scheme: dark)').matches && matchMedia('(prefers-reduced-motion: reduce)').matches",
            ),
            Example::does(
                "A place",
                json!({ "geolocation": { "latitude": 52.5, "longitude": 13.4 } }),
                "new Promise((tell) => navigator.geolocation.getCurrentPosition((at) => tell(at.coords.latitude === 52.5), () => tell(false)))",
            ),
            Example::does(
                "Nothing any more",
                json!({}),
                "innerWidth === 1280 && navigator.maxTouchPoints === 0 && !navigator.userAgent.includes('Pixel')",
            )
            .after("emulate", json!({ "device": "Pixel 7" })),
            Example::fails(
                "A device there is not",
                json!({ "device": "Nokia 3310" }),
                "invalid_params",
            ),
            Example::fails(
                "A place off the globe",
                json!({ "geolocation": { "latitude": 99, "longitude": 0 } }),
                "invalid_params",
            ),
        ]
    }

    async fn run(self, tab: &mut Tab) -> Result<Believed> {
        let geolocation = self
            .geolocation
            .map(|place| (place.latitude, place.longitude, place.accuracy.unwrap_or(10.0)));
        let change = Change {
            device: self.device,
            user_agent: self.user_agent,
            locale: self.locale,
            timezone: self.timezone,
            geolocation,
            permissions: self.permissions,
            color_scheme: self.color_scheme.map(|scheme| match scheme {
                ColorScheme::Light => "light",
                ColorScheme::Dark => "dark",
            }),
            reduced_motion: self.reduced_motion.map(|motion| motion.0),
        };
        let change = (!change.is_empty()).then_some(&change);
        Ok(Believed(tab.emulate(change).await?))
    }
}

impl Output for Believed {
    fn data(&self) -> Value {
        let now = &self.0;
        let place = now.geolocation.map(|(latitude, longitude, accuracy)| {
            json!({ "latitude": latitude, "longitude": longitude, "accuracy": accuracy })
        });
        json!({
            "success": true,
            "device": now.device,
            "width": now.viewport.0,
            "height": now.viewport.1,
            "scale": now.scale,
            "mobile": now.mobile,
            "userAgent": now.user_agent,
            "locale": now.locale,
            "timezone": now.timezone,
            "geolocation": place,
            "permissions": now.permissions,
            "colorScheme": now.color_scheme,
            "reducedMotion": now.reduced_motion,
        })
    }

    fn schema() -> Option<Schema> {
        let text = json!({ "type": ["string", "null"] });
        Some(json_schema!({
            "type": "object",
            "description": "What the pages believe now; null is what Chrome has by itself.",
            "properties": {
                "success": { "const": true },
                "device": text,
                "width": { "type": "integer" },
                "height": { "type": "integer" },
                "scale": { "type": "number" },
                "mobile": { "type": "boolean" },
                "userAgent": text,
                "locale": text,
                "timezone": text,
                "geolocation": { "type": ["object", "null"] },
                "permissions": { "type": "array", "items": { "type": "string" } },
                "colorScheme": text,
                "reducedMotion": { "type": ["boolean", "null"] },
            },
            "required": ["success", "width", "height", "scale", "mobile"],
        }))
    }

    fn text(&self) -> Text {
        let now = &self.0;
        let mut said = vec![match now.device {
            Some(device) => format!("{device} {}x{}", now.viewport.0, now.viewport.1),
            None => format!("desktop {}x{}", now.viewport.0, now.viewport.1),
        }];
        let agent = now.user_agent.as_ref().filter(|_| now.device.is_none());
        said.extend(agent.map(|agent| format!("user agent {}", quoted(&cut(agent, 200)))));
        said.extend(now.locale.as_ref().map(|locale| format!("locale {locale}")));
        said.extend(now.timezone.as_ref().map(|zone| format!("time zone {zone}")));
        said.extend(
            now.geolocation.map(|(latitude, longitude, _)| format!("at {latitude}, {longitude}")),
        );
        if !now.permissions.is_empty() {
            said.push(format!("may use {}", now.permissions.join(", ")));
        }
        said.extend(now.color_scheme.map(str::to_owned));
        said.extend(
            now.reduced_motion
                .map(|less| if less { "reduced motion".to_owned() } else { "motion".to_owned() }),
        );
        Text::ours(format!("pages believe: {}", said.join("; ")))
    }
}
