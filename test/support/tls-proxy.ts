import { once } from 'node:events';
import type { IncomingMessage, OutgoingHttpHeaders } from 'node:http';
import { Agent, createServer, request } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { createRoot, issueServerCertificate } from '#pki/authority.ts';

export interface TlsProxy {
  url: string;
  /** The root of its certificate, which is not a tenant's. */
  root: string;
  /** The number of connections that it has opened to the service. */
  upstreamConnectionCount(): number;
  stop(): void;
}

/**
 * Starts a proxy that terminates TLS according to RFC 9440. It requests a client certificate, for
 * which TLS proves possession of the key, removes `Client-Cert` headers of the client, and sends
 * the certificate in that header. All requests share one connection to the service.
 */
export async function startTlsProxy(service: string, serviceRoot: string): Promise<TlsProxy> {
  const root = await createRoot({ name: 'Proxy', now: Date.now() });
  const own = await issueServerCertificate(root, { names: ['localhost'], now: Date.now() });
  const agent = new Agent({ ca: serviceRoot, keepAlive: true, maxSockets: 1 });
  const upgrades = new Agent({ ca: serviceRoot });
  const sockets = new Set<Socket>();
  const connections = new Set<unknown>();
  const proxy = createServer({
    cert: own.certificatePem,
    key: own.privateKeyPem,
    requestCert: true,
    rejectUnauthorized: false,
  });
  const forward = (incoming: IncomingMessage, through: Agent) => {
    const { method, socket } = incoming;
    const sent = request(new URL(incoming.url ?? '/', service), {
      agent: through,
      method,
      headers: withClientCert(incoming),
    });
    sent.on('socket', (to) => connections.add(to));
    sent.on('error', () => socket.destroy());
    return sent;
  };
  proxy.on('request', (incoming, answer) => {
    incoming.pipe(forward(incoming, agent)).on('response', (got) => {
      answer.writeHead(got.statusCode ?? 502, got.headers);
      got.pipe(answer);
    });
  });
  proxy.on('upgrade', (incoming, from: Socket, head: Buffer) => {
    const sent = forward(incoming, upgrades);
    sent.on('upgrade', (got, to, first: Buffer) => {
      const lines = got.rawHeaders.flatMap((name, i, all) =>
        i % 2 ? [] : `${name}: ${all[i + 1]}`,
      );
      from.write(`HTTP/1.1 101 Switching Protocols\r\n${lines.join('\r\n')}\r\n\r\n`);
      from.write(first);
      to.write(head);
      from.pipe(to).pipe(from);
      for (const end of [from, to]) end.on('error', () => [from, to].map((one) => one.destroy()));
    });
    sent.on('response', ({ statusCode }) => from.end(`HTTP/1.1 ${statusCode} Refused\r\n\r\n`));
    sent.end();
  });
  proxy.on('connection', (socket: Socket) => void sockets.add(socket));
  await once(proxy.listen(0, '127.0.0.1'), 'listening');
  return {
    url: `https://localhost:${(proxy.address() as AddressInfo).port}`,
    root: root.certificatePem,
    upstreamConnectionCount: () => connections.size,
    stop() {
      proxy.close();
      for (const socket of sockets) socket.destroy();
      for (const one of [agent, upgrades]) one.destroy();
    },
  };
}

/** Removes the `Client-Cert` header of clients, and adds it for those with a certificate. */
function withClientCert({ headers, socket }: IncomingMessage): OutgoingHttpHeaders {
  const { 'client-cert': _claimed, ...named } = headers;
  const others = { ...named, connection: headers.upgrade ? 'Upgrade' : 'keep-alive' };
  const { raw } = (socket as TLSSocket).getPeerCertificate();
  return raw ? { ...others, 'client-cert': `:${raw.toString('base64')}:` } : others;
}
