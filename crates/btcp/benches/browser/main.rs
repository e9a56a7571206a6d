//! `cargo xtask bench`: what we cost over bare CDP on the same Chrome.
//!
//! Floor, library and MCP do the same operations in turn within each round, so that a busy
//! machine hits all alike: compare ratios of one run, never times of two. `floor.rs` is the bare
//! client, `ours.rs` the two ways to us, `pages.rs` what they work on.

mod driver;
mod floor;
mod guard;
mod hung;
mod ours;
mod pages;
mod parallel;
mod process;
mod report;

use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, bail, ensure};
use btcp::Settings;

use crate::driver::{Driver, Op};
use crate::floor::Floor;
use crate::ours::{Library, Mcp};
use crate::pages::Page;
use crate::report::{Table, say};

/// How many sessions are opened to see what one costs.
const SESSIONS: usize = 5;

/// What the command line asks for.
struct Options {
    rounds: usize,
    pages: Vec<Page>,
}

impl Options {
    fn read(mut arguments: impl Iterator<Item = String>) -> Result<Self> {
        let mut options = Self { rounds: 15, pages: Page::ALL.to_vec() };
        let mut asked = None;
        while let Some(argument) = arguments.next() {
            match argument.as_str() {
                // What cargo adds.
                "--bench" => {}
                "--quick" => {
                    options.rounds = 5;
                    options.pages = vec![Page::Small, Page::Shop];
                }
                "--rounds" => {
                    let rounds = arguments.next().and_then(|number| number.parse().ok());
                    asked = Some(rounds.filter(|n| *n > 0).context("--rounds wants a number")?);
                }
                other => bail!("No option '{other}'; there are --rounds N and --quick"),
            }
        }
        options.rounds = asked.unwrap_or(options.rounds);
        Ok(options)
    }
}

fn main() -> Result<()> {
    let options = Options::read(std::env::args().skip(1))?;
    // As many workers as the binary has.
    let mut builder = tokio::runtime::Builder::new_multi_thread();
    let runtime = Arc::new(builder.worker_threads(2).enable_all().build()?);
    let origin = pages::serve()?;

    let library = Library::start(runtime.clone(), &format!("{origin}/small"))?;
    let command_line = process::command_line(library.root());
    let mut floor = Floor::start(&command_line)?;
    let mcp = Mcp::start()?;
    say(&format!("machine: {}", process::machine()));
    say(&format!("browser: {}", floor.version()?));
    say(&format!("load before: {}", process::load()));
    say(&format!("rounds: {}\n", options.rounds));

    let mut table = Table::default();
    cold_starts(&mut table, &runtime, &command_line, &origin, options.rounds.div_ceil(3))?;
    let without = Settings { spare: false, ..Settings::default() };
    let mut alone = Library::with(runtime.clone(), without)?;
    alone.run(&Op::Navigate(&format!("{origin}/small")))?;
    let sessions = sessions(&mut table, &library, &alone, &mut floor)?;
    alone.end();
    let server = mcp.root();
    let mut drivers: Vec<Box<dyn Driver>> = vec![Box::new(floor), Box::new(library), Box::new(mcp)];
    let mut resident = f64::NAN;
    let mut sizes = Vec::new();
    for page in &options.pages {
        warm(&mut table, &mut drivers, *page, &origin, options.rounds)?;
        if *page == Page::Shop {
            resident = process::resident(server);
        }
        sizes.push(size(drivers.last_mut().context("mcp is the last")?, *page, &origin)?);
    }
    let cpu = cpu_of_a_round(drivers.last_mut().context("mcp is the last")?, &origin)?;
    table.print();
    say("\n| characters | default | all, unfolded | interactive, unfolded |\n|---|---|---|---|");
    sizes.iter().for_each(|line| say(line));
    say(&format!("\nCPU of `btcp mcp` a round on small: {cpu:.1} ms"));
    say(&format!("resident memory of `btcp mcp` after shop: {resident:.1} MB"));
    say(&sessions);
    hung::lanes(&origin)?.iter().for_each(|line| say(line));
    parallel::lines(&runtime, &command_line, &origin)?.iter().for_each(|line| say(line));
    guard::lines(&runtime, &origin, options.rounds)?.iter().for_each(|line| say(line));
    let binary = std::fs::metadata(env!("CARGO_BIN_EXE_btcp"))?.len() as f64 / f64::from(1 << 20);
    say(&format!("release binary: {binary:.1} MB"));
    say(&format!("load after: {}", process::load()));
    for driver in drivers {
        driver.stop();
    }
    Ok(())
}

