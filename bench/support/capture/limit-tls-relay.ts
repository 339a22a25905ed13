/**
 * The limit for a capturing relay: TLS on both sides, and bytes copied between them without
 * parsing.
 *
 * limit-tls-relay.ts CERTIFICATES PORT     the server's port
 */
import { readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { connect, createSecureContext, createServer } from 'node:tls';
import type { Certificates } from './certificates.ts';
import { CAPTURED } from './traffic.ts';

const [, , file = '', port] = process.argv;
const { relay: own, worldRoot } = JSON.parse(readFileSync(file, 'utf8')) as Certificates;
const secureContext = createSecureContext({ ca: worldRoot });
const relay = createServer(
  {
    key: own.privateKeyPem,
    cert: own.certificatePem,
    ALPNProtocols: ['h2', 'http/1.1'],
    noDelay: true,
  },
  (client) => {
    const server = connect({
      host: '127.0.0.1',
      port: Number(port),
      servername: CAPTURED,
      secureContext,
      ...(client.alpnProtocol && { ALPNProtocols: [client.alpnProtocol] }),
    });
    server.setNoDelay();
    client.pipe(server).pipe(client);
    client.on('error', () => server.destroy()).on('close', () => server.destroy());
    server.on('error', () => client.destroy()).on('close', () => client.destroy());
  },
);
relay.listen(0, '127.0.0.1', () => process.send?.({ port: (relay.address() as AddressInfo).port }));
process.on('disconnect', () => process.exit());
