//! What changed since a page was last printed: `since: "last"` and the changes of effects.

use std::collections::{BTreeMap, BTreeSet};

use btcp_testkit::{TestPage, open};
use serde_json::{Value, json};

use crate::refusal::text_of;

async fn since(page: &TestPage) -> Vec<String> {
    let text = text_of(page, "snapshot", json!({ "since": "last" })).await;
    text.lines().skip(1).map(str::to_owned).collect()
}

/// How often each line stands there, indents and refs apart.
fn bag<'a>(lines: impl Iterator<Item = &'a str>) -> BTreeMap<String, i32> {
    let mut bag = BTreeMap::new();
    for line in lines {
        *bag.entry(bare(line)).or_insert(0) += 1;
    }
    bag
}

/// A line without its indent and its ref.
fn bare(line: &str) -> String {
    let line = line.trim_start();
    let mut bare = String::new();
    let mut quoted = false;
    for word in line.split(' ') {
        let is_ref = !quoted
            && word
                .strip_prefix('e')
                .is_some_and(|n| !n.is_empty() && n.bytes().all(|b| b.is_ascii_digit()));
        if !is_ref {
            bare.push_str(word);
            bare.push(' ');
        }
        quoted ^= word.replace("\\\"", "").matches('"').count() % 2 == 1;
    }
    bare.trim_end().to_owned()
}

#[tokio::test]
async fn only_what_is_different_is_told() {
    let page = open("find.html").await;
    text_of(&page, "snapshot", json!({})).await;
    assert_eq!(since(&page).await, [""; 0], "nothing has happened");

    page.eval("document.querySelector('h1').textContent = 'Others'; document.querySelector('button').disabled = true; document.querySelector('table').rows[2].remove(); 1").await;
    let told = since(&page).await;

    assert!(told.contains(&"+ heading \"Others\" [h1]".to_owned()), "{told:?}");
    assert!(told.contains(&"- heading \"People and orders\" [h1]".to_owned()), "{told:?}");
    assert!(
        told.iter()
            .any(|line| line.starts_with("~ button \"Write\" e") && line.ends_with("[disabled]")),
        "{told:?}"
    );
    assert!(told.contains(&"- row: \"Grace\" | \"New York\" | *".to_owned()), "{told:?}");
    assert_eq!(since(&page).await, [""; 0], "it was told already");
}

#[tokio::test]
async fn moving_and_making_anew_are_no_change() {
    let page = open("find.html").await;
    text_of(&page, "snapshot", json!({})).await;

    page.eval("const list = document.getElementById('orders'); list.append(list.firstChild); 1")
        .await;
    assert_eq!(since(&page).await, [""; 0], "a move is no change");
    page.eval("document.querySelector('table').innerHTML += ''; 1").await;
    assert_eq!(since(&page).await, [""; 0], "it looks the same");
}

/// What the budget cuts comes next time, and nothing comes twice.
#[tokio::test]
async fn what_does_not_fit_comes_next_time() {
    let page = open("find.html").await;
    text_of(&page, "snapshot", json!({})).await;
    page.eval("for (let n = 0; n < 60; n++) document.body.append(Object.assign(document.createElement('button'), { textContent: `New ${n}` })); 1").await;

    let (mut told, mut rounds) = (Vec::new(), 0);
    loop {
        let text = text_of(&page, "snapshot", json!({ "since": "last", "maxChars": 600 })).await;
        assert!(text.chars().count() <= 600);
        told.extend(text.lines().filter_map(|line| line.strip_prefix("+ ")).map(bare));
        rounds += 1;
        if !text.contains("since:last for more") {
            break;
        }
    }

    let wanted: Vec<String> = (0..60).map(|n| format!("button \"New {n}\"")).collect();
    assert_eq!(told, wanted);
    assert!(rounds > 2, "it was to take several answers");
}