/// Milliseconds a piece of work takes.
fn timed<T>(work: impl FnOnce() -> Result<T>) -> Result<(T, f64)> {
    let begin = Instant::now();
    let done = work()?;
    Ok((done, begin.elapsed().as_secs_f64() * 1000.0))
}

/// From nothing to a page and its snapshot.
fn cold_starts(
    table: &mut Table,
    runtime: &Arc<tokio::runtime::Runtime>,
    command_line: &[String],
    origin: &str,
    rounds: usize,
) -> Result<()> {
    let url = format!("{origin}/small");
    // The first round is for the disk cache.
    for round in 0..=rounds {
        for turn in 0..3 {
            let contestant = (turn + round) % 3;
            let (driver, took) = timed(|| {
                let mut driver: Box<dyn Driver> = match contestant {
                    0 => Box::new(Floor::start(command_line)?),
                    1 => Box::new(Library::new(runtime.clone())?),
                    _ => Box::new(Mcp::start()?),
                };
                driver.run(&Op::Navigate(&url))?;
                driver.run(&Op::Snapshot)?;
                Ok(driver)
            })?;
            if round > 0 {
                table.add("cold start", driver.name(), took);
            }
            driver.stop();
        }
    }
    Ok(())
}

/// One more session: its time beside a bare context with a page, and its memory in Chrome.
fn sessions(
    table: &mut Table,
    library: &Library,
    alone: &Library,
    floor: &mut Floor,
) -> Result<String> {
    const MADE: &str = "another session, made when asked for";
    const SPARE: &str = "another session, from the spare";
    // The first context of a Chrome brings what all share.
    floor.context()?;
    library.session("first")?;
    alone.session("first")?;
    let settle = |root| process::quiet(root, Duration::from_secs(2));
    let (ours, bare) = (library.root(), floor.root());
    settle(ours);
    settle(bare);
    let before = [process::proportional(bare), process::proportional(ours)];
    for number in 0..SESSIONS {
        let took = timed(|| floor.context())?.1;
        table.add(MADE, "floor", took);
        table.add(SPARE, "floor", took);
        let name = format!("extra-{number}");
        // All of ours are children of this process.
        library.spare_is_ready()?;
        settle(std::process::id());
        table.add(SPARE, "library", timed(|| library.session(&name))?.1);
        settle(std::process::id());
        table.add(MADE, "library", timed(|| alone.session(&name))?.1);
        settle(std::process::id());
    }
    let each = |root, before: f64| (process::proportional(root) - before) / SESSIONS as f64;
    let (bare, ours) = (each(bare, before[0]), each(ours, before[1]));
    Ok(format!("memory of another session in Chrome: {ours:.1} MB, of a bare context {bare:.1} MB"))
}

/// Every operation on one page, everyone in turn.
fn warm(
    table: &mut Table,
    drivers: &mut [Box<dyn Driver>],
    page: Page,
    origin: &str,
    rounds: usize,
) -> Result<()> {
    for round in 0..=page.rounds(rounds) {
        let first = round % drivers.len();
        for turn in 0..drivers.len() {
            let driver = &mut drivers[(first + turn) % 3];
            let name = driver.name();
            let url = format!("{origin}/{}?round={round}", page.path());
            let mut note = |label: &str, took: f64| {
                if round > 0 {
                    table.add(&format!("{label}, {}", page.name()), name, took);
                }
            };
            let counted = operations(driver, page, &url, round, &mut note)?;
            if counted != expected(page) {
                bail!("{} clicked {counted} times on {}", driver.name(), page.name());
            }
        }
    }
    Ok(())
}

