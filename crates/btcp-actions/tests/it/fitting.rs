//! Pages of any size fit into the budget, and what is folded away can be opened.

use std::collections::BTreeSet;
use std::time::Instant;

use btcp_testkit::{TestPage, open};
use serde_json::json;

use crate::refusal::text_of;

async fn page_with(script: &str) -> TestPage {
    let page = open("find.html").await;
    // Laying it out is Chrome's work, and takes seconds for some.
    page.eval(&format!("{script}; document.body.getBoundingClientRect().height")).await;
    page
}

/// The ref in the first fold with this noun.
fn fold(text: &str, noun: &str) -> String {
    let line = text.lines().find(|line| line.contains(&format!("more {noun}, e")));
    let line = line.unwrap_or_else(|| panic!("nothing folds {noun} in\n{text}"));
    let at = line.rfind(", e").unwrap_or_default() + 2;
    line[at..].trim_end_matches(" to expand").to_owned()
}

const TABLE: &str = "document.body.innerHTML = '<h1>Orders</h1><table>' + Array.from({ length: 5000 }, (_, n) => `<tr><td>Order ${n}</td><td><button>Edit ${n}</button></td><td><button>Drop ${n}</button></td><td><a href=/o/${n}>Open ${n}</a></td></tr>`).join('') + '</table><footer><a href=/help>Help</a></footer>'";