/// One change that is wider than the room there is must not keep the others back for ever.
#[tokio::test]
async fn a_change_that_is_too_long_is_cut_and_the_rest_comes_after_it() {
    let page = open("find.html").await;
    text_of(&page, "snapshot", json!({})).await;
    page.eval("const text = 'a \"long\" story '.repeat(130); document.body.insertAdjacentHTML('beforeend', `<p>${text}</p><button>After</button>`); 1").await;

    let ask = json!({ "since": "last", "maxChars": 600 });
    let mut answers = Vec::new();
    while answers.len() < 4 {
        let text = text_of(&page, "snapshot", ask.clone()).await;
        assert!(text.chars().count() <= 600, "{text}");
        let more = text.contains("since:last for more");
        answers.push(text);
        if !more {
            break;
        }
    }

    let told = answers.join("\n");
    assert_eq!(told.matches(r#"+ "a \"long\" story a"#).count(), 1, "{told}");
    assert!(told.contains("…\"\n") && told.contains("+ button \"After\" e"), "{told}");
    assert_eq!(since(&page).await, [""; 0], "it was told already");
}

/// The same in what an action tells, which has 2,000 characters.
#[tokio::test]
async fn a_text_that_fills_the_answer_does_not_hide_what_else_changed() {
    let page = open("find.html").await;
    page.eval("document.querySelector('button').onclick = () => document.body.insertAdjacentHTML('beforeend', `<p>${'word '.repeat(500)}</p><button>After</button>`); 1").await;
    text_of(&page, "snapshot", json!({})).await;

    let text = text_of(&page, "click", json!({ "selector": "button" })).await;

    assert!(text.contains("+ \"word word"), "{text}");
    assert!(text.chars().count() < 2300, "{text}");
    let rest = since(&page).await;
    assert!(
        text.contains("+ button \"After\" e") || rest.iter().any(|line| line.contains("After"))
    );
    assert!(!rest.iter().any(|line| line.contains("word word")), "{rest:?}");
}

#[tokio::test]
async fn another_part_or_mode_is_printed_in_full() {
    let page = open("find.html").await;
    text_of(&page, "snapshot", json!({})).await;

    let text = text_of(&page, "snapshot", json!({ "since": "last", "mode": "interactive" })).await;
    assert!(text.contains("button \"Write\" e") && !text.contains("\n+ "), "{text}");
    let text = text_of(&page, "snapshot", json!({ "since": "last", "selector": "table" })).await;
    assert!(text.contains("row: \"Ada\"") && !text.contains("\n+ "), "{text}");
}

#[tokio::test]
async fn after_another_page_it_is_printed_in_full() {
    let page = open("find.html").await;
    text_of(&page, "snapshot", json!({})).await;
    text_of(&page, "reload", json!({})).await;

    let text = text_of(&page, "snapshot", json!({ "since": "last" })).await;

    assert!(
        text.contains("heading \"People and orders\" [h1]") && !text.contains("\n+ "),
        "{text}"
    );
}

/// Without any snapshot before: what the click changed, and nothing else.
#[tokio::test]
async fn a_click_tells_what_it_changed() {
    let page = open("find.html").await;
    page.eval("document.querySelector('button').onclick = () => document.body.insertAdjacentHTML('beforeend', '<div role=alert>Sent</div><button>Undo</button>'); 1").await;

    let text = text_of(&page, "click", json!({ "selector": "button" })).await;

    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines[1], "+ alert: \"Sent\"", "{text}");
    let undo = lines[2].strip_prefix("+ button \"Undo\" ").unwrap_or_else(|| panic!("{text}"));
    assert_eq!(lines.len(), 3, "{text}");
    text_of(&page, "click", json!({ "selector": undo })).await;
}

#[tokio::test]
async fn a_click_that_leads_elsewhere_shows_the_head_of_the_page() {
    let page = open("find.html").await;
    page.eval(
        "document.body.insertAdjacentHTML('afterbegin', '<a id=go href=click.html>Go</a>'); 1",
    )
    .await;

    let text = text_of(&page, "click", json!({ "selector": "#go" })).await;

    let lines: Vec<&str> = text.lines().collect();
    assert!(
        lines[0].contains(": navigated to http") && lines[1].starts_with("button \"Send\" e"),
        "{text}"
    );
    assert!(text.chars().count() < 2300, "{text}");
    let rest = since(&page).await;
    assert!(rest.iter().all(|line| line.starts_with("+ ")), "{rest:?}");
    assert!(!rest.iter().any(|line| line.contains("button \"Send\"")), "{rest:?}");
}

#[tokio::test]
async fn changes_can_be_turned_off() {
    let page = open("find.html").await;
    page.eval("document.querySelector('button').onclick = () => document.body.append('Sent'); 1")
        .await;

    let text = text_of(&page, "click", json!({ "selector": "button", "changes": false })).await;

    assert_eq!(text.lines().count(), 1, "{text}");
}

/// Random edits: the answers add up to the page, and no ref ever means another element.
#[tokio::test]
async fn whatever_happens_the_answers_add_up_to_the_page() {
    for seed in [7_u64, 42, 2026] {
        adds_up(seed, "main", json!({ "since": "last" })).await;
    }
}

/// The same where a budget cuts the answers, so that they come in parts.
#[tokio::test]
async fn answers_that_come_in_parts_add_up_to_the_page() {
    adds_up(11, "main", json!({ "since": "last", "maxChars": 600 })).await;
}

#[tokio::test]
async fn the_rows_of_a_table_add_up_to_the_page() {
    adds_up(5, "table", json!({ "since": "last" })).await;
}

#[tokio::test]
async fn what_happens_in_a_frame_adds_up_to_the_page() {
    adds_up(3, "frame", json!({ "since": "last", "maxChars": 1200 })).await;
}

/// Every element has a mark of its own, clones too: by it one is known from its look-alikes.
const EDITS: &str = r#"
    const roll = (n) => { seed = (seed * 1103515245 + 12345) % 2147483648; return Math.floor(seed / 65536) % n }
    const rows = stage.localName === 'tbody'
    const all = () => [...(rows ? stage.children : stage.querySelectorAll('*'))]
    const pick = () => { const list = all(); return list[roll(list.length)] ?? stage }
    const mark = (made) => {
      for (const one of [made, ...made.querySelectorAll('*')]) one.dataset.mark = `m${++marks}`
      return made
    }
    const make = () => {
      const name = rows ? 'tr' : ['button', 'p', 'li', 'h2', 'a', 'div', 'section', 'input'][roll(8)]
      const made = stage.ownerDocument.createElement(name)
      const words = () => (roll(5) ? ++serial : 'twin')
      if (name === 'a') made.href = '/x'
      if (name === 'input') made.ariaLabel = `field ${++serial}`
      else if (rows) made.innerHTML = `<td>cell ${words()}</td><td><button>buy ${words()}</button></td>`
      else if (name !== 'section') made.textContent = `${name} ${words()}`
      return mark(made)
    }
    for (let n = 0; n < 6; n += 1) {
      const target = pick()
      switch (roll(9)) {
        case 0: case 1: case 7: case 8: stage.append(make()); break
        case 2: if (target !== stage) target.remove(); break
        case 3: {
          const button = target.localName === 'button' ? target : target.querySelector('button')
          if (button && target !== stage) button.disabled = !button.disabled
          break
        }
        case 4: if (target.localName === 'p') target.textContent = `p ${++serial}`; break
        case 5: stage.prepend(target === stage ? make() : target); break
        case 6: if (target !== stage) target.replaceWith(mark(target.cloneNode(true))); break
      }
    }
"#;

/// Where the edits are made: in the page, in a table of it, or in a frame.
fn stage(place: &str) -> &'static str {
    match place {
        "table" => {
            "document.body.innerHTML = '<table><thead><tr><th>Thing<th>Do<tbody id=stage></table>'; window.stage = document.getElementById('stage'); 1"
        }
        "frame" => {
            "document.body.innerHTML = '<h1>Around</h1>'; new Promise((done) => document.body.append(Object.assign(document.createElement('iframe'), { title: 'Inside', srcdoc: '<main id=stage></main>', style: 'width:500px;height:400px', onload() { window.stage = this.contentDocument.getElementById('stage'); done(1) } })))"
        }
        _ => {
            "document.body.innerHTML = '<main id=stage></main>'; window.stage = document.getElementById('stage'); 1"
        }
    }
}

