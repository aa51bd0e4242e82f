// A socket.io server that answers and counts; it prints its port and must reach nothing but this machine.

import { createServer } from 'node:http';
import { Server } from 'socket.io';

const http = createServer();
const server = new Server(http, { cors: { origin: '*' } });
server.on('connection', (socket) => {
  socket.on('echo', (data, reply) => reply(data));
  socket.on('ticks', (count) => {
    for (let n = 0; n < count; n++) socket.emit('tick', n);
  });
});
http.listen(0, '127.0.0.1', () => console.log(http.address().port));
