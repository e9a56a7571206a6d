//! Nothing a person can see or use is missing from a snapshot, and nothing more is in it.
//!
//! Layers, image maps, styled controls, frames at any depth, every state. Closed shadow roots,
//! listeners and what must stay unsaid have files of their own. The pages are in
//! `testpages/complete`.

use btcp_testkit::{TestPage, open};
use serde_json::json;

use crate::refusal::{is_ref, ref_of, text_of};

/// The snapshot's lines without indent and refs.
pub(crate) async fn lines(page: &TestPage, args: serde_json::Value) -> Vec<String> {
    let tree = text_of(page, "snapshot", args).await;
    tree.lines().skip(1).map(without_ref).collect()
}

fn without_ref(line: &str) -> String {
    let line = line.trim_start();
    if line.starts_with('"') {
        return line.to_owned();
    }
    // Names on these pages hold no refs of their own.
    let words = line.split(' ').filter(|word| !is_ref(word));
    words.collect::<Vec<_>>().join(" ")
}

pub(crate) fn assert_has(lines: &[String], wanted: &[&str]) {
    for line in wanted {
        assert!(lines.iter().any(|l| l == line), "no line\n{line}\nin\n{}", lines.join("\n"));
    }
}

pub(crate) fn assert_lacks(lines: &[String], words: &[&str]) {
    let all = lines.join("\n");
    for word in words {
        assert!(!all.contains(word), "{word} is in\n{all}");
    }
}

