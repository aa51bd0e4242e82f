"""Serves one page that shows a secret of its own in every channel; it must judge nothing."""

import io
import random
import re
import secrets
import string
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from types import MappingProxyType

from aiohttp import WSMsgType, web
from PIL import Image, PngImagePlugin

from gasoline_demo.site import free_port

PLACE = re.compile(r"§([a-z-]+)§")
"""Where a secret stands: its channel."""

NO_HEADERS: Mapping[str, str] = MappingProxyType({})
PAGE = """<!doctype html><html lang="en"><head><title>Inbox, token=§title§</title><link rel="icon" href="data:,">
<meta name="csrf-token" content="§meta§"></head><body data-api-key="§attribute§">
<!-- password: §comment§ -->
<h1>Welcome <small>key §heading-token§</small></h1>
<p>Your password: <code id="shown">§text§</code> and
<a href="/settings?access_token=§link§" title="password: §tooltip§">settings</a></p>
<table><tr><th>Password<td>§cell§</table>
<img id="picture" src="/picture.png?api_key=§image§"><button id="silent" data-token="§snippet§"></button>
<img alt="secret=§alt§" src="/picture.png">
<form id="login" action="/login?session=§action§"><input type="hidden" name="session" value="§hidden§">
<label>Name <input name="user" id="user"></label>
<label>Password <input name="password" type="password" id="password" value="§value§"></label>
<label>Recovery code <textarea name="recovery">§area§</textarea></label>
<label>API key <input id="key" placeholder="api_key=§placeholder§"></label>
<label>Repeat <input id="again" type="password" autocomplete="new-password"></label>
<select id="keys"><option>§option-token§<option>none</select><input type="file" id="file"></form>
<div id="host"><template shadowrootmode="open"><p>token: §shadow§</p></template></div>
<iframe id="inner" srcdoc="<title>Inner</title><p>Secret: §frame§</p><p>§frame-token§</p>"></iframe>
<p><button id="confirm">Remove</button> <button id="work">Work</button> <button id="name">Copy §button-token§</button>
<a id="save" download="§download-token§.txt" href="data:text/plain,saved">Save</a></p>
<p id="drawn" style="margin-top: 40px">Token: §drawn§</p><p id="late"></p>
<script>const config = { apiKey: '§inline§' };</script><script src="/app.js?api_key=§script§"></script></body></html>"""

APP = """
const by = (id) => document.getElementById(id);
by('login').onsubmit = (event) => event.preventDefault();
by('confirm').onclick = () => confirm('Your password is §dialog§, sure?');
globalThis.work = async (turn) => {
  console.log('login', { password: '§console§', nested: { list: ['token=§console-deep§'] } });
  console.info('a key of ours: §console-token§');
  console.warn('curl -H "Authorization: Bearer §console-line§" https://example.test');
  console.table([{ name: 'password', value: '§console-table§' }]);
  console.error(new Error('refused: api_key=§console-error§'));
  setTimeout(() => { throw new Error('no login with password=§error§'); });
  Promise.reject({ message: 'expired', token: '§rejection§' });
  setTimeout(() => (0, eval)("null.id\\n//# sourceURL=" + location.origin + "/made.js?access_token=§stack§"));
  performance.mark('token=§mark§');
  localStorage.setItem('auth_token', '§local-storage§');
  sessionStorage.setItem('user', JSON.stringify({ name: 'Ann', password: '§session-storage§' }));
  document.cookie = 'session=§cookie§';
  const json = { 'content-type': 'application/json' };
  const keys = { authorization: 'Bearer §request-header§', 'x-api-key': '§request-key§' };
  const post = (url, body, headers = {}) => fetch(url, { method: 'POST', body, headers }).then((reply) => reply.text());
  await post('/api/login?api_key=§request-url§', '{"user":"ann","password":"§request-body§"}', { ...json, ...keys });
  await post('/api/form', new URLSearchParams({ user: 'ann', password: '§request-form§' }));
  await fetch('/api/broken').then((reply) => reply.text());
  await fetch('/api/redirect?access_token=§redirect§').then((reply) => reply.text());
  await fetch('/picture.png').then((reply) => reply.blob());
  const asking = new XMLHttpRequest();
  asking.open('GET', '/api/form?id_token=§xhr§');
  asking.send();
  await new Promise((done) => asking.onloadend = done);
  const socket = new WebSocket(location.origin.replace('http', 'ws') + '/socket?token=§socket-url§');
  await new Promise((done) => socket.onopen = done);
  socket.send('{"type":"auth","token":"§socket-sent§"}');
  socket.send(new TextEncoder().encode('password=§socket-binary-sent§'));
  await new Promise((done) => socket.onclose = done);
  history.pushState({}, '', `/inbox?access_token=§route§&turn=${turn}#id_token=§hash§`);
  document.title = 'Reset, token=§title-later§';
  by('late').textContent = 'Secret: §text-later§';
  by('late').dataset.apiKey = '§attribute-later§';
  document.body.dataset.turn = turn;
};
by('work').onclick = () => work(2);
"""
BROKEN = """Traceback (most recent call last):
  File "/srv/app.py", line 8, in login
    connect("postgres://admin:§response-trace§@db/users")
OperationalError: FATAL: password=§response-error§ refused"""


