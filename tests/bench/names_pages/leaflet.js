import 'leaflet/dist/leaflet.css';
import L from 'leaflet';

document.body.innerHTML = '<h1>Map</h1><div id="map" style="height:400px"></div>';
const map = L.map('map').setView([50, 10], 5);
L.tileLayer('/none/{z}/{x}/{y}.png', { attribution: '&copy; <a href="https://example.org">Someone</a>' }).addTo(map);
for (const at of [1, 2, 3]) L.marker([50, 8 + at], { title: `Place ${at}`, alt: `Place ${at}` }).addTo(map).bindPopup(`<b>Place ${at}</b> <a href="/${at}">more</a>`);
L.control.layers({ Street: L.layerGroup() }, { Rivers: L.layerGroup() }, { collapsed: false }).addTo(map);
L.marker([51, 11]).addTo(map).bindPopup('<b>Open</b>').openPopup();
