# ruff: noqa: E501, RUF001 - one kind, one line; words as their languages spell them
"""Secrets, names, wrappings and words by someone who had not read the rules; they have been learnt from since."""

import base64
import html
import json
import random
import re
import struct
from collections.abc import Iterator
from urllib.parse import quote, quote_plus

from secrets_corpus import kinds
from secrets_corpus.corpus import Planted
from secrets_corpus.languages import LABELS
from secrets_corpus.leakage import leaks
from secrets_corpus.wrappings import Wrap

HALF = "fresh"

SERVICES: dict[str, str] = {
    "gitlab-trigger": "gl|ptt-{h40}", "tailscale": "ts|key-auth-k{A11}CNTRL-{A32}", "dynatrace": "dt|0c01.{224}.{264}",
    "render": "rn|d_{A32}", "vercel-blob": "vercel|_blob_rw_{A16}_{A32}", "resend": "r|e_{A8}_{A24}", "pinecone": "pc|sk_{A6}_{A63}",
    "sourcegraph": "sg|p_{h16}_{h40}", "langsmith": "ls|v2_pt_{h32}_{h10}", "cloudflare-origin": "v1|.0-{h24}-{h146}",
    "harness": "pa|t.{B22}.{h24}.{A20}", "openrouter": "sk|-or-v1-{h64}", "nvidia": "nv|api-{B64}", "sonarqube": "sq|p_{h40}",
    "azure-devops": "{A76}AZ|DO{A4}", "posthog": "ph|x_{A43}", "apify": "ap|ify_api_{A36}", "maxmind": "{A6}_{A29}_m|mk",
    "elevenlabs": "s|k_{h48}",
    "slack-webhook": "https://hooks.sl|ack.com/services/T{U10}/B{U10}/<{A24}>",
    "discord-webhook": "https://dis|cord.com/api/webhooks/1{d17}/<{B68}>",
    "s3-presigned": "https://acme-reports.s3.eu-west-1.amazonaws.com/q3/report.pdf?X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Credential=AK|IA{216}%2F20250311%2Feu-west-1%2Fs3%2Faws4_request&X-Amz-Date=20250311T101500Z&X-Amz-Expires=3600&X-Amz-SignedHeaders=host&X-Amz-Sig|nature=<{h64}>",
    "azure-sas": "https://acmefiles.blob.core.windows.net/backups/app.tar?sv=2022-11-02&st=2025-03-11T08%3A00%3A00Z&se=2025-04-11T08%3A00%3A00Z&sr=b&sp=r&s|ig=<{A43}>%3D",
    "mongodb-uri": "mongo|db+srv://svc_app:<{A18}>@cluster0.{a5}.mongodb.net/app?retryWrites=true&w=majority",
    "azure-storage": "DefaultEndpointsProtocol=https;AccountName=acmefiles;Account|Key=<{S86}==>;EndpointSuffix=core.windows.net",
}  # fmt: skip
"""Formats in the language of `kinds`; where only a part lets one in, that part stands in `<>`."""

NAMES: list[str] = [
    "aws_secret_access_key", "secret_key_base", "vapid_private_key", "turn_shared_secret", "bind_pw", "pgpassword", "rpcpassword",
    "requirepass", "wpa_psk", "http_auth_passwd", "erlang_cookie", "nextauth_secret", "ansible_become_pass", "vnc_passwd",
    "snmp_auth_pass", "ssl_key_password", "sasl_password", "recaptcha_secret", "hasura_admin_secret", "meili_master_key",
    "secure_auth_key", "ftp_pwd", "cluster_join_token", "gossip_encryption_key", "minio_root_password", "passcode", "totp_secret",
    "cron_secret", "preshared_key", "pfx_password",
]  # fmt: skip
"""Names that real software gives its secrets."""

PART = re.compile(r"<(.*)>")


def _b64(text: str) -> str:
    return base64.b64encode(text.encode()).decode()


