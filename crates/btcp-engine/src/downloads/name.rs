//! Names for downloaded files: what a server suggests, made safe on every system.

use std::path::{Path, PathBuf};

/// Names are cut at so many bytes, which is what most file systems count in; some room is left
/// for the number of a second file of that name.
const LONGEST: usize = 200;

/// Longer endings are part of the name.
const LONGEST_ENDING: usize = 20;

/// Windows opens a device under these names, whatever the ending.
const DEVICES: &[&str] = &["con", "prn", "aux", "nul", "conin$", "conout$"];

/// A name without folders, control characters, leading dots or tricks; never empty.
pub(super) fn safe(suggested: &str) -> String {
    let last = suggested.rsplit(['/', '\\']).next().unwrap_or_default();
    let cleaned: String = last
        .chars()
        .filter(|c| !c.is_control() && !is_invisible(*c))
        .map(|c| if matches!(c, '<' | '>' | ':' | '"' | '|' | '?' | '*') { '_' } else { c })
        .collect();
    let trimmed = trimmed(&cleaned);
    if trimmed.is_empty() {
        return "download".into();
    }
    let short = shortened(trimmed);
    if is_device(&short) { format!("_{short}") } else { short }
}

/// Hidden files begin with a dot; Windows drops dots and spaces at the end, which would make
/// another name of it.
fn trimmed(name: &str) -> &str {
    let blank = |c: char| c == '.' || c.is_whitespace();
    name.trim_start_matches(blank).trim_end_matches(blank)
}

/// Characters that reorder or hide text.
fn is_invisible(c: char) -> bool {
    matches!(c, '\u{ad}' | '\u{61c}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}')
}

fn is_device(name: &str) -> bool {
    let stem = name.split('.').next().unwrap_or(name).trim_end().to_lowercase();
    let numbered = ["com", "lpt"].iter().filter_map(|port| stem.strip_prefix(port));
    let mut ports = numbered.map(|number| {
        let mut digits = number.chars();
        let digit = digits.next();
        digits.next().is_none()
            && digit.is_some_and(|c| c.is_ascii_digit() || matches!(c, '¹' | '²' | '³'))
    });
    DEVICES.contains(&stem.as_str()) || ports.any(|is_port| is_port)
}

/// Cut in the middle, so that the ending stays.
fn shortened(name: &str) -> String {
    if name.len() <= LONGEST {
        return name.to_owned();
    }
    let ending = name
        .rsplit_once('.')
        .map(|(_, ending)| ending)
        .filter(|ending| !ending.is_empty() && ending.len() <= LONGEST_ENDING);
    let room = LONGEST - ending.map_or(0, |ending| ending.len() + 1);
    let end = (0..=room).rev().find(|at| name.is_char_boundary(*at)).unwrap_or(0);
    let stem = name[..end].trim_end_matches(|c: char| c == '.' || c.is_whitespace());
    match ending {
        Some(ending) => format!("{stem}.{ending}"),
        None => stem.to_owned(),
    }
}

/// The name in the folder, with a number if another file has it.
pub(super) fn free(folder: &Path, name: &str) -> PathBuf {
    let (stem, ending) = match name.rsplit_once('.') {
        Some((stem, ending)) if !stem.is_empty() => (stem, format!(".{ending}")),
        _ => (name, String::new()),
    };
    let numbered = (2..1000).map(|n| folder.join(format!("{stem} ({n}){ending}")));
    let mut names = std::iter::once(folder.join(name)).chain(numbered);
    // A link to nowhere counts too: the file would be written where it points.
    let is_free = |path: &PathBuf| path.symlink_metadata().is_err();
    names.find(is_free).unwrap_or_else(|| folder.join(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_made_safe() {
        for (suggested, made) in [
            ("report.pdf", "report.pdf"),
            ("../../etc/passwd", "passwd"),
            ("..\\..\\evil.exe", "evil.exe"),
            (".bashrc", "bashrc"),
            ("", "download"),
            ("..", "download"),
            (". . .", "download"),
            ("a\u{202e}fdp.exe", "afdp.exe"),
            ("a\u{200b}b\u{feff}.txt", "ab.txt"),
            ("a\nb:c", "ab_c"),
            ("name. . ", "name"),
            ("name.txt...", "name.txt"),
            ("CON", "_CON"),
            ("nul.txt", "_nul.txt"),
            ("aux .tar.gz", "_aux .tar.gz"),
            ("com1", "_com1"),
            ("LPT².log", "_LPT².log"),
            ("com10.txt", "com10.txt"),
            ("console.log", "console.log"),
        ] {
            assert_eq!(safe(suggested), made, "{suggested:?}");
        }
    }

    #[test]
    fn long_names_keep_their_ending_and_fit_a_file_system() {
        for stem in ["x".repeat(500), "é".repeat(300), "漢".repeat(300), "🦀".repeat(200)] {
            let long = safe(&format!("{stem}.pdf"));
            assert!(long.len() <= LONGEST && long.ends_with(".pdf"), "{} {long}", long.len());
        }
        let no_ending = safe(&format!("a.{}", "b".repeat(400)));
        assert!(no_ending.len() <= LONGEST && no_ending.starts_with("a.b"), "{no_ending}");
        assert!(safe(&format!("{} . . .txt", "x".repeat(LONGEST - 5))).ends_with("x.txt"));
    }

    #[test]
    fn a_name_that_is_taken_gets_a_number() {
        let folder = std::env::temp_dir().join(format!("btcp-names-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        std::fs::write(folder.join("a.txt"), "").unwrap();
        std::fs::write(folder.join("a (2).txt"), "").unwrap();

        assert_eq!(free(&folder, "a.txt"), folder.join("a (3).txt"));
        assert_eq!(free(&folder, "b.txt"), folder.join("b.txt"));

        std::fs::remove_dir_all(&folder).unwrap();
    }
}
