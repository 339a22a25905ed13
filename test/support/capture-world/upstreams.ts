import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createSecureServer, type Http2ServerRequest, type Http2ServerResponse } from 'node:http2';
import { text } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { MODEL_KEY } from '../model-provider.ts';
import { anthropic } from '../model-provider-anthropic.ts';
import { openAi } from '../model-provider-openai.ts';
import { Refused, type Wire } from '../model-wire.ts';
import { gemini } from './gemini.ts';

/*
 * The servers of an internet, on port 443 of all its addresses, over HTTP/1.1 and HTTP/2. A stream
 * whose prompt asks to be held stops in its middle until SIGUSR2. KEY and CERTIFICATE are files.
 */

const wires: Record<string, Wire> = {
  'api.openai.com': openAi,
  'api.anthropic.com': anthropic,
  'generativelanguage.googleapis.com': gemini,
};

const { KEY: key = '', CERTIFICATE: certificate = '' } = process.env;
const server = createSecureServer(
  { key: readFileSync(key), cert: readFileSync(certificate), allowHTTP1: true },
  (request, response) => void answer(request, response),
);
server.on('sessionError', () => undefined);
await once(server.listen(443, '::'), 'listening');
process.stdout.write('listening\n');

async function answer(request: Http2ServerRequest, response: Http2ServerResponse): Promise<void> {
  const host = request.authority ?? request.headers.host ?? '';
  const wire = wires[host];
  const body = await text(request);
  if (!wire) return void response.writeHead(200).end(`${host} has no news\n`);
  try {
    await answerModel(request, body, wire, response);
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    response.writeHead(error.status, { 'content-type': 'application/json' });
    response.end(JSON.stringify(wire.error(error.status, error.message, error.more)));
  }
}

async function answerModel(
  request: Http2ServerRequest,
  body: string,
  wire: Wire,
  response: Http2ServerResponse,
): Promise<void> {
  const [path] = request.url.split('?');
  if (path !== wire.path) throw new Refused(404, `there is no ${path}`);
  if (wire.keyOf(request.headers) !== MODEL_KEY) throw new Refused(401, 'not the key');
  const asked = wire.read(JSON.parse(body) as Record<string, unknown>, request.headers);
  const output = `${asked.said.join(' | ')} ${digestOf(request, body)}`;
  if (!asked.stream)
    return answerAtOnce(request, JSON.stringify(wire.answer(asked, output)), response);
  const { start, pieces, end } = wire.events(asked, output.match(/.{1,9}/gsu) ?? []);
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const half = pieces.length >> 1;
  for (const piece of [...start, ...pieces.slice(0, half)]) response.write(piece);
  if (output.startsWith('hold')) {
    process.stdout.write(`holding: ${asked.said.join(' ')}\n`);
    await once(process, 'SIGUSR2');
  }
  for (const piece of [...pieces.slice(half), ...end]) response.write(piece);
  response.end();
}

function answerAtOnce(
  { headers }: Http2ServerRequest,
  body: string,
  response: Http2ServerResponse,
): void {
  const isCompressed = /gzip/.test(String(headers['accept-encoding']));
  response.writeHead(200, {
    'content-type': 'application/json',
    ...(isCompressed && { 'content-encoding': 'gzip' }),
  });
  response.end(isCompressed ? gzipSync(body) : body);
}

/** Tells all that was sent, as it was sent: an answer to the same request is the same. */
function digestOf({ httpVersion, method, url, rawHeaders }: Http2ServerRequest, body: string) {
  const sent = JSON.stringify([httpVersion, method, url, rawHeaders, body]);
  return createHash('sha256').update(sent).digest('hex').slice(0, 8);
}