/// Fifteen thousand controls: first rows, what comes after, and the rest counted.
#[tokio::test]
async fn a_table_of_fifteen_thousand_controls_fits() {
    let page = page_with(TABLE).await;

    let begin = Instant::now();
    let text = text_of(&page, "snapshot", json!({})).await;

    // A promise of 150 ms, told with room for a busy machine.
    assert!(begin.elapsed().as_secs() < 10, "it took {:?}", begin.elapsed());
    assert!(text.chars().count() <= 20_000, "{} characters", text.chars().count());
    assert!(text.contains(r#"table [5000 rows]"#), "{text}");
    assert!(text.contains(r#"row: "Order 0" | * | * | *"#), "{text}");
    assert!(text.contains(r#"link "Help" e"#), "what comes after the table is missing:\n{text}");
    let shown = text.matches("row: \"Order").count();
    let folded: usize = text
        .lines()
        .find_map(|line| line.trim().strip_prefix("… ")?.split(' ').next()?.parse().ok())
        .unwrap_or_else(|| panic!("no fold in\n{text}"));
    assert_eq!(shown + folded, 5000, "{text}");
}

/// Folds lead from page to page until everything was seen once.
#[tokio::test]
async fn opening_folds_one_after_another_shows_every_row_once() {
    let page = page_with("document.body.innerHTML = '<table>' + Array.from({ length: 900 }, (_, n) => `<tr><td>Row ${n}</td><td><button>Edit ${n}</button></td></tr>`).join('') + '</table>'").await;

    let mut text = text_of(&page, "snapshot", json!({ "maxChars": 9000 })).await;
    let mut seen: Vec<String> = Vec::new();
    loop {
        let rows = text.lines().filter_map(|line| line.trim().strip_prefix("row: \"Row "));
        seen.extend(rows.map(|row| row.split('"').next().unwrap_or_default().to_owned()));
        if !text.contains(" to expand") {
            break;
        }
        let open = fold(&text, "rows");
        text = text_of(&page, "snapshot", json!({ "selector": open, "maxChars": 9000 })).await;
    }

    let all: Vec<String> = (0..900).map(|n| n.to_string()).collect();
    let odd = seen.iter().zip(&all).position(|(one, other)| one != other);
    assert_eq!((seen.len(), odd), (900, None), "{text}");
}

/// A page of everything: cards, a list, sections, a table, a frame, a dialog that is open.
const MIXED: &str = r#"
    const many = (n, make) => Array.from({ length: n }, (_, at) => make(at)).join('')
    document.body.innerHTML = `
      <nav aria-label=Top>${many(30, (n) => `<a href=/n/${n}>Place ${n}</a> `)}</nav>
      <div>${many(150, (n) => `<div class=card><h3>Card ${n}</h3><p>Some words about it, and more</p><button>Buy ${n}</button></div>`)}</div>
      <ul>${many(200, (n) => `<li><a href=/i/${n}>Item ${n}</a> and a few words</li>`)}</ul>
      ${many(40, (n) => `<section aria-label="Part ${n}"><h2>Part ${n}</h2><input aria-label="Field ${n}"><button>Save ${n}</button></section>`)}
      <table>${many(300, (n) => `<tr><td>Order ${n}</td><td><button>Edit ${n}</button></td></tr>`)}</table>
      <div role=dialog aria-label=News><button>Close news</button></div>
      <iframe title=Inside style="width:600px;height:300px"></iframe>
      <footer><a href=/help>Help</a></footer>`
    const frame = document.querySelector('iframe')
    new Promise((done) => { frame.onload = () => done(1); frame.srcdoc = many(120, (n) => `<p><button>Inner ${n}</button> words</p>`) })
"#;

/// Whatever is left out: each control is in the text, or comes when folds are opened, and only once.
#[tokio::test]
async fn every_control_is_in_the_text_or_behind_a_fold() {
    let page = open("find.html").await;
    page.eval(MIXED).await;
    let whole = text_of(&page, "snapshot", json!({ "maxChars": 1_000_000 })).await;
    assert!(!whole.contains(" to expand"), "{whole}");
    let all = controls(&whole);
    assert!(all.len() > 30 + 150 + 200 + 80 + 300 + 120, "{}", all.len());

    for limit in [20_000, 4_000] {
        let first = text_of(&page, "snapshot", json!({ "maxChars": limit })).await;
        let (mut seen, mut folds) = (controls(&first), folds(&first));
        assert!(!folds.is_empty(), "{first}");
        while let Some(open) = folds.pop() {
            let ask = json!({ "selector": open, "maxChars": limit });
            let more = text_of(&page, "snapshot", ask).await;
            assert!(more.chars().count() <= limit, "{more}");
            seen.extend(controls(&more));
            folds.extend(self::folds(&more));
        }
        let missing: Vec<&String> = all.difference(&seen).collect();
        assert!(missing.is_empty(), "{limit}: behind no fold: {missing:?}\n{first}");
    }
    let found = text_of(&page, "find", json!({ "query": "Order 217" })).await;
    assert!(found.contains(r#"button "Edit 217" e"#), "{found}");
}

/// The controls in a text, by role and name; each has one of its own.
fn controls(text: &str) -> BTreeSet<String> {
    let lines = text.lines().map(str::trim_start);
    let named = lines.filter(|line| {
        ["link \"", "button \"", "textbox \""].iter().any(|role| line.starts_with(role))
    });
    named.map(|line| line.split("\" ").next().unwrap_or(line).to_owned()).collect()
}

/// The refs of all folds in a text but those of its characters.
fn folds(text: &str) -> Vec<String> {
    let folds = text.lines().filter_map(|line| line.trim().strip_prefix("… "));
    let opened = folds.filter(|line| !line.contains("characters"));
    opened
        .filter_map(|line| Some(line.strip_suffix(" to expand")?.rsplit(' ').next()?.to_owned()))
        .collect()
}

/// Fields, headings and what is in view stay; the tail of a long list goes.
#[tokio::test]
async fn what_matters_is_kept_when_a_list_is_long() {
    let page = page_with("document.body.innerHTML = '<nav aria-label=Top><a href=/a>Start</a></nav><form aria-label=Search><input aria-label=Query><button>Go</button></form><h2>Results</h2><ul>' + Array.from({ length: 2000 }, (_, n) => `<li><a href=/r/${n}>Result ${n} with quite a long title to read</a> and a few words about it</li>`).join('') + '</ul><h2>About</h2><p>Made by us</p>'").await;

    let text = text_of(&page, "snapshot", json!({ "maxChars": 3000 })).await;

    assert!(text.chars().count() <= 3000);
    for kept in [
        r#"navigation "Top""#,
        r#"link "Start" e"#,
        r#"textbox "Query" e"#,
        r#"heading "Results" [h2]"#,
        "Result 0 with",
        r#"heading "About" [h2]"#,
        "Made by us",
    ] {
        assert!(text.contains(kept), "{kept} is missing in\n{text}");
    }
}

/// What is in view is what the agent works on.
#[tokio::test]
async fn what_is_in_view_is_kept() {
    let page = page_with("document.body.innerHTML = '<ul>' + Array.from({ length: 400 }, (_, n) => `<li style=height:40px><button>Item ${n} and some more words to fill the line</button></li>`).join('') + '</ul>'; scrollTo(0, 300 * 40)").await;

    let text = text_of(&page, "snapshot", json!({ "maxChars": 4000 })).await;

    assert!(text.contains("Item 0 ") && text.contains("Item 305 "), "{text}");
    assert!(!text.contains("Item 150 "), "{text}");
}

/// In whatever order a page lays its items out, those that are in view are kept.
#[tokio::test]
async fn items_in_view_are_kept_in_every_layout() {
    let layouts = [
        // One below the other, scrolled into the middle.
        ("", "", "scrollTo(0, 2000)"),
        // Those at the top of each column, and in the last one from its end.
        ("columns: 4; height: 3000px; column-fill: auto", "", "scrollTo(0, 0)"),
        ("display: flex; flex-direction: column-reverse", "", "scrollTo(0, 0)"),
        (
            "display: grid; grid-template-columns: 1fr 1fr",
            "order: calc(-1 * var(--n))",
            "scrollTo(0, 0)",
        ),
        // Rows that a script places, the last on top.
        (
            "position: relative; height: 12000px",
            "position: absolute; top: calc((119 - var(--n)) * 100px)",
            "scrollTo(0, 0)",
        ),
        // Some of a column float back up beside it.
        (
            "",
            "position: relative; top: calc(max(0, min(1, var(--n) - 100)) * -10000px)",
            "scrollTo(0, 0)",
        ),
        ("writing-mode: vertical-rl", "height: 900px; width: 100px", "scrollTo(0, 0)"),
    ];
    for (container, item, scroll) in layouts {
        let page = page_with(&format!(
            "document.body.style.margin = 0; document.body.innerHTML = `<style>ul {{ list-style: none; padding: 0; margin: 0; {container} }} li {{ height: 100px; {item} }}</style>\
             <ul>` + Array.from({{ length: 120 }}, (_, n) => `<li style='--n: ${{n}}'>Item ${{n}} of a list that is a little too long to fit</li>`).join('') + '</ul>'; {scroll}"
        ))
        .await;
        let seen = page
            .eval("[...document.querySelectorAll('li')].filter((li) => { const { top, bottom, left, right } = li.getBoundingClientRect(); return bottom > 0 && top < innerHeight && right > 0 && left < innerWidth }).map((li) => li.textContent.split(' of')[0] + ' ')")
            .await;
        let seen: Vec<&str> =
            seen.as_array().into_iter().flatten().filter_map(|name| name.as_str()).collect();

        let text = text_of(&page, "snapshot", json!({ "maxChars": 7000 })).await;

        assert!(seen.len() > 5 && seen.len() < 60, "{container} {item}: {seen:?}");
        assert!(
            text.contains(" to expand"),
            "{container} {item}: nothing had to be folded:\n{text}"
        );
        let missing: Vec<&&str> = seen.iter().filter(|name| !text.contains(**name)).collect();
        assert!(
            missing.is_empty(),
            "{container} {item}: {missing:?} are in view, and folded:\n{text}"
        );
    }
}

#[tokio::test]
async fn a_long_text_is_cut_and_can_be_read_on() {
    let page = page_with("document.body.innerHTML = '<p id=long>' + Array.from({ length: 1500 }, (_, n) => `word${n}`).join(' ') + '</p>'").await;

    let text = text_of(&page, "snapshot", json!({})).await;
    assert!(text.contains("word0 ") && !text.contains("word900"), "{text}");
    let open = fold(&text, "characters");
    let whole = text_of(&page, "snapshot", json!({ "selector": open })).await;

    let words: Vec<&str> = whole
        .lines()
        .skip(1)
        .flat_map(|line| line.trim_matches('"').trim_end_matches('…').split_whitespace())
        .collect();
    assert_eq!(words.len(), 1500, "{whole}");
    assert_eq!((words[0], words[1499]), ("word0", "word1499"));
}

/// Pages nobody should make, and some do. (Chrome itself dies of 3,000 blocks in each other.)
#[tokio::test]
async fn monstrous_pages_fit_too() {
    let monsters = [
        (
            "200,000 nodes",
            "t77777",
            "const p = document.createElement('p'); p.textContent = 'x'; const f = document.createDocumentFragment(); for (let n = 0; n < 100000; n++) { const d = document.createElement(n % 7 ? 'div' : 'section'); d.append(`t${n}`); f.append(d) } document.body.replaceChildren(f)",
        ),
        (
            "5,000 levels",
            "deep 4900",
            "let at = document.body; at.textContent = ''; for (let n = 0; n < 5000; n++) { const d = document.createElement('span'); if (n % 100 === 0) { const b = document.createElement('button'); b.textContent = `deep ${n}`; d.append(b) } at.append(d); at = d }",
        ),
        (
            "a text of 10 MB",
            "lorem ipsum",
            "document.body.textContent = 'lorem ipsum '.repeat(900000)",
        ),
        (
            "a title of 1 MB",
            "nnnn",
            "document.title = 'T'.repeat(1 << 20); document.body.innerHTML = `<button aria-label='${'n'.repeat(1 << 20)}'>x</button>`",
        ),
        (
            "60,000 elements",
            "l5999",
            "document.body.innerHTML = Array.from({ length: 6000 }, (_, n) => `<div><div><span>a${n}</span><b>b</b><i>c</i></div><ul><li>1</li><li>2</li></ul><p><a href=/x>l${n}</a><em>e</em></p></div>`).join('')",
        ),
    ];
    let page = open("find.html").await;
    for (what, sought, script) in monsters {
        page.eval(&format!("{script}; document.body.getBoundingClientRect().height")).await;
        for limit in [500, 20_000] {
            let begin = Instant::now();
            let outcome =
                page.call("snapshot", json!({ "maxChars": limit, "timeout": "60s" })).await;
            let outcome = outcome.unwrap_or_else(|failure| panic!("{what}: {}", failure.text()));
            let took = begin.elapsed();
            for text in [&outcome.text.for_model(), outcome.data["tree"].as_str().unwrap_or("")] {
                let length = text.chars().count();
                assert!(length <= limit, "{what}: {length} characters for {limit}\n{text}");
            }
            assert!(took.as_secs() < 10, "{what} took {took:?}");
        }
        let query = json!({ "query": sought, "timeout": "60s" });
        let found = text_of(&page, "find", query).await;
        assert!(found.lines().any(|line| line.contains(sought)), "{what}: no {sought} in {found}");
    }
}

/// Nested objects obey the same budget and hold the same refs.
#[tokio::test]
async fn nested_objects_fit_too() {
    let page = page_with(TABLE).await;

    let args = json!({ "format": "json", "maxChars": 6000 });
    let outcome = page.call("snapshot", args).await.unwrap();

    let tree = &outcome.data["tree"];
    assert!(tree.to_string().chars().count() <= 6000);
    assert_eq!(tree["role"], "page");
    let table =
        tree["children"].as_array().and_then(|all| all.iter().find(|one| one["role"] == "table"));
    let row = &table.unwrap_or_else(|| panic!("no table in {tree}"))["children"][0];
    assert_eq!(row["cells"], json!(["Order 0", null, null, null]));
    let button = row["children"][0]["ref"].as_str().unwrap_or_default().to_owned();
    assert!(outcome.data["refs"].get(&button).is_some(), "{button} is not among the refs");
}
