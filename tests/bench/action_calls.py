"""Counts what an action costs inside the extension: calls of Chrome's interfaces, accesses to storages and messages.

The calls are counted in the service worker itself, from the command's message to the last message of its result, in
order. Counts are the same on every machine, whatever else runs on it.
"""

import asyncio
import sys
from collections import Counter
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))

from bench.actions import place

TRACE = """(() => {
  const seen = globalThis.seenCalls = [];
  const short = (value) => { try { return JSON.stringify(value)?.slice(0, 60) ?? ''; } catch { return ''; } };
  const wrap = (owner, name, label) => {
    const plain = owner[name].bind(owner);
    owner[name] = (...given) => {
      const entry = { call: label, with: given.map(short).join(' '), at: performance.now(), ended: null };
      seen.push(entry);
      const answer = plain(...given);
      const end = () => (entry.ended = performance.now());
      if (typeof answer?.finally === 'function') answer.then(end, end);
      return answer;
    };
  };
  for (const area of ['local', 'session', 'sync'])
    for (const name of ['get', 'set', 'remove']) wrap(chrome.storage[area], name, `storage.${area}.${name}`);
  for (const name of ['get', 'query', 'sendMessage', 'update', 'reload']) wrap(chrome.tabs, name, `tabs.${name}`);
  for (const name of ['get', 'getLastFocused']) wrap(chrome.windows, name, `windows.${name}`);
  wrap(chrome.scripting, 'executeScript', 'scripting.executeScript');
  for (const name of ['attach', 'detach', 'getTargets', 'sendCommand']) wrap(chrome.debugger, name, `debugger.${name}`);
  const { send } = WebSocket.prototype;
  WebSocket.prototype.send = function (text) {
    seen.push({ call: 'websocket.send', with: String(text).slice(0, 60), at: performance.now() });
    return send.call(this, text);
  };
})()"""


async def main() -> None:
    """Print the counts of each kind of call, and with `-v` every call in order."""
    verbose = "-v" in sys.argv
    async with place("actions.html") as (at, browser):
        worker = await browser.service_worker()
        await worker.evaluate(TRACE)
        acts: dict[str, tuple[str, dict[str, Any]]] = {
            "execute_javascript": ("execute_javascript", {"script": "1+1"}),
            "execute_javascript, an object": ("execute_javascript", {"script": "({a: 1})"}),
            "click": ("interact", {"action": "click", "selector": "#plain"}),
            "fill_form, 5 fields": ("interact", {"action": "fill_form", "fields": FIELDS, "submit": True}),
            "list_interactive": ("interact", {"action": "list_interactive"}),
            "get_text": ("interact", {"action": "get_text", "selector": "body"}),
            "refresh": ("interact", {"action": "refresh"}),
            "query_dom": ("query_dom", {"selector": "body"}),
        }
        for name, (tool, arguments) in acts.items():
            for _ in range(2):  # the first warms up: the bundle of commands is injected
                await asyncio.sleep(1.5)  # until the effect of the last action is reported
                await at.tab.evaluate(PAGE)
                await worker.evaluate("seenCalls.length = 0")
                told = await at.client.call(tool, tab_id=at.number, **arguments)
                calls = await worker.evaluate("seenCalls")
            _print(name, told, calls, verbose=verbose)


FIELDS = [{"selector": f"#f{n}", "value": f"text {n}"} for n in range(5)]
PAGE = (
    "document.body.innerHTML = '<button id=plain>Plain</button><p id=said></p><form onsubmit=\"said.textContent=1;"
    "return false\">' + [0,1,2,3,4].map((n) => `<input id=f${n}>`).join('') + '<button>Send</button></form>';"
    "plain.onclick = () => (said.textContent += 'x'); 0"
)


def _print(name: str, told: object, calls: list[dict[str, Any]], *, verbose: bool) -> None:
    reply = next(at for at, call in enumerate(calls) if '"type":"result"' in call["with"])
    before, after = calls[:reply], calls[reply + 1 :]
    print(f"\n{name}: {len(before)} calls before the result, {len(after)} after; {str(told)[:100]}")
    print("   " + ", ".join(f"{call} {count}" for call, count in Counter(one["call"] for one in before).items()))
    if verbose:
        start = calls[0]["at"]
        for one in calls:
            ended = "" if one.get("ended") is None else f"{one['ended'] - one['at']:6.1f}"
            print(f"   {one['at'] - start:7.1f} {ended:>6} {one['call']:<26} {one['with'][:90]}")


if __name__ == "__main__":
    asyncio.run(main())
