// Answers for every document of its origin, as an application does that works offline.
addEventListener('install', () => skipWaiting());
addEventListener('activate', (event) => event.waitUntil(clients.claim()));
addEventListener('fetch', (event) => {
  if (event.request.mode === 'navigate' && event.request.url.includes('served-by-worker'))
    event.respondWith(fetch(event.request.url));
  if (event.request.url.includes('through-worker')) event.respondWith(fetch(event.request));
});
