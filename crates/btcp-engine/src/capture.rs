//! Pictures of a page, scaled to what models accept, and the folder they go to.

use std::os::unix::fs::DirBuilderExt as _;
use std::path::{Path, PathBuf};

use base64::Engine as _;
use btcp_cdp::page::{CaptureScreenshot, GetLayoutMetrics, ImageFormat, Viewport};
use schemars::JsonSchema;
use serde::Deserialize;

use crate::error::{Error, Result};
use crate::page::ops::{Property, Purpose};
use crate::tab::Tab;
use crate::target::Target;

/// A picture's format.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Format {
    /// Exact.
    #[default]
    Png,
    /// Small.
    Jpeg,
    /// Smaller.
    Webp,
}

impl Format {
    /// Its name and file ending.
    pub fn name(self) -> &'static str {
        match self {
            Self::Png => "png",
            Self::Jpeg => "jpeg",
            Self::Webp => "webp",
        }
    }

    /// `image/png` …
    pub fn mime(self) -> &'static str {
        match self {
            Self::Png => "image/png",
            Self::Jpeg => "image/jpeg",
            Self::Webp => "image/webp",
        }
    }
}

/// What to take a picture of.
#[derive(Debug, Clone, Default)]
pub struct Shot {
    /// One element; the viewport if absent.
    pub element: Option<Target>,
    /// The whole page instead of the viewport.
    pub full_page: bool,
    /// Format.
    pub format: Format,
    /// 0 to 100, for jpeg and webp.
    pub quality: Option<u8>,
}

/// A picture.
#[derive(Debug, Clone)]
pub struct Picture {
    /// The bytes, base64.
    pub base64: String,
    /// Its format.
    pub format: Format,
    /// Width in pixels.
    pub width: u32,
    /// Height in pixels.
    pub height: u32,
    /// Where it was saved.
    pub path: PathBuf,
}

/// What models accept without scaling it down themselves.
const LONGEST: f64 = 1568.0;
const PIXELS: f64 = 1_150_000.0;
/// Chrome paints no taller surface.
const TALLEST: f64 = 16_384.0;

impl Tab {
    /// Takes a picture and saves it in the session's folder.
    pub async fn screenshot(&mut self, shot: &Shot) -> Result<Picture> {
        let area = self.area(shot).await?;
        let scale = scale(area.width, area.height);
        let whole = shot.full_page || shot.element.is_some();
        // Chrome lays the page out anew for what is outside the window, and the page can tell.
        let beyond = whole && self.leaves_view(&area).await?;
        let captured = self
            .call(&CaptureScreenshot {
                format: Some(match shot.format {
                    Format::Png => ImageFormat::Png,
                    Format::Jpeg => ImageFormat::Jpeg,
                    Format::Webp => ImageFormat::Webp,
                }),
                quality: shot.quality.filter(|_| shot.format != Format::Png),
                clip: (whole || scale < 1.0).then_some(Viewport { scale, ..area }),
                from_surface: None,
                capture_beyond_viewport: beyond.then_some(true),
                optimize_for_speed: Some(true),
            })
            .await?;
        let (folder, number) = self.session.next_file();
        let path = folder.join(format!("shot-{number}.{}", shot.format.name()));
        let bytes = base64::engine::general_purpose::STANDARD
            .decode(captured.data.as_bytes())
            .map_err(|error| Error::internal(format!("Chrome's picture is not base64: {error}")))?;
        save(&folder, &path, &bytes)?;
        Ok(Picture {
            base64: captured.data,
            format: shot.format,
            width: (area.width * scale).round() as u32,
            height: (area.height * scale).round() as u32,
            path,
        })
    }

    /// The part of the page to take, in CSS pixels of the document.
    async fn area(&mut self, shot: &Shot) -> Result<Viewport> {
        if let Some(target) = &shot.element {
            return self.element_area(target).await;
        }
        let (width, height) = self.session.browser.settings.viewport;
        if !shot.full_page {
            return Ok(Viewport {
                x: 0.0,
                y: 0.0,
                width: f64::from(width),
                height: f64::from(height),
                scale: 1.0,
            });
        }
        let metrics = self.call(&GetLayoutMetrics).await?;
        let size = metrics.css_content_size;
        Ok(Viewport {
            x: 0.0,
            y: 0.0,
            width: size.width.max(1.0),
            height: size.height.clamp(1.0, TALLEST),
            scale: 1.0,
        })
    }

