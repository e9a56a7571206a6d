//! What a file field's `accept` says, held against a file's name. It is a wish, not a rule: what
//! does not fit is uploaded and told.

/// Whether a field that accepts this would offer a file of this name. What we cannot tell fits.
pub(super) fn allows(accept: &str, name: &str) -> bool {
    let mut wishes = accept.split(',').map(|wish| wish.trim().to_lowercase()).peekable();
    let name = name.to_lowercase();
    let kind = name.rsplit_once('.').map(|(_, ending)| kind_of(ending));
    if wishes.peek().is_none_or(String::is_empty) {
        return true;
    }
    wishes.any(|wish| match (wish.strip_prefix('.'), kind) {
        (Some(_), _) => name.ends_with(&wish),
        (None, _) if wish == "*/*" || wish == "*" => true,
        (None, Some(Some(kind))) => match wish.strip_suffix('*') {
            Some(family) => kind.starts_with(family),
            None => kind == wish,
        },
        // An ending nobody knows may be any kind; no ending at all is none that was asked for.
        (None, Some(None)) => true,
        (None, None) => false,
    })
}

fn kind_of(ending: &str) -> Option<&'static str> {
    Some(match ending {
        "png" => "image/png",
        "jpg" | "jpeg" => "image/jpeg",
        "gif" => "image/gif",
        "webp" => "image/webp",
        "svg" => "image/svg+xml",
        "heic" => "image/heic",
        "bmp" => "image/bmp",
        "tif" | "tiff" => "image/tiff",
        "mp4" => "video/mp4",
        "webm" => "video/webm",
        "mov" => "video/quicktime",
        "mp3" => "audio/mpeg",
        "wav" => "audio/wav",
        "ogg" => "audio/ogg",
        "txt" | "log" => "text/plain",
        "csv" => "text/csv",
        "html" | "htm" => "text/html",
        "css" => "text/css",
        "md" => "text/markdown",
        "js" => "text/javascript",
        "json" => "application/json",
        "pdf" => "application/pdf",
        "zip" => "application/zip",
        "gz" => "application/gzip",
        "xml" => "text/xml",
        "doc" => "application/msword",
        "xls" => "application/vnd.ms-excel",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn endings_and_kinds_are_understood() {
        for (accept, name) in [
            ("", "a.txt"),
            ("image/*", "a.PNG"),
            (".pdf, .docx", "a.docx"),
            ("text/plain", "a.txt"),
            ("image/*,.pdf", "a.pdf"),
            ("application/x-thing", "a.thing"),
            ("*/*", "a"),
        ] {
            assert!(allows(accept, name), "{accept} {name}");
        }
        for (accept, name) in
            [("image/*", "a.txt"), (".pdf", "a.docx"), ("text/plain", "a.csv"), ("image/*", "a")]
        {
            assert!(!allows(accept, name), "{accept} {name}");
        }
    }
}
