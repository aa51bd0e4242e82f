// A service worker that answers in the place of the server.
onactivate = (event) => event.waitUntil(clients.claim());
onfetch = (event) => {
  if (!event.request.url.includes('/answered/')) return;
  event.respondWith(new Response(`<!doctype html><title>Answered</title><h1>Answered</h1>`, { headers: { 'Content-Type': 'text/html' } }));
};
