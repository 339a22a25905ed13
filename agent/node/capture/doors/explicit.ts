import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { readConnectRequest } from '#agent/core/capture/doors/connect-request.ts';
import { proxyAutoConfig } from '#agent/core/capture/doors/proxy-auto-config.ts';
import { isLoopback, plainAddress } from '#agent/core/ip-address.ts';
import { oneLine } from '#agent/core/one-line.ts';
import { openClientFinder } from './client-process.ts';
import type { ClientFinder } from './client-process.ts';
import { sayChanges, unknownClient } from './door.ts';
import type { ConnectionClient, Door, DoorOptions } from './door.ts';
import { startListening, stopListening } from './listening.ts';

export interface ExplicitDoorOptions extends DoorOptions {
  /** On 127.0.0.1; 0: any. */
  port: number;
}

export interface ExplicitDoor extends Door {
  name: 'explicit';
  /** Null: it cannot listen. `setHosts` tries again. */
  readonly port: number | null;
}

const longestHead = 8192;
const headTimeoutMs = 10_000;
const proxyAutoConfigPath = '/proxy.pac';

/**
 * An HTTP proxy on loopback for programs that are configured to use one (HTTPS_PROXY, or the file
 * /proxy.pac). It only tunnels: CONNECT (RFC 9110, section 9.3.6).
 *
 * It takes every host: a program that is configured to use it has no other way. `setHosts` decides
 * which hosts the file names. The answer is always 200, before anybody has connected to the
 * destination: what is behind the door only knows where to connect once it has read the client's
 * first bytes. A destination that cannot be reached shows as a connection that ends. A name may
 * lead to this machine: who connects has to check the address (`isLocalAddress`).
 */
export async function openExplicitDoor(options: ExplicitDoorOptions): Promise<ExplicitDoor> {
  const { onConnection } = options;
  const onProblem = sayChanges(options.onProblem);
  const finder = await openClientFinder();
  let hosts: readonly string[] = [];

  const server = createServer({
    maxHeaderSize: longestHead,
    headersTimeout: headTimeoutMs,
    connectionsCheckingInterval: headTimeoutMs,
  });
  server.on('connection', (socket) => {
    // Not even if the system routes packets from elsewhere to loopback (route_localnet).
    if (!isLoopback(plainAddress(socket.remoteAddress ?? ''))) socket.destroy();
  });
  server.on('request', (request, response) =>
    answerRequest(request, response, proxyAutoConfig(hosts, portOf(server) ?? 0)),
  );
  server.on('clientError', (_, socket) => answerOnSocket(socket, 400, 'not a request'));
  server.on('connect', (request, stream, head) => {
    const socket = stream as Socket;
    const asked = readConnectRequest(request.url ?? '');
    if (asked.state === 'refused') return answerOnSocket(socket, asked.status, asked.reason);
    socket.pause();
    if (head.length > 0) socket.unshift(head);
    socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
    const { host, port, isName } = asked;
    const destination = { host, port, name: isName ? host : null };
    onConnection({ socket, destination, client: findClient(finder, socket) });
  });
  const listen = async (): Promise<void> => {
    const where = { host: '127.0.0.1', port: options.port };
    const onError = ({ message }: Error): void => onProblem(oneLine(message));
    if (await startListening(server, where, onError)) onProblem(null);
  };
  await listen();

  return {
    name: 'explicit',
    get port() {
      return portOf(server);
    },
    async setHosts(next) {
      hosts = next;
      if (!server.listening) await listen();
    },
    async close() {
      await stopListening(server);
      server.closeAllConnections(); // those that have not asked for a tunnel yet
      finder.close();
    },
  };
}

function answerRequest(request: IncomingMessage, response: ServerResponse, file: string): void {
  if (request.url !== proxyAutoConfigPath || !['GET', 'HEAD'].includes(request.method ?? '')) {
    response.writeHead(405, {
      allow: 'CONNECT',
      'content-type': 'text/plain',
      connection: 'close',
    });
    response.end('this proxy only tunnels: CONNECT\n');
    return;
  }
  response.writeHead(200, {
    'content-type': 'application/x-ns-proxy-autoconfig',
    'cache-control': 'no-cache',
    connection: 'close',
  });
  response.end(file);
}

const reasonPhrase = { 400: 'Bad Request', 403: 'Forbidden' };

function answerOnSocket(socket: Duplex, status: 400 | 403, reason: string): void {
  if (!socket.writable) return void socket.destroy();
  const body = `${reason}\n`;
  socket.on('error', () => socket.destroy());
  socket.end(
    `HTTP/1.1 ${status} ${reasonPhrase[status]}\r\n` +
      `content-type: text/plain\r\ncontent-length: ${body.length}\r\nconnection: close\r\n\r\n${body}`,
    () => socket.destroy(),
  );
}

async function findClient(finder: ClientFinder, socket: Socket): Promise<ConnectionClient> {
  const { remoteAddress, remotePort, localAddress, localPort } = socket;
  if (!remoteAddress || !remotePort || !localAddress || !localPort) return unknownClient;
  return finder.find({
    client: { address: plainAddress(remoteAddress), port: remotePort },
    server: { address: plainAddress(localAddress), port: localPort },
  });
}

function portOf(server: Server): number | null {
  return server.listening ? (server.address() as AddressInfo).port : null;
}
