//! Pictures of a page, scaled to what models accept, and the folder they go to.

mod annotate;
mod behind;
mod blank;

use std::os::unix::fs::DirBuilderExt as _;
use std::path::{Path, PathBuf};

use base64::Engine as _;
use btcp_cdp::page::{
    CaptureScreenshot, Captured, GetLayoutMetrics, ImageFormat, PrintToPdf, Viewport,
};
use schemars::JsonSchema;
use serde::Deserialize;
use tokio::time::Instant;

use crate::element::LOOK_AGAIN;
use crate::error::{Error, Result};
use crate::input::Shown;
use crate::page::ops::Purpose;
use crate::tab::Tab;
use crate::tab_state::Facts;
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
    /// Draw the number of each ref.
    pub annotate: bool,
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
    /// How many fields are blanked on it because a secret stands in them.
    pub blanked: usize,
}

/// What models accept without scaling it down themselves: this many pixels, and 1568 a side.
const PIXELS: f64 = 1_150_000.0;
const LONGEST: f64 = 1568.0;
/// How often a picture is taken again because a field with a secret was elsewhere after it.
const BLANKED_TRIES: usize = 5;
/// What Chrome says while one document takes the place of another.
const BETWEEN: &str = "Not attached to an active page";

impl Tab {
    /// A picture of what is there. Between two documents there is nothing to draw: the next one is
    /// waited for.
    async fn capture(&self, shot: &CaptureScreenshot) -> Result<Captured> {
        loop {
            let commits = self.state.facts().commits;
            match self.send(shot).await {
                Ok(captured) => return Ok(captured),
                Err(btcp_cdp::Error::Remote { message, .. }) if message.contains(BETWEEN) => {}
                Err(error) => return Err(self.explain(error)),
            }
            if self.context.left().is_zero() {
                return Err(self.too_late("the page"));
            }
            let soon = self.deadline().min(Instant::now() + LOOK_AGAIN);
            let another = |facts: &Facts| (facts.commits != commits).then_some(());
            self.state.until(soon, another).await;
        }
    }

    fn scale(&self, width: f64, height: f64) -> f64 {
        scale(self.session.browser.settings.picture_size, width, height)
    }

    /// Takes a picture and saves it in the session's folder.
    pub async fn screenshot(&mut self, shot: &Shot) -> Result<Picture> {
        let blocked = self.meets_dialog();
        let area = if blocked { self.viewport() } else { self.area(shot).await? };
        let scale = self.scale(area.width, area.height);
        let (data, format, blanked) = match blocked {
            true => self.behind_dialog(shot).await.map(|(data, format)| (data, format, 0))?,
            false => {
                let (data, blanked) = self.taken(shot, area, scale).await?;
                (data, shot.format, blanked)
            }
        };
        let (folder, number) = self.session.next_file();
        let path = folder.join(format!("shot-{number}.{}", format.name()));
        let bytes = base64::engine::general_purpose::STANDARD
            .decode(data.as_bytes())
            .map_err(|error| Error::internal(format!("Chrome's picture is not base64: {error}")))?;
        save(&folder, &path, &bytes)?;
        let width = (area.width * scale).round() as u32;
        let height = (area.height * scale).round() as u32;
        let of_page = !blocked && (shot.full_page || shot.element.is_some());
        // Whoever looks at it may name its pixels (`mouse`).
        self.memory.shown = Some(Shown {
            x: area.x,
            y: area.y,
            width: area.width,
            height: area.height,
            pixels: (width, height),
            of_page,
        });
        Ok(Picture { base64: data, format, width, height, path, blanked })
    }

