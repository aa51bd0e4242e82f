"""Serves a small application with a bug that can be put back, for tests that were recorded on it."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from aiohttp import web

from gasoline_demo.site import free_port

PAGE = """<!doctype html><html lang="en"><title>Shop</title><link rel="icon" href="data:,">
<h1>The shop</h1>
<form id="profile">
  <label>Full name <input name="name"></label>
  <label>Password <input name="password" type="password"></label>
  <label>Country <select name="country"><option>Norway<option>Peru</select></label>
  <label><input type="checkbox" name="news"> Send me news</label>
  <label>Picture <input type="file" name="picture"></label>
  <button>Save</button> <p id="status">Unchanged</p>
</form>
<input id="todo" placeholder="What is to be done?"><ul id="list"></ul>
<input id="search" aria-label="Search"><p id="hits"></p>
<p><button id="remove">Remove the account</button> <span id="account">The account is open</span></p>
<p><a href="/second">To the second page</a> <a href="/second" target="_blank">In a new tab</a>
  <a href="/list.csv" download="list.csv">Save the list</a> <button id="route">To the orders</button></p>
<div id="orders" hidden><h2>Your orders</h2></div>
<iframe id="inner" src="/inner"></iframe> <iframe src="OTHER/inner?other"></iframe>
<my-open></my-open> <my-closed></my-closed> <p id="within"></p>
<script>
const bug = 'BUG', by = (id) => document.getElementById(id);
by('profile').onsubmit = async (event) => {
  event.preventDefault();
  if (bug === 'throws') throw new TypeError('profile is not there');
  const reply = await fetch('/api/profile', {method: 'POST', body: new FormData(event.target)});
  const {name, secret, country, news, picture} = await reply.json();
  const saved = `Saved ${name}, ${country}, ${news ? 'with' : 'without'} news, ${picture || 'no picture'}, ${secret}`;
  by('status').textContent = bug === 'text' ? 'Nothing was saved' : reply.ok ? saved : 'It failed';
};
by('todo').onkeydown = ({key, target}) => {
  if (key !== 'Enter' || bug === 'silent') return;
  by('list').append(Object.assign(document.createElement('li'), {textContent: target.value}));
  target.value = '';
};
by('search').oninput = async ({target}) => {
  const words = target.value;
  const found = await (await fetch(`/api/search?words=${words}`)).text();
  if (words === target.value) by('hits').textContent = found; // answers may come in any order
};
by('remove').onclick = () => {
  if (confirm('Remove it for ever?')) by('account').textContent = 'The account is closed';
};
by('route').onclick = () => {
  history.pushState(0, '', '/orders/4711');
  by('orders').hidden = false;
};
const host = (tag, mode) => {
  const root = document.querySelector(tag).attachShadow({mode});
  root.innerHTML = `<div><button>Within the ${mode} root</button></div>`;
  root.querySelector('button').onclick = () => { by('within').textContent = `The ${mode} root was pressed`; };
};
host('my-open', 'open');
host('my-closed', 'closed');
if (bug === 'console') console.error('The shop is closed');
</script></html>"""

SECOND = """<!doctype html><html lang="en"><title>The second</title><link rel="icon" href="data:,">
<h1>The second page</h1>
<button onclick="this.nextElementSibling.textContent = 'It was pressed'">Press me</button><p></p></html>"""

INNER = """<!doctype html><html lang="en"><title>Inner</title><link rel="icon" href="data:,">
<button>Press in the frame</button>
<script>document.querySelector('button').onclick = ({target}) => {
  target.parentNode.querySelector('p').textContent = `Pressed in ${location.search || 'it'}`;
};</script>
<p></p></html>"""


class Site:
    """The application; `bug` is what is broken in it, "" for nothing."""

    def __init__(self, port: int, bug: str) -> None:
        self.port = port
        self.url = f"http://127.0.0.1:{port}/"
        self.bug = bug

    async def page(self, _: web.Request) -> web.Response:
        """Give the page, with the bug."""
        other = f"http://localhost:{self.port}"
        text = PAGE.replace("BUG", self.bug).replace("OTHER", other)
        if self.bug == "missing":
            text = text.replace('<button id="remove">Remove the account</button>', "")
        return web.Response(text=text, content_type="text/html")

    async def profile(self, request: web.Request) -> web.Response:
        """Save the profile."""
        form = await request.post()
        picture = form.get("picture")
        name = getattr(picture, "filename", "") if picture else ""
        secret = "right password" if form.get("password") == "correct horse" else "wrong password"
        saved = {"name": form["name"], "country": form["country"], "news": "news" in form, "picture": name}
        return web.json_response(saved | {"secret": secret}, status=500 if self.bug == "status" else 200)


@asynccontextmanager
async def recorded_site(bug: str = "") -> AsyncIterator[Site]:
    """Serve it."""
    site = Site(free_port(), bug)

    async def search(request: web.Request) -> web.Response:
        await asyncio.sleep(0.05)
        return web.Response(text=f"Found what has {request.query['words']}")

    def html(text: str) -> web.Response:
        return web.Response(text=text, content_type="text/html")

    async def second(_: web.Request) -> web.Response:
        return html(SECOND)

    async def inner(_: web.Request) -> web.Response:
        return html(INNER)

    async def saved(_: web.Request) -> web.Response:
        return web.Response(text="a,b\n", headers={"Content-Disposition": 'attachment; filename="list.csv"'})

    application = web.Application()
    application.add_routes(
        [
            web.get("/", site.page),
            web.get("/orders/{number}", site.page),
            web.get("/second", second),
            web.get("/inner", inner),
            web.get("/list.csv", saved),
            web.get("/api/search", search),
            web.post("/api/profile", site.profile),
        ]
    )
    runner = web.AppRunner(application, access_log=None, shutdown_timeout=0.5)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", site.port).start()
    await web.TCPSite(runner, "::1", site.port).start()
    try:
        yield site
    finally:
        await runner.cleanup()
