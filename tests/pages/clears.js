// Ends every timer, frame and idle time but the page's own, each 100 ms: their numbers are the same in all worlds.
{
  const kinds = [
    { begin: 'setTimeout', end: window.clearTimeout },
    { begin: 'setInterval', end: window.clearInterval },
    { begin: 'requestAnimationFrame', end: window.cancelAnimationFrame },
    { begin: 'requestIdleCallback', end: window.cancelIdleCallback },
  ];
  for (const kind of kinds) {
    const native = window[kind.begin];
    const own = new Set();
    Object.assign(kind, { native, own });
    window[kind.begin] = (...args) => {
      const id = native(...args);
      own.add(id);
      return id;
    };
  }
  const [{ own: timers }, { own: intervals }] = kinds;
  window.clearAll = () => {
    for (const { native, end, own } of kinds) {
      const top = native(() => 0);
      for (let id = Math.max(1, top - 5000); id <= top; id++) {
        const isTimer = own === timers || own === intervals;
        if (!own.has(id) && !(isTimer && (timers.has(id) || intervals.has(id)))) end(id);
      }
    }
  };
  setInterval(clearAll, 100);
}