    /// A picture of an area, with marks if they are wanted and secrets blanked, base64, and how many
    /// fields were.
    async fn taken(&mut self, shot: &Shot, area: Viewport, scale: f64) -> Result<(String, usize)> {
        let whole = shot.full_page || shot.element.is_some();
        // Chrome lays the page out anew for what is outside the window, and the page can tell.
        let beyond = whole && self.leaves_view(&area).await?;
        let mut bare = None;
        for _ in 0..BLANKED_TRIES {
            let mut blanks = self.blanks().await?;
            if beyond && !blanks.is_empty() && bare.is_none() {
                bare = Some(self.without_scrollbars().await?);
                blanks = self.blanks().await?;
            }
            let from = match whole && (shot.annotate || !blanks.is_empty()) {
                true => self.scrolled().await?,
                false => (0.0, 0.0),
            };
            // The same part of the page, seen from its viewport.
            let seen = Viewport { x: area.x - from.0, y: area.y - from.1, ..area };
            let marks = match shot.annotate {
                true => self.marks(&seen, scale).await?,
                false => Vec::new(),
            };
            let plain = marks.is_empty() && blanks.is_empty() && !shot.annotate;
            let format = if plain { shot.format } else { Format::Png };
            let taken = self.taken_once(shot, area, scale, (format, beyond)).await?;
            if self.blanks().await? != blanks {
                continue;
            }
            drop(bare);
            let painted = blank::on_picture(&blanks, &seen, scale);
            let picture = match plain {
                true => taken,
                false => self.drawn(&taken, &marks, &painted, shot).await?,
            };
            return Ok((picture, painted.len()));
        }
        let (what, name) = ("A picture", self.secrets().any_name());
        Err(Error::SecretShown { what, name, why: "the field it stands in does not stay in place" })
    }

    /// A picture of an area as it is, base64. Marks are drawn on an exact one.
    async fn taken_once(
        &self,
        shot: &Shot,
        area: Viewport,
        scale: f64,
        (format, beyond): (Format, bool),
    ) -> Result<String> {
        let whole = shot.full_page || shot.element.is_some();
        let dense = self.session.emulation().scale;
        let scrolled = match whole || (scale >= 1.0 && dense <= 1.0) {
            true => (0.0, 0.0),
            false => self.scrolled().await?,
        };
        let clip = Viewport {
            x: area.x + scrolled.0,
            y: area.y + scrolled.1,
            // Pixels of the picture are CSS pixels, however many the screen has for each.
            scale: scale / dense,
            ..area
        };
        let captured = self
            .capture(&CaptureScreenshot {
                format: Some(match format {
                    Format::Png => ImageFormat::Png,
                    Format::Jpeg => ImageFormat::Jpeg,
                    Format::Webp => ImageFormat::Webp,
                }),
                quality: shot.quality.filter(|_| format != Format::Png),
                clip: (whole || clip.scale < 1.0).then_some(clip),
                from_surface: None,
                capture_beyond_viewport: beyond.then_some(true),
                optimize_for_speed: Some(true),
            })
            .await?;
        Ok(captured.data)
    }

    /// The page as it would be printed, in a file of this name or in the session's folder; its size.
    pub async fn pdf(&mut self, path: Option<&str>) -> Result<(PathBuf, usize)> {
        let file = path.map(|path| self.open_write(path)).transpose()?;
        let print = PrintToPdf { print_background: true, prefer_css_page_size: true };
        self.printable().await?;
        let printed = self.call(&print).await?;
        self.printable().await?;
        let bytes = base64::engine::general_purpose::STANDARD
            .decode(printed.data.as_bytes())
            .map_err(|error| Error::internal(format!("Chrome's PDF is not base64: {error}")))?;
        if let Some(file) = file {
            return Ok((file.save(&bytes)?, bytes.len()));
        }
        let (folder, number) = self.session.next_file();
        let path = folder.join(format!("page-{number}.pdf"));
        save(&folder, &path, &bytes)?;
        Ok((path, bytes.len()))
    }

    /// How far the page is scrolled.
    async fn scrolled(&self) -> Result<(f64, f64)> {
        let view = self.call(&GetLayoutMetrics).await?.css_visual_viewport;
        Ok((view.page_x, view.page_y))
    }

    /// What the window shows.
    fn viewport(&self) -> Viewport {
        let (width, height) = self.session.emulation().viewport;
        let (width, height) = (f64::from(width), f64::from(height));
        Viewport { x: 0.0, y: 0.0, width, height, scale: 1.0 }
    }

