// Stands in for shared/dialog_hold.ts: on a machine that runs other tests, to attach takes longer; the test's server ends the
// hold as soon as the worker has attached, for two seconds a dialog are most of the time of the tests that open one.

export const HELD_MS = 2000;

/** Hold the page's thread until the server knows that we are attached. */
export function holdPage() {
  const end = performance.now() + HELD_MS;
  try {
    const asking = new XMLHttpRequest();
    const page = encodeURIComponent((window.top ?? window).location.href);
    asking.open('GET', `${self.origin}/api/until-attached?page=${page}&ms=${HELD_MS}`, false);
    asking.send();
    if (asking.status === 200) return;
  } catch {} // a page that is being left may not ask
  while (performance.now() < end);
}

/** The servers of the tabs that are attached: a tab that is closed names its page no more. */
const servers: Map<number, string> = new Map();

async function reportAttached(tab: number) {
  const { url = '' } = await chrome.tabs.get(tab);
  servers.set(tab, new URL(url).origin);
  await report(tab, url);
}

async function report(tab: number, page: string) {
  await fetch(`${servers.get(tab)}/api/attached?tab=${tab}&page=${encodeURIComponent(page)}`);
}

/** In the worker: report each tab that is attached, or no longer, to the server of its page. */
function reportAttachments() {
  const { attach, detach } = chrome.debugger;
  const refused = () => {}; // the page of another server
  chrome.debugger.attach = async (target: chrome.debugger.Debuggee, version: string) => {
    await attach(target, version);
    reportAttached(target.tabId ?? 0).catch(refused);
  };
  chrome.debugger.detach = async (target: chrome.debugger.Debuggee) => {
    await detach(target);
    report(target.tabId ?? 0, '').catch(refused);
  };
  chrome.debugger.onDetach.addListener(({ tabId }) => report(tabId ?? 0, '').catch(refused));
}

if (chrome.debugger) reportAttachments();
