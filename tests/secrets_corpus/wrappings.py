# ruff: noqa: E501, RUF001, S108 - one wrapping, one line
"""How a secret `$s` under a name `$n` stands in what a page shows: texts, encodings, and data of the channels' shapes."""

import base64
import gzip
import html
import json
import quopri
import struct
from collections.abc import Callable
from urllib.parse import quote, quote_plus

Wrap = Callable[[str, str], object]


def _template(text: str) -> Wrap:
    return lambda name, secret: text.replace("$n", name).replace("$s", secret)


def _b64(text: str | bytes) -> str:
    return base64.b64encode(text.encode() if isinstance(text, str) else text).decode()


def _b64url(text: str) -> str:
    return base64.urlsafe_b64encode(text.encode()).decode().rstrip("=")


def _json(name: str, secret: str) -> str:
    return json.dumps({"id": 7, name: secret, "ok": True})


def _pack(name: str, secret: str) -> bytes:
    def text(value: str) -> bytes:
        raw = value.encode()
        return (
            bytes([0xA0 | len(raw)])
            if len(raw) < 32
            else b"\xd9" + bytes([len(raw)])
            if len(raw) < 256
            else b"\xda" + struct.pack(">H", len(raw))
        ) + raw

    return b"\x82" + text(name) + text(secret) + text("seq") + b"\x07"


def _cbor(name: str, secret: str) -> bytes:
    def text(value: str) -> bytes:
        raw = value.encode()
        return (
            bytes([0x60 | len(raw)])
            if len(raw) < 24
            else b"\x78" + bytes([len(raw)])
            if len(raw) < 256
            else b"\x79" + struct.pack(">H", len(raw))
        ) + raw

    return b"\xa2" + text(name) + text(secret) + text("seq") + b"\x07"


def _protobuf(name: str, secret: str) -> bytes:
    def field(number: int, value: str) -> bytes:
        raw = value.encode()
        size = len(raw)
        length = bytes([size]) if size < 128 else bytes([size & 127 | 128, size >> 7])
        return bytes([number << 3 | 2]) + length + raw

    return b"\x08\x96\x01" + field(2, name) + field(3, secret)


def _half(secret: str) -> tuple[str, str]:
    middle = len(secret) // 2
    return secret[:middle], secret[middle:]