class PlantedSite:
    """The page, and what was planted: by channel the secret, all of them different and random."""

    def __init__(self, port: int) -> None:
        self.url = f"http://127.0.0.1:{port}/"
        self.planted: dict[str, str] = {}

    def secret(self, channel: str) -> str:
        """Return a channel's secret: a token of an issuer's format where its name ends so, else a password."""
        made = f"ghp_{_random(36)}" if channel.endswith("-token") else _random(18)
        return self.planted.setdefault(channel, made)

    def with_secrets(self, text: str) -> str:
        """Return a text with a secret at each of its places."""
        return PLACE.sub(lambda place: self.secret(place[1]), text)

    def text(self, text: str, kind: str, status: int = 200, headers: Mapping[str, str] = NO_HEADERS) -> web.Response:
        """Answer with a text that has secrets, and headers that have some."""
        named = {name: self.with_secrets(value) for name, value in headers.items()}
        return web.Response(text=self.with_secrets(text), content_type=kind, status=status, headers=named)

    async def page(self, _: web.Request) -> web.Response:
        """Give the page."""
        headers = {"Set-Cookie": "login=§page-cookie§; HttpOnly", "X-Api-Key": "§page-header§"}
        return self.text(PAGE, "text/html", headers=headers)

    async def app(self, _: web.Request) -> web.Response:
        """Give its script."""
        return self.text(APP, "text/javascript")

    async def login(self, _: web.Request) -> web.Response:
        """Answer with tokens, in the headers too."""
        nested = '"{\\"refresh_token\\":\\"§response-json§\\"}"'
        body = f'{{"access_token":"§response-body§","more":{nested},"key":"§response-token§"}}'
        headers = {"Set-Cookie": "account=§set-cookie§", "X-Auth-Token": "§response-header§"}
        headers["Location"] = "/done?token=§location§"
        return self.text(body, "application/json", headers=headers)

    async def form(self, _: web.Request) -> web.Response:
        """Answer with a form's code."""
        return self.text("user=ann&password=§response-form§", "application/x-www-form-urlencoded")

    async def broken(self, _: web.Request) -> web.Response:
        """Fail, with a stack trace."""
        return self.text(BROKEN, "text/plain", 500)

    async def redirect(self, _: web.Request) -> web.Response:
        """Send on to an address with a token."""
        raise web.HTTPFound(self.with_secrets("/api/form?session_token=§redirected§"))

    async def picture(self, _: web.Request) -> web.Response:
        """Give a picture whose metadata hold a password."""
        said, file = PngImagePlugin.PngInfo(), io.BytesIO()
        said.add_text("Comment", self.with_secrets("password: §picture§"))
        Image.new("RGB", (30, 20), "green").save(file, "PNG", pnginfo=said)
        return web.Response(body=file.getvalue(), content_type="image/png")

    async def socket(self, request: web.Request) -> web.WebSocketResponse:
        """Answer as text and as bytes, and close with a reason."""
        response = web.WebSocketResponse()
        await response.prepare(request)
        async for frame in response:
            if frame.type is WSMsgType.BINARY:
                await response.send_str(self.with_secrets('{"event":"welcome","token":"§socket-received§"}'))
                await response.send_str(self.with_secrets("your key: §socket-token§"))
                await response.send_bytes(self.with_secrets("password=§socket-binary§").encode())
                await response.close(code=4001, message=self.with_secrets("bad token=§socket-reason§").encode())
        return response


def _random(length: int) -> str:
    """Draw letters and digits; of each kind at least one."""
    kinds = (string.ascii_lowercase, string.ascii_uppercase, string.digits)
    drawn = [secrets.choice(kind) for kind in kinds] + [secrets.choice("".join(kinds)) for _ in range(length - 3)]
    random.SystemRandom().shuffle(drawn)
    return "".join(drawn)


@asynccontextmanager
async def planted_site() -> AsyncIterator[PlantedSite]:
    """Serve it."""
    site = PlantedSite(port := free_port())
    application = web.Application()
    application.add_routes(
        [
            web.get("/", site.page),
            web.get("/inbox", site.page),
            web.get("/app.js", site.app),
            web.post("/api/login", site.login),
            web.route("*", "/api/form", site.form),
            web.get("/api/broken", site.broken),
            web.get("/api/redirect", site.redirect),
            web.get("/picture.png", site.picture),
            web.get("/socket", site.socket),
        ]
    )
    runner = web.AppRunner(application, access_log=None, shutdown_timeout=0.5)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", port).start()
    try:
        yield site
    finally:
        await runner.cleanup()
