//! Secrets read, bound, put in and taken out of every form.

use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD};
use serde_json::json;

use super::*;

const VALUES: [&str; 6] = [
    "correct-horse",
    "p\"a\\ss/w0rd+&<x>'",
    "pass word  with\ttabs",
    "pässwörd🔑漢字",
    "12345678",
    "a%20b+c=d/e?f#g",
];

/// A keyring with one key.
struct Ring;

impl Keyring for Ring {
    fn value(&self, description: &str) -> Result<String, String> {
        match description {
            "btcp:BANK" => Ok("correct-horse".into()),
            _ => Err(format!("it has no '{description}'")),
        }
    }
}

fn only(value: &str) -> Secrets {
    let mut secrets = Secrets::default();
    let text = json!({ "KEY": { "value": value, "origins": ["https://a.test"] } });
    secrets.read_file(&text.to_string(), &Ring).unwrap();
    secrets
}

fn masked(value: &str, text: &str) -> String {
    let mut text = text.to_owned();
    only(value).mask(&mut text);
    text
}

#[test]
fn a_secret_is_taken_out_of_every_form() {
    for value in VALUES {
        let encoded: String = value.bytes().map(|byte| format!("%{byte:02x}")).collect();
        let mut forms = vec![
            value.to_owned(),
            json!(value).to_string(),
            json!(json!(value).to_string()).to_string(),
            crate::text::quoted(value),
            encoded.clone(),
            encoded.to_uppercase(),
            value.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;"),
        ];
        for before in ["", "u", "us", "user:", "admin:"] {
            for after in ["", "!", "@@"] {
                let text = format!("{before}{value}{after}");
                forms.push(STANDARD.encode(&text));
                forms.push(URL_SAFE_NO_PAD.encode(&text));
            }
        }
        for form in forms {
            let text = masked(value, &format!("before {form} after"));
            assert!(text.contains("{{secret:KEY}}"), "{value:?} as {form:?}: {text}");
            assert!(text.starts_with("before ") && text.ends_with(" after"), "{text}");
            assert!(!text.contains(value), "{value:?}: {text}");
        }
    }
}

#[test]
fn another_case_or_grouping_makes_no_other_secret() {
    for (value, shown) in [
        ("4242424242424242", "4242 4242 4242 4242"),
        ("4242424242424242", "4242 - 4242 - 4242 - 4242"),
        ("correct-horse", "CORRECT-HORSE"),
        ("correct-horse", "Correct-Horse"),
        ("c0rrect-horse", "C0rrect Horse"),
        ("correct-horse", "co.rr.ec.t-.ho.rs.e"),
        ("straße-nacht", "STRASSE-NACHT"),
    ] {
        let text = masked(value, &format!("before {shown} after"));
        assert_eq!(text, "before {{secret:KEY}} after", "{value} as {shown}");
        assert_eq!(only(value).held_in(shown).len(), 1, "{value} as {shown}");
    }
    for apart in ["correct\nhorse", "correct, and a horse", "Correct Horse", "a \"correct\" horse"]
    {
        assert_eq!(masked("correct-horse", apart), apart);
    }
    assert_eq!(masked("a-b-c-d", "A B C D"), "A B C D", "too few letters to be told from chance");
}

/// What a field has made of a secret, whatever that is, is not told.
#[test]
fn what_stands_where_a_secret_was_put_is_told_by_its_name() {
    for (text, told) in [
        ("correct-horse", "{{secret:KEY}}"),
        ("Bearer correct-horse", "Bearer {{secret:KEY}}"),
        ("•••• orse", "{{secret:KEY}}"),
        ("corr", "{{secret:KEY}}"),
        ("", ""),
    ] {
        let mut text = text.to_owned();
        only("correct-horse").mask_given("KEY", &mut text);
        assert_eq!(text, told);
    }
}

#[test]
fn a_secret_that_is_cut_off_or_spread_over_messages_is_taken_out() {
    assert_eq!(masked("correct-horse", "x correct-h…"), "x {{secret:KEY}}…");
    assert_eq!(masked("correct-horse", "x cor…"), "x cor…");
    let lines = "log \"correct\"\nlog \"-horse\"\nlog \"battery\"";
    assert_eq!(masked("correct-horse", lines), "log \"{{secret:KEY}}\"\nlog \"\"\nlog \"battery\"");
    let letters: Vec<String> = "correct-horse".chars().map(|c| format!("log \"{c}\"")).collect();
    let text = masked("correct-horse", &letters.join("\n"));
    assert!(text.starts_with("log \"{{secret:KEY}}\"\nlog \"\""), "{text}");
    let apart = "log \"a \\\"correct\" and \"-horse\"";
    assert_eq!(masked("correct-horse", apart), "log \"a \\\"{{secret:KEY}}\" and \"\"");

    let mut data = json!({ "messages": [
        { "text": "correct", "args": ["cor", "rect"] }, { "text": "-horse!", "args": ["-horse"] },
    ] , "correct-horse": 1, "image": "correct-horse" });
    only("correct-horse").mask_value(&mut data, &|text| text == "correct-horse");
    assert_eq!(
        data,
        json!({ "messages": [
        { "text": "{{secret:KEY}}", "args": ["{{secret:KEY}}", ""] }, { "text": "!", "args": [""] },
    ], "{{secret:KEY}}": 1, "image": "correct-horse" })
    );
}

