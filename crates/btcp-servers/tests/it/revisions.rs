//! Every revision: the same requests, raw, and what each revision makes of them.

use serde_json::{Value, json};

use crate::client::{Client, REVISIONS, STATELESS, error, initialize, text};

/// What only stateless results carry, and all of them.
fn assert_era(revision: &str, result: &Value) {
    let stateless = revision == STATELESS;
    let identity = &result["_meta"]["io.modelcontextprotocol/serverInfo"]["name"];
    assert_eq!(identity == "btcp", stateless, "{revision}: {result}");
    assert_eq!(result["resultType"] == "complete", stateless, "{revision}: {result}");
    assert_eq!(result.get("_meta").is_some(), stateless, "{revision}: {result}");
}

#[tokio::test]
async fn the_handshake_says_who_we_are_and_how_to_use_us() {
    for revision in REVISIONS {
        let mut client = Client::silent(revision);
        let answer = match revision {
            STATELESS => client.ask(1, "server/discover", json!({})).await,
            _ => client.ask(1, "initialize", initialize(revision)).await,
        };
        let result = &answer["result"];

        assert_eq!(result["instructions"], btcp_actions::GUIDE, "{revision}");
        assert_eq!(result["capabilities"], json!({ "tools": {} }), "{revision}");
        assert_era(revision, result);
        if revision == STATELESS {
            let newest_first: Vec<&str> = REVISIONS.into_iter().rev().collect();
            assert_eq!(result["supportedVersions"], json!(newest_first));
            assert!(result["ttlMs"].as_u64().is_some_and(|ttl| ttl > 0), "{result}");
            assert_eq!(result["cacheScope"], "public");
        } else {
            assert_eq!(result["protocolVersion"], revision);
            assert_eq!(result["serverInfo"]["name"], "btcp");
            assert_eq!(result["serverInfo"]["version"], env!("CARGO_PKG_VERSION"));
        }
    }
}

#[tokio::test]
async fn a_version_we_do_not_know_is_answered_with_the_newest_that_has_initialize() {
    for asked in ["1999-01-01", "2099-01-01", STATELESS] {
        let mut client = Client::silent("2025-11-25");
        let answer = client.ask(1, "initialize", initialize(asked)).await;
        assert_eq!(answer["result"]["protocolVersion"], "2025-11-25", "{asked}");

        let list = client.ask(2, "tools/list", json!({})).await;
        assert_era("2025-11-25", &list["result"]);
    }
}

#[tokio::test]
async fn tools_are_listed_in_every_revision() {
    for revision in REVISIONS {
        let mut client = Client::ready(revision).await;
        let answer = client.ask(1, "tools/list", json!({})).await;
        let result = &answer["result"];

        let names: Vec<&str> =
            result["tools"].as_array().unwrap().iter().filter_map(|t| t["name"].as_str()).collect();
        let preset_first_then_the_registrys_order = [
            "browser_describe",
            "browser_greet",
            "browser_paint",
            "browser_refuse",
            "browser_stall",
            "browser_fetch",
            "browser_break",
            "browser_quote",
        ];
        assert_eq!(names, preset_first_then_the_registrys_order, "{revision}");
        assert_era(revision, result);
        let stateless = revision == STATELESS;
        assert_eq!(result.get("ttlMs").is_some(), stateless, "{revision}: {result}");
        assert_eq!(result["cacheScope"] == "public", stateless, "{revision}: {result}");
        assert!(result.get("nextCursor").is_none(), "{result}");
    }
}

#[tokio::test]
async fn a_call_answers_with_content_and_nothing_else() {
    for revision in REVISIONS {
        let mut client = Client::ready(revision).await;
        let answer = client.call("browser_greet", json!({ "name": "Ada" })).await;
        let result = &answer["result"];

        assert_eq!(text(&answer), "Hello Ada", "{revision}");
        assert_era(revision, result);
        for absent in ["isError", "structuredContent"] {
            assert!(result.get(absent).is_none(), "{revision}: {result}");
        }
    }
}

#[tokio::test]
async fn what_an_action_says_against_it_is_a_result_for_the_model() {
    for revision in REVISIONS {
        let mut client = Client::ready(revision).await;
        let answer = client.call("browser_refuse", json!({})).await;

        assert_eq!(answer["result"]["isError"], true, "{revision}");
        assert!(text(&answer).starts_with("Not on a Sunday"), "{answer}");
        assert!(text(&answer).ends_with("(denied, done: no)"), "{answer}");
        assert_era(revision, &answer["result"]);
    }
}

