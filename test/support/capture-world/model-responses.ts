import { createHash } from 'node:crypto';
import { once } from 'node:events';
import type { Http2ServerRequest, Http2ServerResponse } from 'node:http2';
import { setTimeout as pause } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { MODEL_KEY } from '../model-provider.ts';
import { RejectedRequest, type Wire } from '../model-wire.ts';

/** Repeats the last message of the request, and describes the request. */
export async function sendModelResponse(
  request: Http2ServerRequest,
  body: string,
  wire: Wire,
  response: Http2ServerResponse,
): Promise<void> {
  if (wire.keyOf(request.headers) !== MODEL_KEY) throw new RejectedRequest(401, 'not the key');
  const modelRequest = wire.read(JSON.parse(body) as Record<string, unknown>, request.headers);
  const output = `${modelRequest.messageTexts.join(' | ')} ${digestOf(request, body)}`;
  if (!modelRequest.stream)
    return sendWholeResponse(
      request,
      JSON.stringify(wire.responseBody(modelRequest, output)),
      response,
    );
  const { start, pieces, end } = wire.events(modelRequest, output.match(/.{1,9}/gsu) ?? []);
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const half = pieces.length >> 1;
  for (const piece of [...start, ...pieces.slice(0, half)]) response.write(piece);
  if (output.startsWith('hold')) {
    process.stdout.write(`holding: ${modelRequest.messageTexts.join(' ')}\n`);
    await once(process, 'SIGUSR2');
  }
  for (const piece of [...pieces.slice(half), ...end]) {
    if (output.startsWith('slowly')) await pause(20);
    response.write(piece);
  }
  response.end();
}

function sendWholeResponse(
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

/** A digest of everything in a request: equal requests have equal digests. */
function digestOf({ httpVersion, method, url, rawHeaders }: Http2ServerRequest, body: string) {
  const sent = JSON.stringify([httpVersion, method, url, rawHeaders, body]);
  return createHash('sha256').update(sent).digest('hex').slice(0, 8);
}