def _bson(name: str, secret: str) -> bytes:
    raw = secret.encode()
    fields = (
        b"\x10id\x00\x07\x00\x00\x00\x02" + name.encode() + b"\x00" + struct.pack("<i", len(raw) + 1) + raw + b"\x00"
    )
    return struct.pack("<i", len(fields) + 5) + fields + b"\x00"


def _flight(name: str, secret: str) -> str:
    row = "5:" + json.dumps(["$", "$L6", None, {name: secret}]) + "\n"
    return f"self.__next_f.push({json.dumps([1, row])})"


def _hexdump(_name: str, secret: str) -> str:
    raw = b"POST " + secret.encode() + b"\r\n"
    lines = []
    for start in range(0, len(raw), 16):
        part = raw[start : start + 16]
        shown = "".join(chr(byte) if 32 <= byte < 127 else "." for byte in part)
        lines.append(f"{start:08x}  {part[:8].hex(' '):<23}  {part[8:].hex(' '):<23}  |{shown}|")
    return "\n".join(lines)


NAMED: dict[str, Wrap] = {
    # CI logs and terminals
    "actions-env-group": lambda n, s: f"2025-03-11T10:15:00.1234567Z ##[group]Run ./deploy.sh\n2025-03-11T10:15:00.1240071Z env:\n2025-03-11T10:15:00.1240913Z   {n}: {s}\n2025-03-11T10:15:00.1241544Z ##[endgroup]",
    "actions-heredoc": lambda n, s: f"{n}<<ghadelimiter_5\n{s}\nghadelimiter_5\n",
    "ansi-pair": lambda n, s: f"\x1b[90m10:15:00\x1b[39m \x1b[36m{n}\x1b[39m=\x1b[33m{s}\x1b[39m",
    "xtrace": lambda n, s: f"+ set -e\n++ {n}={s}\n++ ./deploy.sh --prod\n",
    "terraform-change": lambda n, s: f'  ~ resource "app_settings" "main" {{\n      ~ {n} = "changeme" -> "{s}"\n        id = "7"\n    }}',
    "kubectl-describe": lambda n, s: f"    Environment:\n      LOG_LEVEL:  info\n      {n}:  {s}\n    Mounts:  <none>\n",
    "vault-table": lambda n, s: f"====== Data ======\n{'Key':<{len(n)}}    Value\n{'---':<{len(n)}}    -----\n{n}    {s}\n",
    "ps-java": lambda n, s: f"app   412  0.3  2.1 /usr/bin/java -Xmx512m -D{n}={s} -jar app.jar",
    "psql-expanded": lambda n, s: f"-[ RECORD 1 ]{'-' * 20}\n{'id':<{len(n)}} | 7\n{n} | {s}\n{'port':<{len(n)}} | 80\n",
    "mysql-vertical": lambda n, s: f"{'*' * 27} 1. row {'*' * 27}\n{'id':>{len(n)}}: 7\n{n}: {s}\n1 row in set (0.00 sec)",
    "from-literal": lambda n, s: f"kubectl create secret generic app --from-literal=user=bob --from-literal={n}='{s}' -n prod",
    "ssm-put": lambda n, s: f"aws ssm put-parameter --name /prod/app/{n} --type SecureString --value '{s}' --overwrite",
    "rich-locals": lambda n, s: f"╭──────── locals ────────╮\n│ retries = 3 │\n│ {n} = '{s}' │\n╰────────────────────────╯\nTimeoutError: gave up",
    # config files and code
    "hadoop-property": lambda n, s: f"<property>\n  <name>{n}</name>\n  <value>{html.escape(s)}</value>\n</property>",
    "android-string": lambda n, s: f'<resources><string name="{n}" translatable="false">{html.escape(s)}</string></resources>',
    "systemd-unit": lambda n, s: f'[Service]\nEnvironment="{n}={s}" "PORT=80"\nExecStart=/usr/bin/app\n',
    "reg-file": lambda n, s: f'Windows Registry Editor Version 5.00\r\n\r\n[HKEY_CURRENT_USER\\Software\\Acme]\r\n"{n}"="{s}"\r\n"Port"=dword:00000050\r\n',
    "edn": lambda n, s: f'{{:id 7 :auth/{n} "{s}" :port 80}}',
    "elixir-config": lambda n, s: f'config :acme, AcmeWeb.Endpoint,\n  {n}: "{s}",\n  http: [port: 80]\n',
    "env-fallback": lambda n, s: f'const options = {{ auth: process.env["{n}"] ?? "{s}" }};',
    "playwright-fill": lambda n, s: f"await page.getByLabel('{n}').fill('{s}');\nawait page.getByRole('button').click();",
    # framework state and dumps of objects
    "nuxt-data": lambda n, s: f'<script type="application/json" id="__NUXT_DATA__">{json.dumps([{"state": 1}, {"$sconfig": 2}, {n: 3}, s])}</script>',
    "react-flight": _flight,
    "apollo-cache": lambda n, s: {"ROOT_QUERY": {"__typename": "Query", f'setting({{"name":"{n}"}})': s}},
    "redux-field": lambda n, s: {"type": "settings/changed", "payload": {"field": n, "value": s}},
    "alpine-data": lambda n, s: f"<form x-data=\"{{ open: false, {n!r}: '{html.escape(s)}' }}\"></form>",
    "map-inspect": lambda n, s: f"Map(2) {{ 'user' => 'bob', '{n}' => '{s}' }}",
    "formdata-inspect": lambda n, s: f'FormData(2) {{ user → "bob", {n} → "{s}" }}',
    "go-plus-v": lambda n, s: f"2025/03/11 10:15:00 cfg={{ID:7 {n}:{s} Port:80 TLS:true}}",
    "ruby-inspect": lambda n, s: f'#<Acme::Client:0x00007f8b1c0a2b38 @id=7, @{n}="{s}", @port=80>',
    "java-map": lambda n, s: f"DEBUG o.a.Main - props {{id=7, {n}={s}, port=80}}",
    "rust-some": lambda n, s: f'Config {{ id: 7, {n}: Some("{s}"), port: 80 }}',
    "php-var-dump": lambda n, s: f'array(2) {{\n  ["id"]=>\n  int(7)\n  ["{n}"]=>\n  string({len(s)}) "{s}"\n}}',
    "php-serialized": lambda n, s: f'a:2:{{s:2:"id";i:7;s:{len(n)}:"{n}";s:{len(s)}:"{s}";}}',
    # network bodies and protocols
    "dynamodb-item": lambda n, s: json.dumps({"Item": {"pk": {"S": "cfg#7"}, n: {"S": s}, "port": {"N": "80"}}}),
    "liveview-event": lambda n, s: json.dumps(["4", "12", "lv:phx-F1", "event", {"type": "form", "event": "save", "value": f"cfg%5B{n}%5D={quote_plus(s)}&_target=cfg"}]),
    "sql-copy": lambda n, s: f"COPY public.settings (id, {n}, port) FROM stdin;\n7\t{s}\t80\n\\.\n",
    "cookies-txt": lambda n, s: f"# Netscape HTTP Cookie File\n#HttpOnly_a.test\tFALSE\t/\tTRUE\t1773224100\t{n}\t{s}\n",
    "ldif-base64": lambda n, s: f"dn: cn=app,dc=a,dc=test\nobjectClass: account\n{n}:: {_b64(s)}\n",
    "bson": _bson,
}  # fmt: skip
"""Wrappings under a telling name."""

