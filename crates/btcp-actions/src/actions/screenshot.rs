//! `screenshot`: what a person would see.

use btcp_engine::{Format, Picture, Shot};

use crate::prelude::*;

/// Take a picture of the viewport, an element or the whole page.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct Screenshot {
    /// Only this element: ref or selector.
    selector: Option<Target>,
    /// The whole page.
    #[serde(default)]
    full_page: bool,
    /// File format.
    #[serde(default)]
    format: Format,
    /// 0 to 100, for jpeg and webp.
    #[schemars(range(min = 0, max = 100))]
    quality: Option<u8>,
    /// Draw ref numbers.
    #[serde(default)]
    annotate: bool,
}

/// The picture.
pub(crate) struct Taken(Picture);

impl Action for Screenshot {
    const NAME: &'static str = "screenshot";
    const GROUP: Group = Group::Pictures;
    const TOOLSET: Toolset = Toolset::Standard;
    const ACCESS: Access = Access::Reads;
    const SEES_DIALOGS: bool = true;
    const TIPS: &'static [&'static str] = &[
        "A picture is scaled to what models take; points for the mouse are pixels of the last one sent.",
    ];
    type Output = Taken;

    fn examples() -> Vec<Example> {
        vec![
            Example::gives(
                "The viewport",
                json!({}),
                json!({ "format": "png", "width": 1280, "height": 720 }),
            ),
            Example::gives(
                "An element",
                json!({ "selector": "#red" }),
                json!({ "width": 100, "height": 100 }),
            ),
            Example::gives(
                "The whole page, small",
                json!({ "fullPage": true, "format": "jpeg", "quality": 60 }),
                json!({ "format": "jpeg", "height": 1568 }),
            ),
            Example::fails(
                "An element that cannot be seen",
                json!({ "selector": "#none", "timeout": 1000 }),
                "not_visible",
            ),
        ]
    }

    fn target(&self) -> Option<&Target> {
        self.selector.as_ref()
    }

    async fn run(self, tab: &mut Tab) -> Result<Taken> {
        if let Some(quality) = self.quality.filter(|quality| *quality > 100) {
            let message = format!("quality must be between 0 and 100, not {quality}");
            return Err(btcp_engine::Error::BadParam { field: "quality", message }.into());
        }
        let shot = Shot {
            element: self.selector,
            full_page: self.full_page,
            format: self.format,
            quality: self.quality,
            annotate: self.annotate,
        };
        Ok(Taken(tab.screenshot(&shot).await?))
    }
}

impl Output for Taken {
    fn data(&self) -> Value {
        let mut data = json!({
            "image": self.0.base64,
            "format": self.0.format.name(),
            "path": self.0.path,
            "width": self.0.width,
            "height": self.0.height,
        });
        if self.0.blanked > 0 {
            data["blanked"] = json!(self.0.blanked);
        }
        data
    }

    fn schema() -> Option<Schema> {
        Some(json_schema!({
            "type": "object",
            "properties": {
                "image": { "type": "string", "description": "The picture's bytes, base64." },
                "format": { "enum": ["png", "jpeg", "webp"] },
                "path": { "type": "string" },
                "width": { "type": "integer" },
                "height": { "type": "integer" },
                "blanked": {
                    "type": "integer",
                    "description": "Fields that are blanked because a secret stands in them.",
                },
            },
            "required": ["image", "format", "path", "width", "height"],
        }))
    }

    fn text(&self) -> Text {
        let blanked = match self.0.blanked {
            0 => String::new(),
            1 => ", 1 field with a secret is blanked".into(),
            many => format!(", {many} fields with secrets are blanked"),
        };
        let Picture { width, height, path, .. } = &self.0;
        Text::ours(format!("{width}x{height} {}{blanked}", path.display()))
    }

    fn images(&mut self) -> Vec<Image> {
        vec![Image { mime: self.0.format.mime(), base64: std::mem::take(&mut self.0.base64) }]
    }
}