#[tokio::test]
async fn popovers_are_read_where_they_stand_and_say_whether_they_are_open() {
    let page = open("complete/layers.html").await;
    let closed = lines(&page, json!({})).await;
    assert_has(&closed, &[r#"button "Open menu" [collapsed]"#]);
    assert_lacks(&closed, &["First of menu", "Manual words"]);

    text_of(&page, "click", json!({ "selector": "text=Open menu" })).await;
    page.eval("$('manual').showPopover()").await;

    let open = lines(&page, json!({})).await;
    assert_has(
        &open,
        &[
            r#"button "Open menu" [expanded, focused]"#,
            r#"button "First of menu""#,
            r#""Manual words""#,
            r#"link "Manual link" /manual"#,
            r#"button "Plain""#,
        ],
    );
    text_of(&page, "click", json!({ "selector": "text=First of menu" })).await;
    assert_eq!(page.log().await.last().map(String::as_str), Some("click First of menu"));
}

#[tokio::test]
async fn only_the_dialog_on_top_can_be_read_and_the_rest_is_counted() {
    let page = open("complete/layers.html").await;

    page.eval("$('outer').showModal(); portal()").await;
    let one = lines(&page, json!({})).await;
    assert_has(&one, &[r#"dialog "Outer" [modal]"#, r#"button "More" [focused]"#]);
    assert_lacks(&one, &["Plain", "Portal option"]);
    assert!(one.last().is_some_and(|l| l.ends_with(r#"behind dialog "Outer""#)), "{one:?}");

    page.eval("$('inner').showModal()").await;
    let two = lines(&page, json!({})).await;
    assert_has(&two, &[r#"dialog "Inner" [modal]"#, r#"button "Deepest" [focused]"#]);
    assert_lacks(&two, &["More\"", "Outer words"]);
    assert!(two.last().is_some_and(|l| l.ends_with(r#"behind dialog "Inner""#)), "{two:?}");
}

/// A list that a dialog opens outside of itself belongs to what can be used.
#[tokio::test]
async fn a_portal_above_a_modal_that_is_only_claimed_is_read() {
    let page = open("complete/layers.html").await;
    page.eval("document.body.insertAdjacentHTML('beforeend', '<div role=dialog aria-modal=true aria-label=Claimed style=\"position:fixed;inset:0;background:white\"><button>Inside</button></div>'); portal()").await;

    let lines = lines(&page, json!({})).await;

    assert_has(&lines, &[r#"button "Inside""#, r#"option "Portal option""#]);
    assert_lacks(&lines, &["Plain"]);
}

#[tokio::test]
async fn what_is_inert_is_one_line_and_hushed_controls_are_kept() {
    let page = open("complete/layers.html").await;

    let lines = lines(&page, json!({})).await;

    assert_has(&lines, &["… 2 more controls", r#"button "Hushed button""#]);
    assert_lacks(&lines, &["Asleep", "Hushed words"]);
}

#[tokio::test]
async fn details_show_what_they_show() {
    let page = open("complete/layers.html").await;

    let before = lines(&page, json!({})).await;
    text_of(&page, "click", json!({ "selector": "text=Closed details" })).await;
    let after = lines(&page, json!({})).await;

    assert_has(
        &before,
        &[
            r#"disclosuretriangle "Closed details" [collapsed]"#,
            r#"disclosuretriangle "Open details" [expanded]"#,
            r#""Open words""#,
            r#"button "Open button""#,
        ],
    );
    assert_lacks(&before, &["Closed words", "Closed button"]);
    assert_has(&after, &[r#""Closed words""#, r#"button "Closed button""#]);
}

#[tokio::test]
async fn areas_of_an_image_map_are_links_to_click() {
    let page = open("complete/graphics.html").await;

    for (what, heard) in [
        (r#"link "West wing""#, "click #west"),
        (r#"link "Middle""#, "click #mid"),
        (r#"link "East wing""#, "click #east"),
        (r#"link "Drawn link""#, "click #svg"),
        (r#"link "Square""#, "click #old"),
        (r#"link "mass""#, "click #mass"),
        (r#"clickable "F=m""#, "click listened"),
        (r#"canvas "Board""#, "board"),
    ] {
        let target = ref_of(&page, what).await;
        text_of(&page, "click", json!({ "selector": target })).await;
        assert_eq!(page.log().await.last().map(String::as_str), Some(heard), "{what}");
    }
    assert_lacks(&lines(&page, json!({})).await, &["No link", "Fallback words"]);
}

#[tokio::test]
async fn pictures_media_and_editable_text_have_lines_with_refs() {
    let page = open("complete/graphics.html").await;
    // Chrome shows what stands in for a picture that did not come some time after the load.
    page.call("wait", json!({ "text": "Instead of a picture" })).await.unwrap();

    let tree = text_of(&page, "snapshot", json!({})).await;

    for what in [
        r#"graphics-symbol "Red dot""#,
        r#"canvas "Board""#,
        r#"video "Film""#,
        r#"audio "Song""#,
        r#"textbox "Note" e"#,
        r#"textbox "Empty note""#,
    ] {
        ref_of(&page, what.trim_end_matches(" e")).await;
    }
    // One without a name can be clicked all the same.
    let blank =
        tree.lines().filter_map(|line| line.trim().strip_prefix("canvas ")).find(|r| is_ref(r));
    assert!(blank.is_some(), "{tree}");
    assert!(tree.contains(r#""Instead of a picture""#), "{tree}");
    ref_of(&page, r#"link "Instead link""#).await;
    assert!(tree.contains(r#" = "Some bold words""#), "{tree}");
    assert!(tree.contains(r#" = "Plain words""#), "{tree}");
}

/// What scrolls by itself has a ref to scroll it by.
#[tokio::test]
async fn a_box_that_scrolls_is_said_to_and_scrolled_by_its_ref() {
    let page = open("scroll.html").await;

    let tree = text_of(&page, "snapshot", json!({})).await;

    let line =
        tree.lines().find(|line| line.contains(" [scrolls")).unwrap_or_else(|| panic!("{tree}"));
    let number = line.split(' ').find(|word| is_ref(word)).unwrap_or_else(|| panic!("{line}"));
    text_of(&page, "scroll", json!({ "selector": number, "amount": 300 })).await;
    page.until("document.getElementById('list').scrollTop === 300").await;
}

#[tokio::test]
async fn checkboxes_that_only_a_label_shows_are_listed_and_ticked() {
    let page = open("complete/controls.html").await;

    for (what, id) in [
        (r#"checkbox "Transparent""#, "c1"),
        (r#"checkbox "Clipped""#, "c2"),
        (r#"checkbox "By path""#, "c3"),
        (r#"checkbox "Not displayed""#, "c4"),
        (r#"checkbox "Not visible""#, "c5"),
        (r#"checkbox "Away""#, "c6"),
        (r#"radio "No look""#, "c7"),
    ] {
        let target = ref_of(&page, what).await;
        text_of(&page, "check", json!({ "selector": target })).await;
        let heard = format!("{id} true");
        assert_eq!(page.log().await.last().map(String::as_str), Some(heard.as_str()), "{what}");
    }
    let lines = lines(&page, json!({})).await;
    assert_has(
        &lines,
        &[r#"checkbox "Transparent" [checked]"#, r#"checkbox "Not displayed" [checked, hidden]"#],
    );
}

#[tokio::test]
async fn file_inputs_behind_a_label_or_a_button_are_listed() {
    let page = open("complete/controls.html").await;

    let lines = lines(&page, json!({})).await;

    assert_has(
        &lines,
        &[
            r#"button "Photo" [hidden]"#,
            r#"button "Choose File" [hidden]"#,
            r#"button "Upload document""#,
            r#"button "Over all""#,
        ],
    );
    assert_lacks(&lines, &["\"Photo\"\n"]);
    assert!(!lines.contains(&r#""Photo""#.to_owned()), "the label is said twice: {lines:?}");
}

#[tokio::test]
async fn a_closed_select_reads_as_what_is_chosen() {
    let page = open("complete/controls.html").await;

    let text = lines(&page, json!({ "mode": "text" })).await;
    let hidden = lines(&page, json!({ "mode": "text", "includeHidden": true })).await;

    for lines in [text, hidden] {
        assert_has(&lines, &[r#""Bergen""#, r#""Red""#, r#""C""#]);
        assert_lacks(&lines, &["Oslo", "Trondheim", "\"7\""]);
    }
}

#[tokio::test]
async fn every_state_is_said_in_the_order_of_the_contract() {
    let page = open("complete/states.html").await;

    assert_has(
        &lines(&page, json!({})).await,
        &[
            r#"heading "Third" [h3]"#,
            r#"heading "Fifth" [h5]"#,
            "list [20 items]",
            r#"textbox "Secret" [password, 13 characters]"#,
            r#"checkbox "Checked" [checked]"#,
            r#"checkbox "Mixed" [mixed]"#,
            r#"checkbox "Aria mixed" [mixed]"#,
            r#"tab "Tab one" [selected]"#,
            r#"tab "Tab two""#,
            r#"button "Pressed" [pressed]"#,
            r#"button "Half pressed" [mixed]"#,
            r#"button "Expanded" [expanded]"#,
            r#"button "Collapsed" [collapsed]"#,
            r#"button "All of them" [pressed, collapsed, current, disabled]"#,
            r#"link "Here" [current] /here"#,
            r#"button "Disabled" [disabled]"#,
            r#"textbox "Under" [disabled]"#,
            r#"button "Aria disabled" [disabled]"#,
            r#"textbox "Fixed" = "9" [readonly]"#,
            r#"textbox "Needed" [required]"#,
            r#"textbox "Wrong" [invalid: "Too short"]"#,
            r#"spinbutton "Everything" = "5" [1 to 9, readonly, required, invalid: "Too short"]"#,
            r#"slider "Volume" = "7" [0 to 10]"#,
        ],
    );
    page.eval("everything.focus()").await;
    assert_has(
        &lines(&page, json!({})).await,
        &[
            r#"spinbutton "Everything" = "5" [1 to 9, readonly, required, invalid: "Too short", focused]"#,
        ],
    );
    page.eval("dialog.showModal()").await;
    assert_has(
        &lines(&page, json!({})).await,
        &[r#"dialog "Ask" [modal]"#, r#"button "Yes" [focused]"#],
    );
}

#[tokio::test]
async fn controls_of_every_frame_and_root_are_read_and_clicked() {
    let page = open("complete/everywhere.html").await;
    let places = [
        "Top",
        "Same",
        "Same closed",
        "Other",
        "Other closed",
        "Third",
        "Third closed",
        "Object",
        "Object closed",
        "Open",
        "Nested",
        "Closed",
    ];

    let lines = lines(&page, json!({})).await;
    for place in places {
        let button = format!(r#"button "{place} button""#);
        let field = format!(r#"textbox "{place} field""#);
        assert_has(&lines, &[&button, &field]);
    }
    for place in places {
        let target = ref_of(&page, &format!(r#"button "{place} button""#)).await;
        text_of(&page, "click", json!({ "selector": target })).await;
        page.until(&format!("log.at(-1) === 'click {place} button'")).await;
    }
}

#[tokio::test]
async fn frames_are_read_at_any_depth() {
    let page = open("complete/nest.html?depth=30").await;

    text_of(&page, "wait", json!({ "text": "Depth 1", "timeout": "60s" })).await;
    let lines = lines(&page, json!({ "timeout": "60s" })).await;

    for depth in 1..=30 {
        assert_has(&lines, &[&format!(r#"button "Depth {depth}""#)]);
    }
    // Twelve deep: further down nothing of them is in view, as their heights are.
    let deep = ref_of(&page, r#"button "Depth 19""#).await;
    text_of(&page, "click", json!({ "selector": deep })).await;
    page.until("log.includes('click 19')").await;
}

/// Lines are indented so far and no further; no control is left out for it.
#[tokio::test]
async fn what_is_deeper_than_lines_are_indented_is_read_all_the_same() {
    let page = open("describe.html").await;
    page.eval(
        "const groups = (count, inner) => '<div role=group aria-label=Group>'.repeat(count) + inner + '</div>'.repeat(count);
         new Promise((done) => {
           document.body.innerHTML = groups(40, '<button>Deep</button>') + groups(10, '<iframe title=Inside></iframe>');
           const srcdoc = groups(20, '<button>Deep inside</button>');
           Object.assign(document.querySelector('iframe'), { onload: () => done(1), srcdoc });
         })",
    )
    .await;

    let tree = text_of(&page, "snapshot", json!({})).await;

    let (own, framed) = tree.split_once("iframe \"Inside\"").unwrap_or_else(|| panic!("{tree}"));
    assert!(own.contains("button \"Deep\" e"), "{tree}");
    assert_eq!(framed.matches("group \"Group\"").count(), 20, "{tree}");
    let deepest = tree.lines().map(|line| line.len() - line.trim_start().len()).max();
    assert_eq!(deepest, Some(2 * 23), "{tree}");
    let button = ref_of(&page, r#"button "Deep inside""#).await;
    text_of(&page, "click", json!({ "selector": button })).await;
    let less = text_of(&page, "snapshot", json!({ "maxDepth": 12 })).await;
    assert_eq!(less.matches("group \"Group\"").count(), 12 + 10 + 1, "{less}");
}

/// `aria-owns` moves things under their owner; what a name leaves out is said beside it.
#[tokio::test]
async fn what_belongs_elsewhere_is_read_where_it_belongs() {
    let page = open("complete/belongings.html").await;

    let tree = text_of(&page, "snapshot", json!({})).await;

    let read: Vec<String> = tree.lines().skip(1).map(without_ref).collect();
    assert_eq!(
        read,
        [
            r#"menubar "Commands""#,
            r#"menuitem "Start""#,
            r#"menuitem "Edit""#,
            r#"menuitem "File""#,
            r#""Between""#,
            r#"link "Read on" /card"#,
            r#""A picture's words""#,
            r#""Above it all""#,
            r#""Text""#,
            r#""Below it all""#,
        ],
        "{tree}"
    );
    let edit = ref_of(&page, r#"menuitem "Edit""#).await;
    text_of(&page, "click", json!({ "selector": edit })).await;
    assert_eq!(page.log().await, ["edit"]);
}

/// Chrome leaves actions out of the names of their items, and tooltips that repeat what is written.
#[tokio::test]
async fn what_a_name_leaves_out_is_said_beside_it_and_once() {
    let page = open("names/labels.html").await;

    let actions = lines(&page, json!({ "selector": "#actions" })).await.join("\n");
    for said in [
        "tab \"Inbox\"\nbutton \"Close\"\nbutton \"Pin\"",
        "button \"SaveNow\"\n\"As\"",
        "button \"Title\"\n\"Nothing else\"",
        "button \"a button\"\n\"with an action\"",
        "button \"Owner\"\n\"owned action\"",
    ] {
        assert!(actions.contains(said), "no\n{said}\nin\n{actions}");
    }

    let repeats = lines(&page, json!({ "selector": "#repeats" })).await;
    let once = [r#"navigation: "Same""#, r#"listitem: "Same""#, r#"heading "Around" [h3]: "Same""#];
    assert_has(&repeats, &once);
    assert_has(&repeats, &[r#"navigation "same": "Same""#, r#"textbox "Same" = "Same""#]);
}
