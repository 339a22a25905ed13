import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { sendBanner } from './banner.ts';
import { addresses } from './device-network.ts';
import { serve } from './remote.ts';

// The servers of the internet, on TCP and UDP, with all addresses of the machine.
for (const port of [443, 8443]) {
  const server = createServer({ allowHalfOpen: true }, (socket) => sendBanner('server', socket));
  await once(server.listen(port, '::'), 'listening');
}
// One socket for each address, because the response must come from the requested address.
for (const address of addresses.internet) {
  const socket = createSocket(address.includes(':') ? 'udp6' : 'udp4');
  socket.on('message', (message, from) => socket.send(message, from.port, from.address));
  socket.bind(443, address);
  await once(socket, 'listening');
}
serve({});