#[tokio::test]
async fn wrong_arguments_are_a_result_for_the_model_too() {
    for revision in REVISIONS {
        let mut client = Client::ready(revision).await;
        for args in [json!({}), json!({ "name": 7 }), json!({ "name": "Ada", "nam": 1 })] {
            let answer = client.call("browser_greet", args).await;
            assert_eq!(answer["result"]["isError"], true, "{revision}: {answer}");
            assert!(text(&answer).contains("(invalid_params)"), "{answer}");
        }
    }
}

#[tokio::test]
async fn an_unknown_tool_is_an_error_that_names_the_nearest() {
    for revision in REVISIONS {
        let mut client = Client::ready(revision).await;
        let answer = client.call("browser_gret", json!({})).await;

        let (code, message) = error(&answer);
        assert_eq!(code, -32602, "{revision}");
        assert!(message.starts_with("Tool not found: 'browser_gret'"), "{message}");
        assert!(message.contains("browser_greet"), "{message}");
    }
}

#[tokio::test]
async fn an_unknown_method_is_named() {
    for revision in REVISIONS {
        let mut client = Client::ready(revision).await;
        for method in ["tools/sing", "resources/list", "prompts/list", "logging/setLevel"] {
            let answer = client.ask(1, method, json!({})).await;
            let (code, message) = error(&answer);
            assert_eq!(code, -32601, "{revision}");
            assert_eq!(message, format!("Method '{method}' does not exist in {revision}"));
        }
    }
}

#[tokio::test]
async fn ping_is_answered_until_it_was_removed() {
    for revision in REVISIONS {
        let mut client = Client::ready(revision).await;
        let answer = client.ask(1, "ping", json!({})).await;
        match revision {
            STATELESS => assert_eq!(error(&answer).0, -32601),
            _ => assert_eq!(answer["result"], json!({}), "{revision}"),
        }
    }
}

#[tokio::test]
async fn malformed_parameters_are_invalid_not_unknown() {
    for revision in REVISIONS {
        let mut client = Client::ready(revision).await;
        for params in [
            json!({}),
            json!({ "name": 7 }),
            json!({ "name": "browser_greet", "arguments": [] }),
            json!({ "name": "browser_greet", "arguments": "Ada" }),
        ] {
            let answer = client.ask(1, "tools/call", params).await;
            let (code, message) = error(&answer);
            assert_eq!(code, -32602, "{revision}");
            assert!(message.starts_with("tools/call has bad parameters: "), "{message}");
        }
        let answer = client.ask(1, "tools/list", json!({ "cursor": "page 2" })).await;
        assert_eq!(error(&answer).0, -32602, "{revision}");
        client.write_line(r#"{"jsonrpc":"2.0","id":2,"method":"tools/call","params":["a"]}"#).await;
        assert_eq!(error(&client.read().await), (-32602, "'params' must be an object"));
    }
}

#[tokio::test]
async fn a_batch_is_answered_in_2025_03_26_and_refused_elsewhere() {
    for revision in REVISIONS {
        let mut client = Client::ready(revision).await;
        let call = json!({ "name": "browser_greet", "arguments": { "name": "Ada" } });
        let batch = json!([
            client.request(1, "tools/call", call),
            { "jsonrpc": "2.0", "method": "notifications/initialized" },
            client.request(2, "tools/sing", json!({})),
            7,
            client.request(3, "initialize", initialize(revision)),
        ]);
        client.write(&batch).await;
        let answer = client.read().await;

        if revision != "2025-03-26" {
            assert_eq!(answer["id"], Value::Null);
            assert_eq!(error(&answer), (-32600, "Batches exist in revision 2025-03-26 only"));
            continue;
        }
        let answers = answer.as_array().unwrap();
        let of = |id: Value| answers.iter().find(|answer| answer["id"] == id).unwrap();
        assert_eq!(answers.len(), 4, "{answer}");
        assert_eq!(text(of(json!(1))), "Hello Ada");
        assert_eq!(error(of(json!(2))).0, -32601);
        assert_eq!(error(of(json!(3))).0, -32600);
        assert_eq!(error(of(Value::Null)).0, -32600);
    }
}

#[tokio::test]
async fn the_end_of_the_input_ends_the_server() {
    for revision in REVISIONS {
        let client = Client::ready(revision).await;
        assert_eq!(client.leave().await, Vec::<Value>::new(), "{revision}");
    }
}