#[test]
fn what_is_no_secret_stays() {
    assert_eq!(
        masked("a b/c\\d", "/x#a%20b/c%5cd&a%20b%2Fc\\d."),
        "/x#{{secret:KEY}}&{{secret:KEY}}."
    );
    for text in [
        "",
        "correct%20horse",
        "100%",
        "correct horse",
        "Y29ycmVjdA",
        "\"quoted\" and \"more\"",
        "…",
    ] {
        assert_eq!(masked("correct-horse", text), text);
    }
    let mut text = "anything".to_owned();
    Secrets::default().mask(&mut text);
    assert_eq!(text, "anything");
}

#[test]
fn names_are_replaced_by_values_and_say_where_they_may_go() {
    let (secrets, mut carried) = (only("correct-horse"), Vec::new());
    let filled = secrets.fill_in("a {{secret:KEY}} b {{ secret:KEY}} {{secret:", &mut carried);
    assert_eq!(filled.unwrap(), "a correct-horse b {{ secret:KEY}} {{secret:");
    assert_eq!(carried.len(), 1);
    assert_eq!(carried[0].origins, ["https://a.test"]);
    let error = secrets.fill_in("{{secret:OTHER}}", &mut carried).unwrap_err();
    assert_eq!(error.to_string(), "Secret 'OTHER' is not known; there are KEY");
    assert!(!format!("{secrets:?}").contains("horse"));
}

#[test]
fn variables_and_files_are_read_and_mistakes_told_without_values() {
    let variable = |name: &str, value: &str| (name.to_owned(), value.to_owned());
    let read = Secrets::from_variables(
        [
            variable("BTCP_SECRET_BANK", "correct-horse"),
            variable("BTCP_SECRET_BANK_ORIGINS", "https://A.test:443/, http://b.test:8080"),
            variable("PATH", "/bin"),
        ],
        &Ring,
    );
    assert_eq!(read.unwrap().0[0].origins, ["https://a.test", "http://b.test:8080"]);
    for (wrong, says) in [
        (vec![variable("BTCP_SECRET_A", "correct-horse")], "has no BTCP_SECRET_A_ORIGINS"),
        (vec![variable("BTCP_SECRET_A_ORIGINS", "https://a.test")], "has no BTCP_SECRET_A"),
        (
            vec![
                variable("BTCP_SECRET_A", "abc"),
                variable("BTCP_SECRET_A_ORIGINS", "https://a.test"),
            ],
            "is shorter than 4 characters",
        ),
        (
            vec![variable("BTCP_SECRET_A", "abcdef"), variable("BTCP_SECRET_A_ORIGINS", "a.test")],
            "'a.test' is no origin",
        ),
        (
            vec![variable("BTCP_SECRET_A", "abcdef"), variable("BTCP_SECRET_A_ORIGINS", " ")],
            "is bound to no origin",
        ),
    ] {
        let error = Secrets::from_variables(wrong, &Ring).unwrap_err();
        assert!(error.contains(says), "{error}");
    }
    for wrong in [
        r#"{"A": "correct-horse"}"#,
        r#"{"A": {"value": "correct-horse", "origin": ["https://a.test"]}}"#,
        r#"{"A": {"value": "correct-horse", "origins": []}}"#,
        r#"{"A": {"value": "correct-horse", "keyring": "btcp:BANK", "origins": ["https://a.test"]}}"#,
        r#"{"A": {"origins": ["https://a.test"]}}"#,
        r#"{"a b": {"value": "correct-horse", "origins": ["https://a.test"]}}"#,
    ] {
        let error = Secrets::default().read_file(wrong, &Ring).unwrap_err();
        assert!(!error.contains("horse"), "{error}");
    }
}

#[test]
fn a_value_may_be_in_the_systems_keyring() {
    let variable = |name: &str, value: &str| (name.to_owned(), value.to_owned());
    let origins = variable("BTCP_SECRET_BANK_ORIGINS", "https://a.test");
    let named = variable("BTCP_SECRET_BANK_KEYRING", "btcp:BANK");
    let read = Secrets::from_variables([origins.clone(), named.clone()], &Ring).unwrap();
    assert_eq!(read.fill_in("{{secret:BANK}}", &mut Vec::new()).unwrap(), "correct-horse");

    let both = [origins.clone(), named, variable("BTCP_SECRET_BANK", "battery")];
    let error = Secrets::from_variables(both, &Ring).unwrap_err();
    assert_eq!(error, "BTCP_SECRET_BANK and BTCP_SECRET_BANK_KEYRING are both set");
    let missing = [origins, variable("BTCP_SECRET_BANK_KEYRING", "btcp:NO")];
    let error = Secrets::from_variables(missing, &Ring).unwrap_err();
    assert_eq!(error, "Secret 'BANK' cannot be had: it has no 'btcp:NO'");

    let mut secrets = Secrets::default();
    let text = r#"{"BANK": {"keyring": "btcp:BANK", "origins": ["https://a.test"]}}"#;
    secrets.read_file(text, &Ring).unwrap();
    assert_eq!(secrets.fill_in("{{secret:BANK}}", &mut Vec::new()).unwrap(), "correct-horse");
}

#[test]
fn fields_that_show_a_secret_are_known_by_what_stands_in_them() {
    let secrets = only("correct-horse");
    let told = |texts: &[&str]| -> Vec<bool> {
        secrets.found_in(texts).iter().map(Option::is_some).collect()
    };
    assert_eq!(told(&["Ada", "my correct-horse!", "Y29ycmVjdC1ob3JzZQ=="]), [false, true, true]);
    // A field that takes only so many characters, or is still being typed into.
    assert_eq!(told(&["correct-h", "cor", "correct"]), [true, false, true]);
    // A letter a field.
    assert_eq!(told(&["x", "correct", "-hor", "se", ""]), [false, true, true, true, false]);
}
