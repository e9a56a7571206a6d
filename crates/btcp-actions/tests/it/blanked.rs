//! A field in which a secret stands is blanked on every picture, without the page noticing; a PDF of
//! such a page is refused.

use btcp_engine::{Secrets, Settings, SystemKeyring};
use btcp_testkit::{TestPage, empty_with, open, server};
use serde_json::{Value, json};

use crate::refusal::{refused, text_of};

const NAMED: &str = "{{secret:KEY}}";

/// All fields but those that stay empty at first; the last two are out of the window or at its edge.
const FIELDS: [&str; 12] = [
    "#plain",
    "#area",
    "#rich",
    "label=Open",
    "label=Closed",
    "#short",
    "#groups",
    "#turned",
    "iframe[title=Same] >> #inner",
    "iframe[title=Other] >> #inner",
    "iframe[title=Scaled] >> #inner",
    "#fixed",
];

async fn page() -> TestPage {
    let mut secrets = Secrets::default();
    let origins = [server().origin(), server().other_origin()];
    let known = json!({ "KEY": { "value": "S3cret-horse-battery-staple", "origins": origins } });
    secrets.read_file(&known.to_string(), &SystemKeyring).expect("they are well written");
    let page = empty_with(Settings { secrets, spare: false, ..Settings::default() }).await;
    let url = server().url("boundary/blanked.html");
    page.call("navigate", json!({ "url": url, "timeout": "60s" })).await.expect("it opens");
    page
}

async fn fill(page: &TestPage, selector: &str, value: &str) {
    text_of(page, "fill", json!({ "selector": selector, "value": value, "timeout": "60s" })).await;
}

async fn shot(page: &TestPage, args: Value) -> Value {
    match page.call("screenshot", args.clone()).await {
        Ok(outcome) => outcome.data,
        Err(failure) => panic!("{args}: {}", failure.text()),
    }
}

/// How many pixels of a picture have the colour of the fields' text.
async fn lime(reader: &TestPage, picture: &Value) -> u64 {
    let script = format!(
        "const blob = await (await fetch('data:image/{};base64,{}')).blob();
         const bitmap = await createImageBitmap(blob);
         const pen = new OffscreenCanvas(bitmap.width, bitmap.height).getContext('2d');
         pen.drawImage(bitmap, 0, 0);
         const {{ data }} = pen.getImageData(0, 0, bitmap.width, bitmap.height);
         let count = 0;
         for (let at = 0; at < data.length; at += 4) {{
           if (data[at + 1] > 150 && data[at + 1] > data[at] + 60 && data[at + 1] > data[at + 2] + 60) count += 1
         }}
         count",
        picture["format"].as_str().unwrap_or_default(),
        picture["image"].as_str().unwrap_or_default(),
    );
    reader.eval(&script).await.as_u64().expect("a number")
}

/// Every kind of picture there is.
fn kinds() -> Vec<Value> {
    vec![
        json!({}),
        json!({ "format": "jpeg", "quality": 90 }),
        json!({ "format": "webp" }),
        json!({ "fullPage": true }),
        json!({ "fullPage": true, "format": "jpeg" }),
        json!({ "annotate": true, "fullPage": true }),
        json!({ "selector": "#plain" }),
        json!({ "selector": "#turned" }),
        json!({ "selector": "iframe[title=Scaled] >> #inner" }),
        json!({ "selector": "#far" }),
        json!({ "selector": "body" }),
    ]
}

#[tokio::test]
async fn no_picture_shows_a_field_in_which_a_secret_stands() {
    let (page, reader) = (page().await, open("describe.html").await);
    let all = FIELDS.iter().chain(&["#far"]);
    for selector in all.clone() {
        fill(&page, selector, "visible").await;
    }
    for args in kinds() {
        let picture = shot(&page, args.clone()).await;
        assert!(lime(&reader, &picture).await > 20, "{args} shows nothing at all");
        assert_eq!(picture["blanked"], Value::Null, "{args}");
    }

    for selector in all {
        fill(&page, selector, NAMED).await;
    }
    // Until the page was told of it: what comes later would be taken for our doing.
    page.eval(
        "new Promise((done) => { addEventListener('scroll', () => requestAnimationFrame(() => \
         requestAnimationFrame(done)), { once: true }); scrollTo(0, 40) }).then(() => 1)",
    )
    .await;
    page.eval("watch()").await;
    let before = page.eval("looks()").await;
    for args in kinds() {
        let picture = shot(&page, args.clone()).await;
        assert_eq!(lime(&reader, &picture).await, 0, "{args}: {}", picture["path"]);
        assert!(picture["blanked"].as_u64() > Some(0), "{args}");
        if args == json!({}) {
            assert_eq!(picture["blanked"], FIELDS.len(), "those in view");
            assert_eq!(page.log().await, Vec::<String>::new(), "the page noticed");
        }
        if args.get("selector").is_none() {
            assert_eq!(page.eval("[scrollY, innerHeight]").await, json!([40, 720]), "{args}");
        }
    }
    // Chrome lets scrollbars come back only with the next layout, secrets or not.
    for width in [1281, 1280] {
        text_of(&page, "resize", json!({ "width": width, "height": 720 })).await;
    }
    page.eval("scrollTo(0, 40)").await;
    let after = page.eval("looks()").await;
    let both = before.as_array().into_iter().flatten().zip(after.as_array().into_iter().flatten());
    both.for_each(|(before, after)| assert_eq!(after, before, "the page looks different"));
    let changes = page.log().await;
    let changed = changes.iter().find(|line| *line != "resize" && *line != "scroll");
    assert_eq!(changed, None, "the page noticed: {changes:?}");
}

