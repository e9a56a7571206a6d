//! What a snapshot never says: passwords, and text that a person cannot see.

use btcp_testkit::open;
use serde_json::json;

use crate::complete::{assert_has, assert_lacks, lines};
use crate::refusal::text_of;

/// Whether the field was seen as a password before, or only its name tells.
#[tokio::test]
async fn a_password_is_never_shown_also_when_the_page_shows_it() {
    let page = open("complete/states.html").await;
    text_of(&page, "click", json!({ "selector": "text=Show secret" })).await;

    for args in [
        json!({}),
        json!({ "mode": "interactive" }),
        json!({ "mode": "text" }),
        json!({ "includeHidden": true }),
        json!({ "selector": "#secret" }),
    ] {
        let tree = text_of(&page, "snapshot", args.clone()).await;
        assert!(!tree.contains("correct horse"), "{args}\n{tree}");
    }
    page.eval("secret.outerHTML = '<input name=password value=\"correct horse\">'; 1").await;
    let tree = text_of(&page, "snapshot", json!({})).await;
    assert!(!tree.contains("correct horse"), "{tree}");
    assert!(tree.contains("[password, 13 characters]"), "{tree}");
}

#[tokio::test]
async fn text_a_person_cannot_see_is_shown_only_when_asked_for() {
    let page = open("complete/unseen.html").await;

    let seen = lines(&page, json!({})).await;
    let all = lines(&page, json!({ "includeHidden": true })).await;

    assert_eq!(
        seen,
        [
            r#""Seen words""#,
            r#""Gradient words""#,
            r#""Hero words""#,
            r#""Stacked words""#,
            r#""Slide one""#,
            r#""White on black""#
        ]
    );
    assert_has(
        &all,
        &[
            r#""Off left""#,
            r#""Off above""#,
            r#""Indented away""#,
            r#""Reader only""#,
            r#""Path clipped""#,
            r#""Path half""#,
            r#""Transparent words""#,
            r#""Nearly transparent words""#,
            r#""No size words""#,
            r#""No box words""#,
            r#""Rolled up words""#,
            r#"button "Rolled up button" [hidden]"#,
            r#""Scaled away""#,
            r#""Moved away""#,
            r#""Same colour words""#,
            r#""Ghost words""#,
            r#""Not visible words""#,
            r#""Not displayed words""#,
            r#""Skipped words""#,
            r#""Hidden words""#,
            r#""Until found words""#,
            r#""Slide two""#,
        ],
    );
    assert_lacks(&all, &["Template words", "No script words"]);
}