NAMED: dict[str, Wrap] = {
    "json": _json,
    "json-object": lambda n, s: {"id": 7, n: s},
    "json-nested": lambda n, s: {"data": {"settings": {n: s}}},
    "json-pretty": lambda n, s: json.dumps({"a": {n: s}}, indent=2),
    "json-cut": lambda n, s: json.dumps({"a": 1, n: s})[:-2],
    "json-in-json": lambda n, s: json.dumps({"body": _json(n, s)}),
    "json-in-json-in-json": lambda n, s: json.dumps({"x": json.dumps({"body": _json(n, s)})}),
    "json-list": lambda n, s: json.dumps([1, {n: s}]),
    "json5": _template("{id: 7, $n: '$s', ok: true}"),
    "name-value": lambda n, s: {"name": n, "value": s},
    "key-value": lambda n, s: {"key": n, "value": s},
    "name-value-text": lambda n, s: json.dumps([{"name": n, "value": s}]),
    "entries": lambda n, s: [["user", "bob"], [n, s]],
    "columns-rows": lambda n, s: json.dumps({"columns": ["id", n], "rows": [[1, s]]}),
    "fields-values": lambda n, s: {"fields": ["user", n], "values": ["bob", s]},
    "path-value": lambda n, s: {"path": f"settings.auth.{n}", "value": s},
    "json-patch": lambda n, s: json.dumps([{"op": "replace", "path": f"/config/{n}", "value": s}]),
    "graphql-variables": lambda n, s: json.dumps({"query": "mutation M($x:String!){set(v:$x){ok}}", "variables": {n: s}}),
    "query": lambda n, s: f"https://a.test/x?page=2&{n}={quote(s, safe='')}&z=1",
    "fragment": lambda n, s: f"https://a.test/x#{n}={quote(s, safe='')}&z=1",
    "form": lambda n, s: f"user=bob&{n}={quote_plus(s)}&go=1",
    "form-brackets": lambda n, s: f"user%5B{n}%5D={quote_plus(s)}&go=1",
    "multipart": _template('------b\r\nContent-Disposition: form-data; name="$n"\r\n\r\n$s\r\n------b--\r\n'),
    "matrix-url": lambda n, s: f"/app/page;{n}={quote(s, safe='')}?x=1",
    "nested-url": lambda n, s: "https://a.test/go?next=" + quote(f"https://b.test/?{n}={quote(s, safe='')}", safe=""),
    "dotenv": _template("DEBUG=1\n$n=$s\nPORT=80\n"),
    "dotenv-quoted": _template('DEBUG=1\n$n="$s"\nPORT=80\n'),
    "export": _template("export $n='$s'\n"),
    "powershell": _template('$env:$n = "$s"'),
    "cmd-set": _template("set $n=$s\r\n"),
    "ini": _template("[main]\nuser = bob\n$n = $s\nport = 5432\n"),
    "properties": _template("app.main.$n=$s\napp.port=80\n"),
    "yaml": _template("main:\n  user: bob\n  $n: $s\n  port: 5432\n"),
    "yaml-quoted": _template('main:\n  $n: "$s"\n'),
    "yaml-list": _template("env:\n  - name: $n\n    value: $s\n"),
    "yaml-block": _template("main:\n  $n: |\n    $s\n  port: 1\n"),
    "toml": _template('[main]\n$n = "$s"\n'),
    "xml-element": lambda n, s: f"<config><{n}>{html.escape(s)}</{n}><port>1</port></config>",
    "xml-attribute": lambda n, s: f'<add key="{n}" value="{html.escape(s)}"/>',
    "plist": lambda n, s: f"<dict><key>{n}</key><string>{html.escape(s)}</string></dict>",
    "hcl": _template('variable "x" {\n  $n = "$s"\n}\n'),
    "hcl-variable": _template('variable "$n" {\n  type    = string\n  default = "$s"\n}\n'),
    "dockerfile": _template("FROM a\nENV $n=$s\nRUN b\n"),
    "docker-run": _template("docker run -e $n=$s --rm img"),
    "flag-equals": _template("mytool --$n=$s --verbose"),
    "flag-space": _template("mytool --$n '$s' --verbose"),
    "header-text": _template("GET / HTTP/1.1\r\nHost: a.test\r\nX-$n: $s\r\nAccept: */*\r\n\r\n"),
    "curl-header": _template("curl -s -H 'X-$n: $s' https://a.test/"),
    "curl-data": _template("curl -d '$n=$s' https://a.test/"),
    "headers": lambda n, s: {"headers": {"Accept": "*/*", f"X-{n}": s}},
    "headers-list": lambda n, s: {"headers": [{"name": f"X-{n}", "value": s}]},
    "js-const": _template('const $n = "$s";'),
    "js-property": _template("this.$n = '$s';"),
    "js-index": _template('config["$n"] = "$s";'),
    "js-call": _template("localStorage.setItem('$n', '$s')"),
    "js-set": _template('client.set("$n", "$s", {ttl: 5});'),
    "ts-typed": _template('const $n: string = "$s";'),
    "python-kwargs": _template('connect(host="h", $n="$s", port=1)'),
    "python-dict": _template("{'id': 7, '$n': '$s'}"),
    "go-struct": _template('Config{$n: "$s", Port: 80}'),
    "php-array": _template("['$n' => '$s', 'port' => 1]"),
    "ruby-hash": _template(':$n => "$s"'),
    "java-setter": _template('builder.put("$n", "$s");'),
    "csharp": _template('string $n = @"$s";'),
    "sql-insert": _template("INSERT INTO settings (id, $n) VALUES (1, '$s')"),
    "sql-update": _template("UPDATE settings SET $n = '$s' WHERE id = 1"),
    "sql-where": _template("SELECT 1 FROM t WHERE $n = '$s' AND a = 1"),
    "logfmt": _template('level=info msg="started" $n="$s" user=bob'),
    "log-line": _template("12:00:01 INFO loaded $n: $s"),
    "log-equals": _template("12:00:01 DEBUG main - $n=$s"),
    "log-pipe": _template("user=bob|$n=$s|x=1"),
    "log-brackets": _template("[worker] $n [$s] accepted"),
    "stack": _template("Error: rejected $n '$s'\n    at f (https://a.test/x.js:1:2)"),
    "console-args": lambda n, s: {"args": [f"{n}:", s]},
    "console-object": lambda n, s: {"args": ["state", {n: s}]},
    "console-format": lambda n, s: {"args": [f"id %d {n} %s", 7, s]},
    "markdown-table": _template("| user | $n |\n| --- | --- |\n| bob | $s |\n"),
    "markdown-list": _template("- **$n**: `$s`\n- other: 1\n"),
    "csv": _template("id,$n,port\n7,$s,80\n"),
    "tsv": _template("id\t$n\tport\n7\t$s\t80\n"),
    "console-table": _template("┌─────────┬──────┐\n│ (index) │ $n │\n├─────────┼──────┤\n│    0    │ '$s' │\n└─────────┴──────┘"),
    "html-table": lambda n, s: f"<table><tr><th>id</th><th>{n}</th></tr><tr><td>7</td><td>{html.escape(s)}</td></tr></table>",
    "html-row": lambda n, s: f"<tr><th>{n}</th><td>{html.escape(s)}</td></tr>",
    "html-input": lambda n, s: f'<input type="text" name="{n}" value="{html.escape(s)}">',
    "html-label": lambda n, s: f'<label for="q">{n}</label><input id="q" value="{html.escape(s)}">',
    "html-dl": lambda n, s: f"<dl><dt>{n}</dt><dd>{html.escape(s)}</dd></dl>",
    "html-data": lambda n, s: f'<div data-{n.lower()}="{html.escape(s)}">x</div>',
    "html-meta": lambda n, s: f'<meta name="{n}" content="{html.escape(s)}">',
    "html-script": lambda n, s: f'<script>window.cfg = {{"{n}": {json.dumps(s)}}}</script>',
    "html-props": lambda n, s: f"<div data-props='{html.escape(_json(n, s))}'></div>",
    "html-comment": _template("<!-- $n: $s -->"),
    "element": lambda n, s: {"tag": "input", "attributes": {"type": "text", "name": n, "value": s}},
    "element-label": lambda n, s: [{"tag": "label", "attributes": {"for": "q"}, "text": n}, {"tag": "input", "attributes": {"id": "q", "value": s}}],
    "axe-snippet": lambda n, s: {"html": f'<input name="{n}" value="{html.escape(s)}">', "target": [f"input[name='{n}']"]},
    "outline": _template('- textbox "$n": $s\n- button "Save"'),
    "outline-role": lambda n, s: {"role": "textbox", "name": n, "value": s},
    "action-typed": lambda n, s: {"action": "type", "selector": f"input[name='{n}']", "text": s},
    "selector": _template("input[name='$n'][value='$s']"),
    "base64-json": lambda n, s: "state=" + _b64(_json(n, s)),
    "base64url-json": lambda n, s: _b64url(_json(n, s)),
    "base64-form": lambda n, s: _b64(f"a=1&{n}={quote_plus(s)}&b=2"),
    "base64-yaml": lambda n, s: _b64(f"main:\n  user: bob\n  {n}: '{s}'\n"),
    "base64-twice": lambda n, s: _b64(_b64(_json(n, s))),
    "gzip-base64": lambda n, s: _b64(gzip.compress(_json(n, s).encode(), mtime=0)),
    "hex-json": lambda n, s: _json(n, s).encode().hex(),
    "percent-json": lambda n, s: "https://a.test/?q=" + quote(_json(n, s), safe=""),
    "percent-twice": lambda n, s: quote(quote(_json(n, s), safe=""), safe=""),
    "entities": lambda n, s: html.escape(_json(n, s)),
    "entities-numeric": lambda n, s: "".join(f"&#{ord(c)};" for c in f"{n}={s}"),
    "entities-hex": lambda n, s: "".join(f"&#x{ord(c):x};" if not c.isalnum() else c for c in f'"{n}": "{s}"'),
    "unicode-escapes": lambda n, s: '{"' + "".join(f"\\u{ord(c):04x}" for c in n) + '": "' + "".join(f"\\u{ord(c):04x}" for c in s) + '"}',
    "quoted-printable": lambda n, s: "Content-Transfer-Encoding: quoted-printable\r\n\r\n" + quopri.encodestring(f"Grüße,\n{n}={s}\n".encode()).decode(),
    "data-url": lambda n, s: "data:application/json;base64," + _b64(_json(n, s)),
    "ws-text": lambda n, s: {"direction": "sent", "data": _json(n, s)},
    "ws-socketio": lambda n, s: "42" + json.dumps(["auth", {n: s}]),
    "ws-stomp": _template("CONNECT\nlogin:guest\n$n:$s\naccept-version:1.1\n\n\x00"),
    "ws-binary-json": lambda n, s: b"\x01\x00" + _json(n, s).encode(),
    "ws-base64-frame": lambda n, s: {"opcode": 2, "data": _b64(_json(n, s))},
    "ws-subprotocol": lambda n, s: {"protocols": ["v1.json", f"{n}." + _b64url(s)]},
    "msgpack": _pack,
    "msgpack-base64": lambda n, s: {"opcode": 2, "data": _b64(_pack(n, s))},
    "cbor": _cbor,
    "protobuf": _protobuf,
    "resp-hset": lambda n, s: f"*4\r\n$4\r\nHSET\r\n$3\r\ncfg\r\n${len(n)}\r\n{n}\r\n${len(s)}\r\n{s}\r\n",
    "redis-set": _template('SET app:$n "$s" EX 60'),
    "utf16": lambda n, s: _json(n, s).encode("utf-16-le"),
    "zero-width-name": lambda n, s: f"{n[:3]}\u200b{n[3:]}: {s}",
    "zero-width-value": lambda n, s: f"{n}={_half(s)[0]}\u200b{_half(s)[1]}",
    "full-width": lambda n, s: "".join(chr(ord(c) + 0xFEE0) if "!" <= c <= "~" else c for c in n) + f"：{s}",
    "concatenated": lambda n, s: f'const {n} = "{_half(s)[0]}" + "{_half(s)[1]}";',
    "concatenated-lines": lambda n, s: f'{n} = ("{_half(s)[0]}"\n    "{_half(s)[1]}")',
    "shell-continued": lambda n, s: f"{n}={_half(s)[0]}\\\n{_half(s)[1]}",
    "soft-wrapped": lambda n, s: f"{n}: {_half(s)[0]}\n  {_half(s)[1]}",
    "array-joined": lambda n, s: f"{n} = ['{_half(s)[0]}', '{_half(s)[1]}'].join('')",
    "sentence-is": _template("The $n is $s."),
    "sentence-next": _template("Here is your $n. Keep it safe:\n\n    $s\n"),
    "sentence-use": _template("Use $s as the $n for this app."),
    "sentence-colon": _template("Your new $n: $s (shown once)"),
    "sentence-quoted": _template('The $n "$s" was created'),
    "label-newline": _template("$n\n$s\nCopy"),
    "arrow": _template("$n -> $s"),
    "cookie-text": lambda n, s: f"Cookie: {n}={quote(s, safe='')}",
    "set-cookie": lambda n, s: {"headers": {"Set-Cookie": f"{n}={quote(s, safe='')}; Path=/; HttpOnly"}},
    "storage": lambda n, s: {"localStorage": {n: s}},
    "storage-event": lambda n, s: {"key": n, "oldValue": None, "newValue": s},
    "jsonp": lambda n, s: f"cb({_json(n, s)});",
    "sse": lambda n, s: f"event: m\ndata: {_json(n, s)}\n\n",
    "ndjson": lambda n, s: f'{{"a":1}}\n{_json(n, s)}\n{{"b":2}}\n',
    "email-html": lambda n, s: f"<p>Your {n} is <b>{html.escape(s)}</b>. Do not share it.</p>",
    "code-element": lambda n, s: f"<p>{n}</p><pre><code>{html.escape(s)}</code></pre>",
    "k8s-secret": lambda n, s: f"kind: Secret\ndata:\n  {n}: {_b64(s)}\n",
    "netrc": _template("machine a.test login bob password $s"),
    "connection-string": _template("Server=a;User ID=b;$n=$s;Encrypt=1"),
    "nginx": _template('proxy_set_header X-$n "$s";'),
    "vim-diff": _template("-  $n: old\n+  $n: $s\n"),
    "git-diff": _template('@@ -1 +1 @@\n-$n = ""\n+$n = "$s"\n'),
}  # fmt: skip
"""Wrappings under a telling name."""