/// Where the page puts it, and what becomes of it later.
#[tokio::test]
async fn what_the_page_makes_of_a_secret_in_a_field_is_blanked_and_nothing_else() {
    let (page, reader) = (page().await, open("describe.html").await);
    fill(&page, "#plain", NAMED).await;
    assert_eq!(shot(&page, json!({})).await["blanked"], 1);
    for (script, blanked) in [("copy()", 2), ("split()", 6)] {
        page.eval(script).await;
        let picture = shot(&page, json!({})).await;
        assert_eq!(picture["blanked"], blanked, "{script}");
        assert_eq!(lime(&reader, &picture).await, 0, "{script}");
    }
    let said = text_of(&page, "screenshot", json!({})).await;
    assert!(said.ends_with(", 6 fields with secrets are blanked"), "{said}");

    let said = text_of(&page, "type", json!({ "selector": "#groups", "text": NAMED })).await;
    assert!(said.contains(NAMED) && !said.contains("S3.cr"), "{said}");
    assert_eq!(page.eval("groups.value.startsWith('S3.cr.et')").await, true);
    assert_eq!(lime(&reader, &shot(&page, json!({})).await).await, 0, "the page grouped it");
    page.call("navigate", json!({ "url": page_url() })).await.expect("it opens");
    assert_eq!(shot(&page, json!({})).await["blanked"], Value::Null);

    // Filled with something else, or shown as dots.
    fill(&page, "#plain", NAMED).await;
    fill(&page, "#plain", "visible").await;
    let picture = shot(&page, json!({})).await;
    assert_eq!(picture["blanked"], Value::Null);
    assert!(lime(&reader, &picture).await > 20);
    page.eval("field.type = 'password', plain.value = ''").await;
    fill(&page, "#field", NAMED).await;
    assert_eq!(shot(&page, json!({})).await["blanked"], Value::Null, "it shows dots");
    page.eval("field.type = 'text'").await;
    assert_eq!(lime(&reader, &shot(&page, json!({})).await).await, 0, "the page shows it now");
    text_of(&page, "clear", json!({ "selector": "#field" })).await;
    assert_eq!(shot(&page, json!({})).await["blanked"], Value::Null);
}

fn page_url() -> String {
    server().url("boundary/blanked.html")
}

#[tokio::test]
async fn what_cannot_be_blanked_is_refused() {
    let page = page().await;
    text_of(&page, "pdf", json!({})).await;
    fill(&page, "#moves", NAMED).await;
    page.eval("moves.classList.add('on')").await;
    let failure = refused(&page, "screenshot", json!({})).await;
    assert_eq!(failure.code, "denied", "{}", failure.text());
    let sentence =
        "A picture would show secret 'KEY': the field it stands in does not stay in place";
    assert_eq!(failure.message, sentence);
    page.eval("moves.classList.remove('on')").await;
    shot(&page, json!({})).await;

    // Only the page could say where the field is, and it waits for the dialog.
    text_of(&page, "click", json!({ "selector": "button" })).await;
    let failure = refused(&page, "screenshot", json!({})).await;
    assert_eq!(failure.code, "dialog_open", "{}", failure.text());
    text_of(&page, "dialog", json!({ "response": "accept" })).await;

    // In a field, in the text, in an address: a PDF would have it.
    let refuses = async |about: &str| {
        let failure = refused(&page, "pdf", json!({ "path": "secret.pdf" })).await;
        assert_eq!(failure.code, "denied", "{about}: {}", failure.text());
        let sentence = "A PDF would show secret 'KEY': it stands in the page";
        assert_eq!(failure.message, sentence, "{about}");
    };
    refuses("a field").await;
    page.eval("globalThis.kept = moves.value, moves.value = ''").await;
    text_of(&page, "pdf", json!({})).await;
    for (script, undo) in [
        ("document.title = kept", "document.title = ''"),
        ("document.body.append(kept)", "document.body.lastChild.remove()"),
        (
            "document.links.length, document.body.append(Object.assign(document.createElement('a'), { href: '/?' + kept }))",
            "document.body.lastChild.remove()",
        ),
        ("roots[1].append(kept)", "roots[1].lastChild.remove()"),
    ] {
        page.eval(&format!("{script}, 1")).await;
        refuses(script).await;
        page.eval(&format!("{undo}, 1")).await;
        text_of(&page, "pdf", json!({})).await;
    }
}
