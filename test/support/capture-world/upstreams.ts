import { once, setMaxListeners } from 'node:events';
import { readFileSync } from 'node:fs';
import { createSecureServer, type Http2ServerRequest, type Http2ServerResponse } from 'node:http2';
import type { Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { createSecureContext } from 'node:tls';
import { type WebSocket, WebSocketServer } from 'ws';
import { anthropic } from '../model-provider-anthropic.ts';
import { openAi } from '../model-provider-openai.ts';
import { RejectedRequest, type Wire } from '../model-wire.ts';
import { gemini, geminiNonStreaming } from './gemini.ts';
import { sendModelResponse } from './model-responses.ts';
import { sendDifficultResponse, hasDifficultResponse } from './difficult-responses.ts';

/*
 * A program with the servers of the simulated internet, on port 443 of all its addresses, over
 * HTTP/1.1 and HTTP/2. It has one certificate for the hosts of models and one for all others. A
 * stream whose prompt requests it stops in the middle until SIGUSR2. The environment names the
 * files.
 */

const wires: Record<string, Wire[]> = {
  'api.openai.com': [openAi],
  'api.anthropic.com': [anthropic],
  'generativelanguage.googleapis.com': [gemini, geminiNonStreaming],
};

const { KEY = '', CERTIFICATE = '', OTHER_KEY = '', OTHER_CERTIFICATE = '' } = process.env;
const others = createSecureContext({
  key: readFileSync(OTHER_KEY),
  cert: readFileSync(OTHER_CERTIFICATE),
});
setMaxListeners(0, process);
const server = createSecureServer(
  {
    key: readFileSync(KEY),
    cert: readFileSync(CERTIFICATE),
    SNICallback: (name, done) => done(null, name in wires ? undefined : others),
    allowHTTP1: true,
  },
  (request, response) => void respond(request, response),
);
// Idle connections are not closed while the next request of the client may be on its way: a request
// that fails would then be a fault of the agent.
Object.assign(server, { keepAliveTimeout: 600_000 });
server.on('sessionError', () => undefined);
server.on('upgrade', acceptWebSocket);
await once(server.listen(443, '::'), 'listening');
process.stdout.write('listening\n');

async function respond(request: Http2ServerRequest, response: Http2ServerResponse): Promise<void> {
  const host = (request.authority ?? request.headers.host ?? '').replace(/:443$/, '');
  const [path = ''] = request.url.split('?');
  const hostWires = wires[host];
  if (!hostWires) return void response.writeHead(200).end(`${host} has no news\n`);
  // Allows requests from pages of other hosts (the Fetch standard, 3.3).
  response.setHeader('access-control-allow-origin', '*');
  response.setHeader('access-control-allow-headers', 'authorization, content-type');
  if (request.method === 'OPTIONS') return void response.writeHead(204).end();
  if (hasDifficultResponse(path)) return sendDifficultResponse(path, request, response);
  const wire = hostWires.find((one) => one.path === path);
  try {
    const body = await text(request);
    if (!wire) throw new RejectedRequest(404, `there is no ${path}`);
    await sendModelResponse(request, body, wire, response);
  } catch (error) {
    if (!(error instanceof RejectedRequest)) return;
    response.writeHead(error.status, { 'content-type': 'application/json' });
    response.end(JSON.stringify((wire ?? hostWires[0])?.error(error.status, error.message)));
  }
}

/** Echoes each message. */
function acceptWebSocket(request: Http2ServerRequest, socket: Socket, head: Buffer): void {
  const sockets = new WebSocketServer({ noServer: true, perMessageDeflate: true });
  sockets.handleUpgrade(request as never, socket, head, (webSocket: WebSocket) => {
    webSocket.on('error', () => undefined);
    webSocket.on('message', (data, isBinary) => webSocket.send(data, { binary: isBinary }));
  });
}
