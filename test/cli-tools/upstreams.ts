import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createSecureServer, type Http2ServerRequest, type Http2ServerResponse } from 'node:http2';
import { text } from 'node:stream/consumers';
import { answerOf, type Answer } from './answers.ts';

/*
 * A program with the servers of AI providers for command-line tools, on port 443 of all addresses,
 * over HTTP/1.1 and HTTP/2. They accept all requests, and respond with the mark in the prompt. A
 * stream whose prompt requests it stops in the middle until SIGUSR2. KEY and CERTIFICATE are files.
 */

const held = new Set<string>();
/** Prompts that were released. They are kept, because a tool may send the same prompt again. */
const released = new Set<string>();
process.on('SIGUSR2', () => {
  for (const mark of held) released.add(mark);
});

const { KEY: key = '', CERTIFICATE: certificate = '' } = process.env;
const server = createSecureServer(
  { key: readFileSync(key), cert: readFileSync(certificate), allowHTTP1: true },
  (request, response) => void serve(request, response),
);
server.on('sessionError', () => undefined);
await once(server.listen(443, '::'), 'listening');
process.stdout.write('listening\n');

async function serve(request: Http2ServerRequest, response: Http2ServerResponse): Promise<void> {
  const body = await text(request);
  const [path = ''] = request.url.split('?');
  const answer = answerOf(request.method, path, body);
  if (!answer) {
    response.writeHead(404, { 'content-type': 'application/json' });
    return void response.end(JSON.stringify({ error: { message: `there is no ${path}` } }));
  }
  if ('json' in answer) {
    response.writeHead(200, { 'content-type': 'application/json' });
    return void response.end(JSON.stringify(answer.json));
  }
  await stream(answer, response);
}

async function stream(
  { events, mark, isHeld }: Extract<Answer, { events: string[] }>,
  response: Http2ServerResponse,
): Promise<void> {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const half = events.length >> 1;
  for (const event of events.slice(0, half)) response.write(event);
  if (isHeld && !released.has(mark)) {
    held.add(mark);
    process.stdout.write(`holding: ${mark}\n`);
    await once(process, 'SIGUSR2');
  }
  for (const event of events.slice(half)) response.write(event);
  response.end();
}