/// How many clicks on `#go` a round makes.
fn expected(page: Page) -> usize {
    if page.is_only_read() { 0 } else { 3 }
}

/// How long the snapshots of a page are.
fn size(driver: &mut Box<dyn Driver>, page: Page, origin: &str) -> Result<String> {
    driver.run(&Op::Navigate(&format!("{origin}/{}?size", page.path())))?;
    let mut lengths = Vec::new();
    for op in [Op::Snapshot, Op::Whole("all"), Op::Whole("interactive")] {
        lengths.push(driver.run(&op)?.chars().count().to_string());
    }
    Ok(format!("| {} | {} |", page.name(), lengths.join(" | ")))
}

/// One contestant's round on one page; gives how many clicks the page counted.
fn operations(
    driver: &mut Box<dyn Driver>,
    page: Page,
    url: &str,
    round: usize,
    note: &mut dyn FnMut(&str, f64),
) -> Result<usize> {
    let driver_is_floor = driver.name() == "floor";
    let mut go = |label: &str, op: Op<'_>| -> Result<String> {
        let (text, took) = timed(|| driver.run(&op))?;
        note(label, took);
        process::quiet(driver.root(), Duration::from_secs(2));
        Ok(text)
    };
    let click = |selector, changes| Op::Click { selector, changes };
    go("navigate", Op::Navigate(url))?;
    go("snapshot", Op::Snapshot)?;
    if page.is_only_read() && driver_is_floor {
        go("snapshot by getFullAXTree", Op::AccessibilityTree)?;
    }
    if !page.is_only_read() {
        go("evaluate", Op::Evaluate("1+1"))?;
        // In turn: the first press of a page brings what all presses need.
        let mut presses =
            [("changes:false", click("#go", false)), ("one by one", Op::ClickOneByOne("#go"))];
        presses.rotate_left(round % 2);
        for (how, press) in presses {
            go(&format!("click, {how}"), press)?;
        }
        go("click, with a change", click("#go", true))?;
        go("click, none", click("#quiet", true))?;
        let (selector, one, two) = ("#field", format!("Ada {round}"), format!("Bob {round}"));
        go("fill, changes:false", Op::Fill { selector, value: &one, changes: false })?;
        go("fill", Op::Fill { selector, value: &two, changes: true })?;
        go("screenshot", Op::Screenshot)?;
        let filled = driver.run(&Op::Evaluate("document.querySelector('#field').value"))?;
        ensure!(filled.contains(&two), "{} filled in '{filled}', not '{two}'", driver.name());
    }
    let counted = driver.run(&Op::Evaluate("clicks"))?;
    if page == Page::Small {
        let (_, took) = timed(|| driver.run(&Op::Follow("#away")))?;
        note("click that navigates", took);
    }
    counted.trim().parse().with_context(|| format!("clicks are '{counted}'"))
}

/// CPU of the server's own process for navigate, snapshot, evaluate, click, fill, screenshot.
fn cpu_of_a_round(mcp: &mut Box<dyn Driver>, origin: &str) -> Result<f64> {
    const ROUNDS: usize = 20;
    let before = process::cpu(mcp.root());
    for round in 0..ROUNDS {
        mcp.run(&Op::Navigate(&format!("{origin}/small?cpu={round}")))?;
        mcp.run(&Op::Snapshot)?;
        mcp.run(&Op::Evaluate("1+1"))?;
        mcp.run(&Op::Click { selector: "#go", changes: true })?;
        mcp.run(&Op::Fill { selector: "#field", value: "Ada", changes: true })?;
        mcp.run(&Op::Screenshot)?;
    }
    Ok((process::cpu(mcp.root()) - before) / ROUNDS as f64)
}
