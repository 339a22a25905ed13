import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { readConnectRequest } from '#agent/core/capture/listeners/connect-request.ts';
import { proxyAutoConfig } from '#agent/core/capture/listeners/proxy-auto-config.ts';
import { isLoopback, plainAddress } from '#agent/core/ip-address.ts';
import { oneLine } from '#lib/one-line.ts';
import { openClientFinder } from './client-finder.ts';
import type { ClientFinder } from './client-process.ts';
import { reportChanges, unknownClient } from './capture-listener.ts';
import type {
  ConnectionClient,
  CaptureListener,
  CaptureListenerOptions,
} from './capture-listener.ts';
import { startListening, stopListening } from './listen.ts';
import { maxConnections } from './open-files.ts';

export interface ExplicitProxyOptions extends CaptureListenerOptions {
  /** The port on 127.0.0.1; 0: any free port. */
  port: number;
  /** The number of connections at once; more are closed. */
  maxConnections?: number;
}

export interface ExplicitProxy extends CaptureListener {
  name: 'explicit';
  /** The port; null if the proxy cannot listen. `setHosts` tries again. */
  readonly port: number | null;
}

const MAX_HEADER_BYTES = 8192;
const HEADER_TIMEOUT_MS = 10_000;
const PROXY_AUTO_CONFIG_PATH = '/proxy.pac';

/**
 * An HTTP proxy on loopback for programs that are configured to use one (HTTPS_PROXY, or the file
 * /proxy.pac). It only tunnels: CONNECT (RFC 9110, section 9.3.6).
 *
 * It accepts every host, because a program that is configured to use it has no other route.
 * `setHosts` decides which hosts the file names. The response is always 200, before the agent has
 * connected to the destination: the interceptor only knows where to connect once it has read the
 * client's first bytes. If the destination cannot be reached, the connection ends. A name may
 * resolve to this machine: the code that connects must check the address (`isLocalAddress`).
 */
export async function openExplicitProxy(options: ExplicitProxyOptions): Promise<ExplicitProxy> {
  const { onConnection } = options;
  const onProblem = reportChanges(options.onProblem);
  const finder = await openClientFinder(options.onSearchFailure);
  let hosts: readonly string[] = [];

  const server = createServer({
    maxHeaderSize: MAX_HEADER_BYTES,
    headersTimeout: HEADER_TIMEOUT_MS,
    connectionsCheckingInterval: HEADER_TIMEOUT_MS,
  });
  const limit = options.maxConnections ?? maxConnections().proxy;
  limitConnections(server, limit, onProblem);
  server.on('connection', (socket) => {
    // Checked because the system may route packets from elsewhere to loopback (route_localnet).
    if (!isLoopback(plainAddress(socket.remoteAddress ?? ''))) socket.destroy();
  });
  server.on('request', (request, response) =>
    handleRequest(request, response, proxyAutoConfig(hosts, portOf(server) ?? 0)),
  );
  server.on('clientError', (_, socket) => rejectConnect(socket, 400, 'not a request'));
  server.on('connect', (request, stream, head) => {
    const socket = stream as Socket;
    const target = readConnectRequest(request.url ?? '');
    if (target.state === 'refused') return rejectConnect(socket, target.status, target.reason);
    socket.pause();
    if (head.length > 0) socket.unshift(head);
    socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
    const { host, port, isName } = target;
    const destination = { host, port, name: isName ? host : null };
    onConnection({ socket, destination, client: findClient(finder, socket) });
  });
  const listen = async (): Promise<void> => {
    const listenOptions = { host: '127.0.0.1', port: options.port };
    const onError = ({ message }: Error): void => onProblem(oneLine(message));
    if (await startListening(server, listenOptions, onError)) onProblem(null);
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
      server.closeAllConnections(); // connections without a tunnel yet
      finder.close();
    },
  };
}

/** Closes connections beyond the limit, and reports that until half of them have ended. */
function limitConnections(
  server: Server,
  limit: number,
  onProblem: (line: string | null) => void,
): void {
  let open = 0;
  let isFull = false;
  server.maxConnections = limit;
  server.on('drop', () => {
    isFull = true;
    onProblem(`more than ${limit} connections to the proxy: others are closed`);
  });
  server.on('connection', (socket) => {
    open += 1;
    socket.once('close', () => {
      open -= 1;
      if (!isFull || open > limit / 2) return;
      isFull = false;
      onProblem(null);
    });
  });
}

function handleRequest(request: IncomingMessage, response: ServerResponse, file: string): void {
  if (request.url !== PROXY_AUTO_CONFIG_PATH || !['GET', 'HEAD'].includes(request.method ?? '')) {
    response.writeHead(405, {
      allow: 'CONNECT',
      'content-type': 'text/plain',
      connection: 'close',
    });
    response.end('this proxy only tunnels: CONNECT\n');
    return;
  }
  if (!isOwnHost(request.headers.host) || request.headers['sec-fetch-site'] === 'cross-site') {
    response.writeHead(403, { 'content-type': 'text/plain', connection: 'close' });
    response.end('this file is not for web pages\n');
    return;
  }
  response.writeHead(200, {
    'content-type': 'application/x-ns-proxy-autoconfig',
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-cache',
    connection: 'close',
  });
  response.end(file);
}

/** A web page could read the list of hosts through a name of its own that resolves to loopback. */
const isOwnHost = (host: string | undefined): boolean =>
  host === undefined || /^(?:127\.0\.0\.1|localhost)(?::\d+)?$/i.test(host);

const reasonPhrase = { 400: 'Bad Request', 403: 'Forbidden' };

function rejectConnect(socket: Duplex, status: 400 | 403, reason: string): void {
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
