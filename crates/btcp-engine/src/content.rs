//! What a page says, has and looks like: text, markup, links, values, boxes, web storage.
//!
//! Passwords are told as a length, in markup too. How an element is found and waited for is
//! `read.rs`.

use serde_json::Value;

use crate::error::{Error, Result};
use crate::page::ops::{
    ContentKind, ContentReply, ContentRequest, FieldValue, Property, StorageArea, StorageReply,
    StorageRequest,
};
use crate::tab::Tab;
use crate::target::Target;

/// Where an element is, in CSS pixels of the tab's viewport.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BoundingBox {
    /// Left.
    pub x: f64,
    /// Top.
    pub y: f64,
    /// Width.
    pub width: f64,
    /// Height.
    pub height: f64,
}

impl Tab {
    /// Waits for an element to exist and gives its text as a person reads it.
    pub async fn inner_text(&mut self, target: &Target) -> Result<String> {
        Ok(text(self.read(target, Property::InnerText, None).await?))
    }

    /// Waits for an element to exist and gives the markup in it.
    pub async fn inner_html(&mut self, target: &Target) -> Result<String> {
        Ok(text(self.read(target, Property::InnerHtml, None).await?))
    }

    /// What stands in a field.
    pub async fn input_value(&mut self, target: &Target) -> Result<FieldValue> {
        let value = self.read(target, Property::Value, None).await?;
        serde_json::from_value::<Option<FieldValue>>(value).ok().flatten().ok_or_else(|| {
            let message = format!("Element '{target}' is no field and holds no value");
            Error::BadParam { field: "selector", message }
        })
    }

    /// Whether a check box, radio button, switch or option is on.
    pub async fn is_checked(&mut self, target: &Target) -> Result<bool> {
        let value = self.read(target, Property::Checked, None).await?;
        value.as_bool().ok_or_else(|| {
            let message = format!("Element '{target}' is nothing that can be checked");
            Error::BadParam { field: "selector", message }
        })
    }

    /// The box of an element in the viewport of the tab, whatever frame it is in.
    pub async fn bounding_box(&mut self, target: &Target) -> Result<BoundingBox> {
        loop {
            let (value, place) = self.read_at(target, Property::Box, None).await?;
            let part = |key: &str| value.get(key).and_then(Value::as_f64).unwrap_or(0.0);
            let (x, y, width, height) = (part("x"), part("y"), part("width"), part("height"));
            if width == 0.0 && height == 0.0 {
                return Err(Error::NotVisible { target: target.to_string() });
            }
            // Frames may be scaled: both corners are followed out.
            let from = self.outward(&place.frame, (x, y)).await?;
            let to = self.outward(&place.frame, (x + width, y + height)).await?;
            if let (Some((x, y)), Some(to)) = (from, to) {
                return Ok(BoundingBox { x, y, width: to.0 - x, height: to.1 - y });
            }
            self.new_document(&self.main_frame()).await?;
        }
    }

    /// The markup of an element, or of the frame the agent works in.
    pub async fn html(&mut self, target: Option<&Target>) -> Result<String> {
        match target {
            Some(target) => Ok(text(self.read(target, Property::OuterHtml, None).await?)),
            None => Ok(text(self.whole(ContentKind::Html).await?)),
        }
    }

    /// The text of an element, or of the frame the agent works in.
    pub async fn page_text(&mut self, target: Option<&Target>) -> Result<String> {
        match target {
            Some(target) => self.inner_text(target).await,
            None => Ok(text(self.whole(ContentKind::Text).await?)),
        }
    }

    /// The links in an element, or in the frame the agent works in: what each says and where it
    /// leads.
    pub async fn links(&mut self, target: Option<&Target>) -> Result<Vec<(String, String)>> {
        let links = match target {
            Some(target) => self.read(target, Property::Links, None).await?,
            None => self.whole(ContentKind::Links).await?,
        };
        let part = |link: &Value, key: &str| text(link.get(key).cloned().unwrap_or_default());
        let links = links.as_array().map(Vec::as_slice).unwrap_or_default();
        Ok(links.iter().map(|link| (part(link, "text"), part(link, "href"))).collect())
    }

    async fn whole(&mut self, what: ContentKind) -> Result<Value> {
        let home = self.checked_home()?;
        let (reply, _) =
            self.op::<_, ContentReply>(&home, "content", &ContentRequest { what }).await?;
        Ok(reply.content)
    }

    /// An item of web storage, or all of them; null where there is none.
    pub async fn storage(&mut self, area: StorageArea, key: Option<&str>) -> Result<Value> {
        match self.in_storage(area, &StorageRequest::Get { area, key }).await? {
            StorageReply::Value { value } => Ok(value),
            _ => Ok(Value::Null),
        }
    }

    /// Sets an item of web storage.
    pub async fn set_storage(&mut self, area: StorageArea, key: &str, value: &str) -> Result<()> {
        self.context.progress.sent();
        self.in_storage(area, &StorageRequest::Set { area, key, value }).await?;
        self.context.progress.happened();
        Ok(())
    }

    /// Removes all items of web storage; says how many there were.
    pub async fn clear_storage(&mut self, area: StorageArea) -> Result<usize> {
        self.context.progress.sent();
        let reply = self.in_storage(area, &StorageRequest::Clear { area }).await?;
        self.context.progress.happened();
        Ok(if let StorageReply::Done { items } = reply { items } else { 0 })
    }

    async fn in_storage(
        &mut self,
        area: StorageArea,
        request: &StorageRequest<'_>,
    ) -> Result<StorageReply> {
        let home = self.checked_home()?;
        match self.op(&home, "storage", request).await?.0 {
            StorageReply::Refused { full } => {
                self.context.progress.undone();
                let name = area.name();
                Err(match full {
                    true => Error::WriteFailed { path: name.into(), reason: "it is full".into() },
                    false => {
                        let message = format!("The page at {} has no {name}", self.url());
                        Error::BadParam { field: "type", message }
                    }
                })
            }
            reply => Ok(reply),
        }
    }
}

fn text(value: Value) -> String {
    match value {
        Value::String(text) => text,
        _ => String::new(),
    }
}
