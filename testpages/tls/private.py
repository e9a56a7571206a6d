"""A private site over TLS, for the tests of the boundary: says its port, then whoever connects and what is asked.

It has the page that tries every way (`attack.html`), with referrers at `/boundary/referrers`, answers everybody else with
a small page and /never with nothing, redirects from `/redirect?to=…` and takes every WebSocket.
"""

import base64
import hashlib
import http.server
import os
import ssl
import sys
import urllib.parse

PAGES = sys.argv[1]
SECRET = b"<!doctype html><title>secret</title><h1>Secret</h1>"
GUID = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
NO_REFERRER = b'<meta name="referrer" content="no-referrer">'


def say(what):
    # In one go: many say something at once.
    os.write(1, f"{what}\n".encode())


class Site(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        url = urllib.parse.urlsplit(self.path)
        say(url.path)
        self.rfile.read(int(self.headers.get("content-length", 0)))
        key = self.headers.get("sec-websocket-key")
        if key:
            digest = base64.b64encode(hashlib.sha1((key + GUID).encode()).digest()).decode()
            self.send_response(101)
            for name, value in [("Upgrade", "websocket"), ("Connection", "Upgrade"), ("Sec-WebSocket-Accept", digest)]:
                self.send_header(name, value)
            self.end_headers()
            self.wfile.flush()
            self.rfile.read(1)
            self.close_connection = True
            return
        if url.path == "/never":
            self.rfile.read(1)
            self.close_connection = True
            return
        if url.path == "/redirect":
            return self.answer(302, b"", location=urllib.parse.parse_qs(url.query)["to"][0])
        if url.path.endswith(".js"):
            return self.answer(200, open(PAGES + url.path, "rb").read(), "text/javascript")
        if url.path in ("/boundary/attack", "/boundary/referrers"):
            page = open(PAGES + "/boundary/attack.html", "rb").read()
            return self.answer(200, page if url.path == "/boundary/attack" else page.replace(NO_REFERRER, b""))
        self.answer(200, SECRET)

    do_POST = do_OPTIONS = do_GET

    def answer(self, status, body, kind="text/html", location=None):
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.send_header("Access-Control-Allow-Origin", "*")
        if location:
            self.send_header("Location", location)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


class Server(http.server.ThreadingHTTPServer):
    def get_request(self):
        connection, address = super().get_request()
        # Here, and not in its thread: in the order in which they came.
        say(f"connected {address[1]}")
        return connection, address


tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
tls.load_cert_chain(PAGES + "/tls/self-signed.pem")
server = Server(("127.0.0.1", 0), Site)
server.socket = tls.wrap_socket(server.socket, server_side=True, do_handshake_on_connect=False)
say(server.server_port)
server.serve_forever()