BARE: dict[str, Wrap] = {
    "code-span": lambda _n, s: f"Then run it with `{s}` and wait.",
    "autolink": lambda _n, s: f"As agreed <{s}>, till Friday",
    "cdata": lambda _n, s: f"<entry><v><![CDATA[{s}]]></v></entry>",
    "yaml-item": lambda _n, s: f"items:\n  - {s}\n  - two\n",
    "diff-added": lambda _n, s: f"@@ -3 +3 @@\n-todo\n+{s}\n",
    "code-frame": lambda _n, s: f"  11 | call(\n> 12 |   '{s}',\n     |   ^\n  13 | )",
    "cat-output": lambda _n, s: f"bob@ci:~$ cat out.txt\n{s}\nbob@ci:~$ ",
    "stdin-pipe": lambda _n, s: f"echo '{s}' | tool login --stdin",
    "curl-user": lambda _n, s: f"curl https://a.test/v1/items -u '{s}:' -G",
    "bearer": lambda _n, s: {"headers": {"accept": "*/*", "authorization": f"Bearer {s}"}},
    "clipboard": lambda _n, s: f"navigator.clipboard.writeText({json.dumps(s)})",
    "percent-twice-bare": lambda _n, s: "https://a.test/r?u=" + quote(quote(f"/x/{s}", safe=""), safe=""),
    "hexdump": _hexdump,
    "data-url-text": lambda _n, s: "data:text/plain;charset=utf-8," + quote(f"kept {s}\n", safe=""),
    "encoded-word": lambda _n, s: f"Subject: =?utf-8?B?{_b64(f'Fwd: {s}')}?=\r\nFrom: bob@a.test\r\n",
}  # fmt: skip
"""Wrappings without any name."""

