//! Counting tests from what their runners print.

/// How many tests ran.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Tally {
    pub(super) passed: usize,
    pub(super) failed: usize,
}

impl Tally {
    /// Adds a summary line of cargo's test runner or of vitest; other lines are nothing.
    pub(super) fn read(&mut self, line: &str) {
        let line = without_colours(line);
        let line = line.trim();
        let Some(counts) = line.strip_prefix("test result: ").or_else(|| {
            // vitest's other summary line counts files.
            line.strip_prefix("Tests ").filter(|rest| rest.ends_with(')'))
        }) else {
            return;
        };
        let words: Vec<&str> = counts.split_whitespace().collect();
        for pair in words.windows(2) {
            let Ok(count) = pair[0].parse::<usize>() else { continue };
            match pair[1].trim_end_matches(';') {
                "passed" => self.passed += count,
                "failed" => self.failed += count,
                _ => {}
            }
        }
    }
}

/// Without the escape sequences that colour a terminal.
fn without_colours(line: &str) -> String {
    let mut parts = line.split('\u{1b}');
    let mut plain = parts.next().unwrap_or("").to_owned();
    for part in parts {
        plain.push_str(part.split_once('m').map_or("", |(_, rest)| rest));
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tally(lines: &[&str]) -> Tally {
        let mut tally = Tally::default();
        lines.iter().for_each(|line| tally.read(line));
        tally
    }

    #[test]
    fn both_runners_are_understood() {
        let lines = [
            "test a_button_is_clicked ... ok",
            "test result: ok. 12 passed; 0 failed; 0 ignored; 0 measured; 3 filtered out; finished in 0.01s",
            " Test Files  2 passed (2)",
            "      Tests  7 passed (7)",
        ];
        assert_eq!(tally(&lines), Tally { passed: 19, failed: 0 });
    }

    #[test]
    fn failures_are_counted_in_colour_too() {
        let lines = [
            "test result: FAILED. 3 passed; 2 failed; 0 ignored",
            "\u{1b}[2m      Tests \u{1b}[22m \u{1b}[1m\u{1b}[31m1 failed\u{1b}[39m\u{1b}[22m\u{1b}[2m | \u{1b}[22m\u{1b}[32m4 passed\u{1b}[39m\u{1b}[90m (5)\u{1b}[39m",
        ];
        assert_eq!(tally(&lines), Tally { passed: 7, failed: 3 });
    }
}
