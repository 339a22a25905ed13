import { once } from 'node:events';
import { createServer, type TLSSocket } from 'node:tls';
import type { Lab } from './lab.ts';

/**
 * Starts a TLS server that answers each chunk with the same in capitals, and the end with `bye`.
 * Returns its port.
 */
export async function serveUpperCase(lab: Lab, ...names: string[]): Promise<number> {
  const server = createServer({ ...(await lab.certify(...names)), allowHalfOpen: true });
  server.on('secureConnection', (socket) => {
    socket.on('error', () => undefined);
    socket.on('data', (data) => socket.write(data.toString().toUpperCase()));
    socket.on('end', () => socket.end('bye'));
  });
  return lab.listen(server);
}

/** Sends a text once the connection is open, and returns the first chunk of the response. */
export async function exchange(socket: TLSSocket, text: string): Promise<string> {
  await once(socket, 'secureConnect');
  socket.write(text);
  const [answer] = await once(socket, 'data');
  return String(answer);
}

/** Returns the common name of the issuer of the server's certificate. */
export const issuerOf = (socket: TLSSocket): string =>
  String(socket.getPeerCertificate().issuer.CN);
