//! Samples, and the tables made of them.

#![expect(clippy::print_stdout, reason = "a benchmark prints what it found")]

/// The columns, the floor first.
pub(crate) const COLUMNS: [&str; 3] = ["floor", "library", "mcp"];

/// Times of one operation on one page, by contestant, in milliseconds.
struct Row {
    label: String,
    samples: [Vec<f64>; COLUMNS.len()],
}

/// All rows, in the order in which they were first measured.
#[derive(Default)]
pub(crate) struct Table(Vec<Row>);

impl Table {
    /// Notes one time.
    pub(crate) fn add(&mut self, label: &str, column: &str, milliseconds: f64) {
        let Some(column) = COLUMNS.iter().position(|name| *name == column) else { return };
        let row = match self.0.iter().position(|row| row.label == label) {
            Some(at) => &mut self.0[at],
            None => {
                self.0.push(Row { label: label.to_owned(), samples: Default::default() });
                self.0.last_mut().expect("a row was just added")
            }
        };
        row.samples[column].push(milliseconds);
    }

    /// Prints it as Markdown.
    pub(crate) fn print(&self) {
        say("| ms, median (least) | floor | library | × floor | mcp | × floor | mcp − floor |");
        say("|---|---|---|---|---|---|---|");
        for Row { label, samples } in &self.0 {
            let [floor, library, mcp] = samples.each_ref().map(|samples| Times::of(samples));
            let ratio = |times: Times| number(times.median / floor.median, |x| format!("{x:.2}"));
            let more = number(mcp.median - floor.median, |x| format!("{x:+.2}"));
            say(&format!(
                "| {label} | {floor} | {library} | {} | {mcp} | {} | {more} |",
                ratio(library),
                ratio(mcp),
            ));
        }
    }
}

/// The middle and the least of some times; ratios are of the middle, which is what is waited for.
#[derive(Clone, Copy)]
pub(crate) struct Times {
    min: f64,
    pub(crate) median: f64,
}

impl Times {
    pub(crate) fn of(samples: &[f64]) -> Self {
        let mut sorted = samples.to_vec();
        sorted.sort_by(f64::total_cmp);
        let at = |index: usize| sorted.get(index).copied().unwrap_or(f64::NAN);
        Self { min: at(0), median: at(sorted.len() / 2) }
    }
}

impl std::fmt::Display for Times {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let both = |median| format!("{} ({})", short(median), short(self.min));
        f.write_str(&number(self.median, both))
    }
}

/// A number, where there is one.
fn number(value: f64, print: impl FnOnce(f64) -> String) -> String {
    if value.is_nan() { "–".to_owned() } else { print(value) }
}

/// As many digits as mean something.
fn short(milliseconds: f64) -> String {
    let digits = if milliseconds < 10.0 { 2 } else { usize::from(milliseconds < 100.0) };
    format!("{milliseconds:.digits$}")
}

/// One line.
pub(crate) fn say(line: &str) {
    println!("{line}");
}