async fn adds_up(seed: u64, place: &str, ask: Value) {
    let page = open("describe.html").await;
    page.eval(stage(place)).await;
    page.eval(&format!("window.seed = {seed}; window.serial = 0; window.marks = 0; 1")).await;
    let first = text_of(&page, "snapshot", json!({})).await;
    let mut known = bag(first.lines().skip(1));
    // What each ref was printed as, and the mark of the element it was given to.
    let mut printed: BTreeMap<String, String> = BTreeMap::new();
    let mut marks: BTreeMap<String, String> = BTreeMap::new();
    for round in 0..25 {
        page.eval(&format!("{{ {EDITS} }} 1")).await;
        loop {
            let told = text_of(&page, "snapshot", ask.clone()).await;
            for line in told.lines().skip(1).filter(|line| !line.starts_with("… ")) {
                let (sign, line) = line.split_at(2);
                match sign {
                    "+ " => *known.entry(bare(line)).or_insert(0) += 1,
                    "- " => *known.entry(bare(line)).or_insert(0) -= 1,
                    "~ " => change(&mut known, &mut printed, line),
                    _ => panic!("{sign}{line} is no difference"),
                }
                note_ref(&mut printed, line, sign);
            }
            if !told.contains("since:last for more") {
                break;
            }
        }
        known.retain(|_, count| *count != 0);
        // Another depth is another view, so that this one leaves the differences alone.
        let full = text_of(&page, "snapshot", json!({ "maxDepth": 23 })).await;
        assert_eq!(known, bag(full.lines().skip(1)), "seed {seed}, round {round}");
        let mut there = BTreeSet::new();
        for line in full.lines().map(str::trim_start) {
            note_ref(&mut printed, line, "  ");
            there.extend(ref_in(line));
        }
        means_what_it_meant(&page, &mut marks, &there).await;
    }
    assert!(marks.len() > 20, "only {} refs were looked at", marks.len());
}