PASSWORD: dict[str, str] = {
    "af": "Wagwoord", "am": "የይለፍ ቃል", "hy": "Գաղտնաբառ", "kk": "Құпиясөз", "km": "ពាក្យសម្ងាត់", "lo": "ລະຫັດຜ່ານ", "mn": "Нууц үг",
    "my": "စကားဝှက်", "si": "මුරපදය", "sw": "Nenosiri", "ta": "கடவுச்சொல்", "te": "పాస్‌వర్డ్",
    "en security code": "Security code", "de api key": "API-Schlüssel", "de access code": "Zugangscode", "fr secret key": "Clé secrète",
    "fr api token": "Jeton d'API", "es security code": "Código de seguridad", "es secret key": "Clave secreta", "pt api key": "Chave de API",
    "it pin": "Codice PIN", "ru secret key": "Секретный ключ", "ja pin": "暗証番号", "ja passcode": "パスコード", "zh-CN token": "访问令牌",
    "ko secret key": "비밀 키", "pl secret key": "Tajny klucz",
}  # fmt: skip
"""Twelve more languages' password, and fifteen other words for a secret."""


def service(kind: str, rng: random.Random) -> tuple[str, str]:
    """Make one value of a service's kind; return it and the part of it that is the secret."""
    template = SERVICES[kind].replace("|", "")
    text = kinds.CLASS.sub(lambda part: "".join(rng.choices(kinds.ALPHABETS[part[1]], k=int(part[2]))), template)
    part = PART.search(text)
    return PART.sub(r"\1", text), part[1] if part else text


def records(seed: int = 1) -> Iterator[Planted]:
    """Plant secrets nobody has seen; only those that can be read in their body."""
    rng = random.Random(seed)  # noqa: S311 - not for cryptography
    for record in (*_services(rng), *_named(rng), *_labels(rng)):
        if leaks(record.secret, record.body):
            yield record


def _services(rng: random.Random) -> Iterator[Planted]:
    for kind in SERVICES:
        for wrapping, wrap in BARE.items():
            value, secret = service(kind, rng)
            yield Planted(kind, wrapping, HALF, secret, wrap("", value))


def _named(rng: random.Random) -> Iterator[Planted]:
    for wrapping, wrap in NAMED.items():
        for makers, count in ((kinds.OPAQUE, 6), (kinds.PASSWORDS, 4)):
            for kind in rng.sample(list(makers), count):
                secret = makers[kind](rng)
                name = kinds.spell(rng.choice(NAMES), rng.choice(kinds.STYLES))
                yield Planted(kind, wrapping, HALF, secret, wrap(name, secret))


def _labels(rng: random.Random) -> Iterator[Planted]:
    for word_id, word in PASSWORD.items():
        for label, wrap in LABELS.items():
            kind = rng.choice(list(kinds.PASSWORDS))
            secret = kinds.PASSWORDS[kind](rng)
            yield Planted(f"{kind} ({word_id})", f"label {label}", HALF, secret, wrap(word, secret))
