//! Lines that are no proper messages: each is answered, and the connection goes on.

use serde_json::{Value, json};

use crate::client::{Client, REVISIONS, error};

#[tokio::test]
async fn a_line_that_is_not_json_is_a_parse_error() {
    for revision in REVISIONS {
        let mut client = Client::ready(revision).await;
        for line in ["{", "hello", r#"{"jsonrpc":"2.0","id":1,"#, "\"\u{1}\"", "[1,"] {
            client.write_line(line).await;
            let answer = client.read().await;
            assert_eq!(answer["id"], Value::Null, "{line}");
            let (code, message) = error(&answer);
            assert_eq!(code, -32700, "{revision}: {line}");
            assert!(message.starts_with("The line is not JSON: "), "{message}");
        }
        client.is_up_to_date().await;
    }
}

#[tokio::test]
async fn json_that_is_no_message_is_an_invalid_request() {
    for revision in REVISIONS {
        let mut client = Client::ready(revision).await;
        for (line, id) in [
            ("7", Value::Null),
            (r#""hello""#, Value::Null),
            ("null", Value::Null),
            ("{}", Value::Null),
            ("[]", Value::Null),
            (r#"{"id":1,"method":"tools/list"}"#, json!(1)),
            (r#"{"jsonrpc":"1.0","id":1,"method":"tools/list"}"#, json!(1)),
            (r#"{"jsonrpc":"2.0","id":1}"#, json!(1)),
            (r#"{"jsonrpc":"2.0","id":1,"method":7}"#, json!(1)),
            (r#"{"jsonrpc":"2.0","id":null,"method":"tools/list"}"#, Value::Null),
            (r#"{"jsonrpc":"2.0","id":1.5,"method":"tools/list"}"#, Value::Null),
            (r#"{"jsonrpc":"2.0","id":{},"method":"tools/list"}"#, Value::Null),
        ] {
            client.write_line(line).await;
            let answer = client.read().await;
            assert_eq!(error(&answer).0, -32600, "{revision}: {line}");
            assert_eq!(answer["id"], id, "{line}");
        }
        client.is_up_to_date().await;
    }
}

#[tokio::test]
async fn what_wants_no_answer_gets_none() {
    for revision in REVISIONS {
        let mut client = Client::ready(revision).await;
        for line in [
            "",
            "   \r",
            r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#,
            r#"{"jsonrpc":"2.0","method":"notifications/sung","params":{"song":1}}"#,
            r#"{"jsonrpc":"2.0","method":"notifications/cancelled"}"#,
            r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":99}}"#,
            r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":[]}}"#,
            r#"{"jsonrpc":"2.0","id":5,"result":{}}"#,
            r#"{"jsonrpc":"2.0","id":5,"error":{"code":-1,"message":"no"}}"#,
        ] {
            client.write_line(line).await;
        }
        client.is_up_to_date().await;
    }
}

#[tokio::test]
async fn ids_come_back_as_they_were_sent() {
    let mut client = Client::ready("2025-11-25").await;
    for id in [json!(0), json!(-7), json!(i64::MAX), json!(""), json!("7"), json!("ä\n")] {
        client.ask(id, "ping", json!({})).await;
    }
}

#[tokio::test]
async fn windows_line_ends_and_byte_order_marks_are_read() {
    let mut client = Client::silent("2025-11-25");
    client.write_line("\u{feff}{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}\r").await;
    assert_eq!(client.read().await, json!({ "jsonrpc": "2.0", "id": 1, "result": {} }));
}

#[tokio::test]
async fn a_line_beyond_all_measure_is_refused_and_the_next_one_answered() {
    let mut client = Client::ready("2025-11-25").await;
    let long = "x".repeat(17 * 1024 * 1024);
    client.write_line(&long).await;
    let answer = client.read().await;
    assert_eq!(error(&answer), (-32600, "The line is longer than 16 MB"));
    client.is_up_to_date().await;
}

#[tokio::test]
async fn a_request_before_initialize_says_what_is_missing() {
    let mut client = Client::silent("2025-11-25");
    assert_eq!(client.ask(1, "ping", json!({})).await["result"], json!({}));

    let answer = client.ask(2, "tools/list", json!({})).await;
    let (code, message) = error(&answer);
    assert_eq!(code, -32602);
    assert!(message.contains("io.modelcontextprotocol/protocolVersion"), "{message}");
    assert!(message.contains("initialize"), "{message}");

    client.greet().await;
    client.is_up_to_date().await;
}

#[tokio::test]
async fn initialize_without_its_parameters_is_invalid() {
    let mut client = Client::silent("2025-11-25");
    let answer = client.ask(1, "initialize", json!({ "capabilities": {} })).await;
    let (code, message) = error(&answer);
    assert_eq!(code, -32602);
    assert!(message.contains("protocolVersion"), "{message}");
    client.greet().await;
}