    /// The part of the page to take, in CSS pixels of the document.
    async fn area(&mut self, shot: &Shot) -> Result<Viewport> {
        if let Some(target) = &shot.element {
            return self.element_area(target).await;
        }
        if !shot.full_page {
            let mut view = self.viewport();
            if self.session.emulation().mobile {
                // A page that is not made for phones is laid out wider, and shown smaller.
                let seen = self.call(&GetLayoutMetrics).await?.css_visual_viewport;
                (view.width, view.height) = (seen.client_width, seen.client_height);
            }
            return Ok(view);
        }
        let metrics = self.call(&GetLayoutMetrics).await?;
        let size = metrics.css_content_size;
        Ok(Viewport {
            x: 0.0,
            y: 0.0,
            width: size.width.max(1.0),
            height: size.height.max(1.0),
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
        self.ready(target, Purpose::See).await?;
        self.memory.acted = None;
        let found = self.bounding_box(target).await?;
        if found.width < 1.0 || found.height < 1.0 {
            return Err(Error::NotVisible { target: target.to_string() });
        }
        let (left, top) = self.scrolled().await?;
        Ok(Viewport {
            x: (found.x + left).max(0.0),
            y: (found.y + top).max(0.0),
            width: found.width,
            height: found.height,
            scale: 1.0,
        })
    }
}

/// By how much a picture is to be made smaller whose sides may be so long.
fn scale(longest: u32, width: f64, height: f64) -> f64 {
    let longest = f64::from(longest);
    let by_side = longest / width.max(height);
    // Who wants larger ones than models take wants more pixels too.
    let pixels = PIXELS * (longest / LONGEST).powi(2).max(1.0);
    let by_area = (pixels / (width * height)).sqrt();
    by_side.min(by_area).min(1.0)
}

/// The session's folder: pictures, downloads, long answers.
pub(crate) fn folder(out: Option<&Path>, session: Option<&str>) -> PathBuf {
    let state = std::env::var_os("XDG_STATE_HOME").map(PathBuf::from).filter(|p| p.is_absolute());
    let home = || std::env::var_os("HOME").map(|home| PathBuf::from(home).join(".local/state"));
    let base = state.or_else(home).unwrap_or_else(std::env::temp_dir);
    let session = session.map_or_else(random_name, str::to_owned);
    let safe = file_name(&session);
    let out = out.map_or_else(|| base.join("btcp").join("out"), Path::to_path_buf);
    let folder = out.join(safe);
    // Chrome refuses to download into a folder that is relative or has `..` in it.
    let made = std::fs::DirBuilder::new().recursive(true).mode(0o700).create(&folder);
    made.and_then(|()| folder.canonicalize())
        .or_else(|_| std::path::absolute(&folder))
        .unwrap_or(folder)
}

/// A session's name as that of a folder; two names are two folders.
fn file_name(session: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_');
    let safe: String = session.chars().map(|c| if plain(c) { c } else { '_' }).take(64).collect();
    if safe == session {
        return safe;
    }
    let mut hasher = std::hash::DefaultHasher::new();
    std::hash::Hash::hash(session, &mut hasher);
    format!("{safe}-{:08x}", std::hash::Hasher::finish(&hasher) >> 32)
}

/// For a session that has no name yet.
fn random_name() -> String {
    // Without randomness two of them share a folder, where each numbers its files for itself.
    format!("{:016x}", getrandom::u64().unwrap_or_default())
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
    fn sessions_of_two_names_have_two_folders() {
        assert_eq!(file_name("my-session_1"), "my-session_1");
        let (dot, line) = (file_name("a.b"), file_name("a/b"));
        assert!(dot.starts_with("a_b-") && line.starts_with("a_b-") && dot != line, "{dot} {line}");
        assert_ne!(file_name(&"a".repeat(64)), file_name(&"a".repeat(65)));
    }

    #[test]
    fn pictures_fit_what_models_accept() {
        assert_eq!(scale(1568, 1280.0, 720.0), 1.0);
        let tall = scale(1568, 1280.0, 8000.0);
        assert!(8000.0 * tall <= 1568.5);
        let square = scale(1568, 1500.0, 1500.0) * 1500.0;
        assert!((square * square - 1_150_000.0).abs() < 1.0, "{square}");
        assert_eq!(scale(320, 1280.0, 720.0), 0.25);
        assert_eq!(scale(8000, 1500.0, 1500.0), 1.0);
    }

    #[test]
    fn session_names_make_safe_folders() {
        let out = std::env::temp_dir().join("btcp-test-out");
        let made = folder(Some(&out), Some("../../etc"));
        assert!(made.parent().is_some_and(|parent| parent.ends_with("btcp-test-out")), "{made:?}");
        let name = made.file_name().unwrap().to_str().unwrap();
        assert!(name.starts_with("______etc-") && !name.contains('.'), "{name}");
    }
}