BARE: dict[str, Wrap] = {
    "prose": _template("Use $s for now"),
    "prose-stop": _template("It was $s."),
    "parentheses": _template("done ($s) in 3 ms"),
    "quoted": _template('got "$s" back'),
    "json-value": lambda _n, s: json.dumps({"a": [{"b": s}]}),
    "plain-value": lambda _n, s: {"note": s},
    "query-bare": lambda _n, s: f"https://a.test/a?x={quote(s, safe='')}&page=2",
    "path": lambda _n, s: f"https://a.test/go/{quote(s, safe='')}/done",
    "console": lambda _n, s: {"args": ["made", s]},
    "title": lambda _n, s: {"title": f"Demo {s} - App"},
    "attribute": lambda _n, s: {"tag": "div", "attributes": {"data-x": s}},
    "element-text": lambda _n, s: {"tag": "code", "text": s},
    "html-text": lambda _n, s: f"<p class=note>{html.escape(s)}</p>",
    "html-attribute": lambda _n, s: f'<a title="{html.escape(s)}">x</a>',
    "map-key": lambda _n, s: {s: 1},
    "csv-cell": _template("1,$s,x\n"),
    "bytes": lambda _n, s: b"\x00\x04 " + s.encode() + b" \xff",
    "base64-bare": lambda _n, s: _b64(f"v={s};"),
    "base64-prose": lambda _n, s: "blob " + _b64(f"hello {s} bye"),
    "base64url-bare": lambda _n, s: _b64url(s),
    "base64-thrice": lambda _n, s: _b64(_b64(_b64("x " + s))),
    "hex": lambda _n, s: f"x {s} y".encode().hex(),
    "hex-spaced": lambda _n, s: s.encode().hex(" "),
    "percent-all": lambda _n, s: "".join(f"%{byte:02x}" for byte in s.encode()),
    "entities-all": lambda _n, s: "see " + "".join(f"&#{ord(c)};" for c in s),
    "js-escapes": lambda _n, s: 'x = "' + "".join(f"\\x{ord(c):02x}" for c in s) + '"',
    "gzip": lambda _n, s: _b64(gzip.compress(f"log {s} end".encode(), mtime=0)),
    "quoted-printable-soft": lambda _n, s: f"a=20b\r\n{s[:12]}=\r\n{s[12:]}\r\n",
    "basic-auth": lambda _n, s: "Authorization: Basic " + _b64("bob:" + s),
    "url-user": lambda _n, s: f"https://oauth2:{quote(s, safe='')}@git.test/x.git",
    "concatenated-bare": lambda _n, s: f'"{_half(s)[0]}" + "{_half(s)[1]}"',
    "zero-width-bare": lambda _n, s: f"x {_half(s)[0]}\u200b{_half(s)[1]} y",
    "utf16-bare": lambda _n, s: f"x {s} y".encode("utf-16-le"),
    "file-name": _template("/tmp/dump-$s.log"),
    "snippet-css": _template(".a{background:url(https://a.test/$s.png)}"),
    "stack-bare": _template("Error: 401 $s\n    at f (https://a.test/x.js:1:2)"),
}  # fmt: skip
"""Wrappings without any name: the secret has to be known by its format."""
