//! Servers whose certificate nobody vouches for: told as such, and nothing of them is shown.

use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use btcp_testkit::{open, server};
use serde_json::json;

use crate::refusal::assert_refused;

/// Answers over TLS with `testpages/tls/self-signed.pem`, a certificate for 127.0.0.1 made for these
/// tests only. Says its port first.
const SERVE: &str = "import http.server, ssl, sys
class Page(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200)
        self.end_headers()
        self.wfile.write(b'<title>Behind the certificate</title>')
tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
tls.load_cert_chain(sys.argv[1])
server = http.server.ThreadingHTTPServer(('127.0.0.1', 0), Page)
server.socket = tls.wrap_socket(server.socket, server_side=True, do_handshake_on_connect=False)
print(server.server_port, flush=True)
server.serve_forever()";

/// The server; it ends with this.
struct SelfSigned {
    process: Child,
    port: u16,
}

impl SelfSigned {
    fn start() -> Self {
        let pem = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testpages/tls/self-signed.pem");
        let mut command = Command::new("python3");
        command.args(["-c", SERVE]).arg(pem).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut process = command.spawn().expect("Python runs, the tests need it");
        let output = process.stdout.take().expect("it is piped");
        let mut line = String::new();
        BufReader::new(output).read_line(&mut line).expect("it says its port");
        let port = line.trim().parse().unwrap_or_else(|_| panic!("no port: {line:?}"));
        Self { process, port }
    }
}

impl Drop for SelfSigned {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

#[tokio::test]
async fn a_certificate_that_nobody_vouches_for_is_told_and_not_passed_over() {
    let page = open("title.html").await;
    let secure = SelfSigned::start();
    let host = format!("127.0.0.1:{}", secure.port);

    let call = ("navigate", json!({ "url": format!("https://{host}/"), "timeout": "30s" }));
    let sentence =
        format!("net::ERR_CERT_AUTHORITY_INVALID: The certificate of {host} is not valid");
    assert_refused(&page, call, &sentence, "navigation_failed", Some("no")).await;

    let title = page.call("title", json!({})).await.unwrap();
    assert_ne!(title.data["title"], "Behind the certificate");
    let there = json!({ "url": server().url("title.html") });
    let back = page.call("navigate", there).await.unwrap_or_else(|e| panic!("{}", e.text()));
    assert_eq!(back.data["status"], 200, "{}", back.data);
}