/// Each ref is still the element it was given to; one whose element is gone is nothing.
async fn means_what_it_meant(
    page: &TestPage,
    marks: &mut BTreeMap<String, String>,
    there: &BTreeSet<String>,
) {
    for number in there {
        let ask = json!({ "selector": number, "attribute": "data-mark" });
        let read = page.call("get_attribute", ask).await;
        let read = read.unwrap_or_else(|failure| panic!("{number}: {}", failure.text()));
        let mark = read.data["value"].as_str().unwrap_or_default().to_owned();
        let before = marks.entry(number.clone()).or_insert_with(|| mark.clone());
        assert_eq!(*before, mark, "{number} means another element");
    }
    let gone: Vec<&String> = marks.keys().filter(|number| !there.contains(*number)).collect();
    for number in gone.into_iter().rev().take(5) {
        let seen = page.call("is_visible", json!({ "selector": number })).await;
        let seen = seen.is_ok_and(|seen| seen.data["visible"] == true);
        assert!(!seen, "{number} means something, though its element is gone");
    }
}

/// `~` names its element by the ref it has; its line before is the one last printed with it.
fn change(known: &mut BTreeMap<String, i32>, printed: &mut BTreeMap<String, String>, line: &str) {
    let number = ref_in(line).unwrap_or_else(|| panic!("{line} has no ref"));
    let before = printed.get(&number).unwrap_or_else(|| panic!("{number} was never printed"));
    let before = before.clone();
    *known.entry(before).or_insert(0) -= 1;
    *known.entry(bare(line)).or_insert(0) += 1;
}

fn note_ref(printed: &mut BTreeMap<String, String>, line: &str, sign: &str) {
    let Some(number) = ref_in(line).filter(|_| sign != "- ") else { return };
    let role_and_name = |line: &str| line.split(" [").next().unwrap_or_default().to_owned();
    let now = bare(line);
    if let Some(before) = printed.insert(number.clone(), now.clone()) {
        // Nothing in these edits renames a control: another name is another element.
        assert_eq!(role_and_name(&before), role_and_name(&now), "{number} means something else");
    }
}

fn ref_in(line: &str) -> Option<String> {
    line.split(' ')
        .find(|word| {
            word.strip_prefix('e')
                .is_some_and(|n| !n.is_empty() && n.bytes().all(|b| b.is_ascii_digit()))
        })
        .map(str::to_owned)
}