    /// Whether a part of the page is not all in view.
    async fn leaves_view(&self, area: &Viewport) -> Result<bool> {
        let view = self.call(&GetLayoutMetrics).await?.css_visual_viewport;
        Ok(area.x < view.page_x
            || area.y < view.page_y
            || area.x + area.width > view.page_x + view.client_width
            || area.y + area.height > view.page_y + view.client_height)
    }

    async fn element_area(&mut self, target: &Target) -> Result<Viewport> {
        // Scrolled to first, so that what loads lazily is there.
        let hit = self.ready(target, Purpose::See).await?;
        let (value, _) = self.read_at(target, Property::Box, None).await?;
        let part = |key: &str| value.get(key).and_then(serde_json::Value::as_f64).unwrap_or(0.0);
        let (width, height) = (part("width"), part("height"));
        if width < 1.0 || height < 1.0 {
            return Err(Error::NotVisible { target: target.to_string() });
        }
        let metrics = self.call(&GetLayoutMetrics).await?.css_visual_viewport;
        // The middle of the element is known in the tab's viewport, whatever frame it is in.
        Ok(Viewport {
            x: (hit.point.0 - width / 2.0 + metrics.page_x).max(0.0),
            y: (hit.point.1 - height / 2.0 + metrics.page_y).max(0.0),
            width,
            height: height.min(TALLEST),
            scale: 1.0,
        })
    }
}

/// At most 1568 pixels long and 1.15 megapixels large.
fn scale(width: f64, height: f64) -> f64 {
    let by_side = LONGEST / width.max(height);
    let by_area = (PIXELS / (width * height)).sqrt();
    by_side.min(by_area).min(1.0)
}

/// The session's folder: pictures, downloads, long answers.
pub(crate) fn folder(out: Option<&Path>, session: &str) -> PathBuf {
    let state = std::env::var_os("XDG_STATE_HOME").map(PathBuf::from).filter(|p| p.is_absolute());
    let home = || std::env::var_os("HOME").map(|home| PathBuf::from(home).join(".local/state"));
    let base = state.or_else(home).unwrap_or_else(std::env::temp_dir);
    let safe: String = session
        .chars()
        .map(|c| if c.is_ascii_alphanumeric() || matches!(c, '-' | '_') { c } else { '_' })
        .take(64)
        .collect();
    let out = out.map_or_else(|| base.join("btcp").join("out"), Path::to_path_buf);
    let folder = out.join(safe);
    // Chrome refuses to download into a folder that is relative or has `..` in it.
    let made = std::fs::DirBuilder::new().recursive(true).mode(0o700).create(&folder);
    made.and_then(|()| folder.canonicalize())
        .or_else(|_| std::path::absolute(&folder))
        .unwrap_or(folder)
}

/// Writes a file of the session, readable by its owner only.
pub(crate) fn save(folder: &Path, path: &Path, bytes: &[u8]) -> Result<()> {
    use std::io::Write as _;
    use std::os::unix::fs::OpenOptionsExt as _;
    let failed = |error: std::io::Error| Error::WriteFailed {
        path: path.display().to_string(),
        reason: error.to_string(),
    };
    std::fs::DirBuilder::new().recursive(true).mode(0o700).create(folder).map_err(failed)?;
    std::fs::OpenOptions::new()
        .write(true)
        .create(true)
        .truncate(true)
        .mode(0o600)
        .open(path)
        .and_then(|mut file| file.write_all(bytes))
        .map_err(failed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pictures_fit_what_models_accept() {
        assert_eq!(scale(1280.0, 720.0), 1.0);
        let tall = scale(1280.0, 8000.0);
        assert!(8000.0 * tall <= LONGEST + 0.5);
        assert!(scale(1500.0, 1500.0) < 1.0);
    }

    #[test]
    fn session_names_make_safe_folders() {
        let out = std::env::temp_dir().join("btcp-test-out");
        assert!(folder(Some(&out), "../../etc").ends_with("btcp-test-out/______etc"));
    }
}
