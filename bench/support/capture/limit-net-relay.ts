/**
 * The limit for connections that pass through: copies bytes between two sockets.
 *
 * limit-net-relay.ts CERTIFICATES PORT     the server's port
 */
import { type AddressInfo, connect, createServer } from 'node:net';

const port = Number(process.argv[3]);
const relay = createServer({ noDelay: true }, (client) => {
  const server = connect({ host: '127.0.0.1', port, noDelay: true });
  client.pipe(server).pipe(client);
  client.on('error', () => server.destroy()).on('close', () => server.destroy());
  server.on('error', () => client.destroy()).on('close', () => client.destroy());
});
relay.listen(0, '127.0.0.1', () => process.send?.({ port: (relay.address() as AddressInfo).port }));
process.on('disconnect', () => process.exit());
