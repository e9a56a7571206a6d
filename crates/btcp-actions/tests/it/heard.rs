//! Pages that have a say in what is filled in: they hear of it as of typed text, may refuse it, and
//! may do anything once they have it.

use btcp_testkit::open;
use serde_json::json;

use crate::refusal::{assert_goes_on, refused, text_of};

const FILL: &str = "fields/heard.html";

/// In the order in which a keyboard's text is told; what was there is replaced in one step.
#[tokio::test]
async fn a_page_hears_of_filled_text_as_of_typed() {
    let page = open(FILL).await;

    for (field, value) in [("plain", "new"), ("notes", "two\nlines")] {
        let args = json!({ "selector": format!("#{field}"), "value": value, "changes": false });
        text_of(&page, "fill", args).await;
    }

    let expected = [
        "beforeinput plain insertText new old",
        "textInput plain  new old",
        "input plain insertText new new",
        "change plain   new",
        "beforeinput notes insertText two\nlines",
        "textInput notes  two\nlines",
        // Of several lines Chrome tells one by one, once all are there.
        "input notes insertText two two\nlines",
        "input notes insertText  two\nlines",
        "input notes insertText lines two\nlines",
    ];
    let log = page.log().await;
    let log: Vec<&str> = log.iter().map(|line| line.trim_end()).collect();
    assert_eq!(log, expected);
}

/// What a page does not let in is not in the field, and the answer says what is.
#[tokio::test]
async fn a_page_may_refuse_what_is_filled_in() {
    let page = open(FILL).await;

    for field in ["cancels", "cancels-old"] {
        for changes in [true, false] {
            let args = json!({ "selector": format!("#{field}"), "value": "x", "changes": changes });
            let said = text_of(&page, "fill", args).await;

            assert!(said.contains(r#", now """#), "{field} {changes}: {said}");
            assert_eq!(page.eval(&format!("at('{field}').value")).await, "", "{said}");
        }
    }
}

/// A field or a frame that is gone once it has its text had it: it is told so, and nothing again.
#[tokio::test]
async fn a_field_that_goes_away_with_its_text_was_filled() {
    for changes in [true, false] {
        let page = open(FILL).await;

        let args = json!({ "selector": "#gone", "value": "last", "changes": changes });
        let said = text_of(&page, "fill", args).await;
        assert!(said.starts_with(r#"filled textbox "Gone" e"#), "{said}");

        let args = json!({ "selector": "#sender >> #inner", "value": "sent", "changes": changes });
        let said = text_of(&page, "fill", args).await;
        assert!(said.starts_with(r#"filled textbox "Sender" e"#), "{said}");
        let log = page.log().await;
        assert_eq!(log.iter().filter(|line| *line == "sent").count(), 1, "{log:?}");
        assert_goes_on(&page).await;
    }
}

/// A dialog out of the field's handler holds up the page code that fills it, and nobody else.
#[tokio::test]
async fn a_dialog_that_opens_over_filled_text_is_told() {
    let page = open(FILL).await;

    let filled = page.call("fill", json!({ "selector": "#asks", "value": "x" })).await;
    let told = match filled {
        Ok(outcome) => outcome.text.for_model(),
        Err(failure) => {
            assert_ne!(failure.done.map(|done| done.name()), Some("no"), "{}", failure.text());
            failure.text()
        }
    };
    assert!(told.contains("Take it?"), "{told}");

    text_of(&page, "dialog", json!({ "action": "accept" })).await;
    assert_eq!(page.eval("at('asks').value + log.includes(true)").await, "xtrue");
}

/// A page that gives the keyboard to another field when it hears of text does not get the text there.
#[tokio::test]
async fn text_goes_into_no_other_field() {
    let page = open(FILL).await;

    for changes in [true, false] {
        let args = json!({ "selector": "#flees", "value": "mine", "changes": changes });
        let said = text_of(&page, "fill", args).await;

        assert!(said.contains(r#", now """#), "{changes}: {said}");
        assert_eq!(page.eval("at('flees').value + at('other').value").await, "", "{said}");
    }
}

/// Undo takes it back in one step, a limit cuts it, and the keyboard that was led away takes none of it.
#[tokio::test]
async fn filled_text_is_what_a_person_would_have_put_in() {
    let page = open(FILL).await;

    let args = json!({ "selector": "#plain", "value": "new", "changes": false });
    text_of(&page, "fill", args).await;
    text_of(&page, "press", json!({ "key": "Control+z" })).await;
    assert_eq!(page.eval("at('plain').value").await, "old");

    let args = json!({ "selector": "#max", "value": "abcdefgh", "changes": false });
    let said = text_of(&page, "fill", args).await;
    assert!(said.contains(r#"now "abcde""#), "{said}");

    // Where the page leads the keyboard, there a person's text would go too: but it is told.
    let said = text_of(&page, "fill", json!({ "selector": "#moves", "value": "mine" })).await;
    assert!(said.contains(r#"the event went to textbox "Other""#), "{said}");
    assert_eq!(page.eval("at('moves').value + at('other').value").await, "mine");
}

/// In a document of XML there are no editing commands: text goes in by the keyboard's way.
#[tokio::test]
async fn fields_in_documents_of_xml_are_filled_too() {
    let page = open(FILL).await;
    page.eval(
        "const xml = '<html xmlns=\"http://www.w3.org/1999/xhtml\"><body><label>Strict <input id=\"strict\" /></label></body></html>'; \
         const frame = document.createElement('iframe'); frame.id = 'xml'; \
         frame.src = URL.createObjectURL(new Blob([xml], { type: 'application/xhtml+xml' })); \
         document.body.append(frame); 1",
    )
    .await;

    for changes in [true, false] {
        let args = json!({ "selector": "#xml >> #strict", "value": "text", "changes": changes });
        let said = text_of(&page, "fill", args).await;

        assert!(said.contains(r#"now "text""#), "{said}");
        let held = "at('xml').contentDocument.getElementById('strict').value";
        assert_eq!(page.eval(held).await, "text");
    }
    let gone = refused(
        &page,
        "fill",
        json!({ "selector": "#xml >> #none", "value": "x", "timeout": 200 }),
    );
    assert_eq!(gone.await.done.map(|done| done.name()), Some("no"));
}
