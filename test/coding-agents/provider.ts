import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { answerOf, newId } from '../cli-tools/answers.ts';
import { toolRequestOf } from './tool-requests.ts';

export interface Provider {
  url: string;
  /** The bodies of all requests so far, as text. */
  received: string[];
  /** The number of responses by models. */
  answers: number;
  /** Requests to paths that do not exist. */
  unknown: string[];
  stop: () => Promise<void>;
}

/**
 * Starts a server with the APIs of AI providers on loopback. A prompt that contains a command is
 * answered with a call of the client's tool for commands, all others with the mark in the prompt.
 */
export async function startProvider(): Promise<Provider> {
  const provider: Provider = { url: '', received: [], answers: 0, unknown: [], stop };
  const server = createServer((request, response) => void serve(request, response, provider));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  provider.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return provider;

  function stop(): Promise<void> {
    server.closeAllConnections();
    return new Promise((resolve) => server.close(() => resolve()));
  }
}

async function serve(
  request: IncomingMessage,
  response: ServerResponse,
  provider: Provider,
): Promise<void> {
  const body = await text(request);
  const [path = ''] = (request.url ?? '').split('?');
  provider.received.push(body);
  // Like Anthropic; Claude Code reports this header.
  response.setHeader('request-id', newId('req_'));
  const call = toolRequestOf(path, body);
  if (call) {
    provider.answers += 1;
    return stream(response, call.events);
  }
  const answer = answerOf(request.method ?? '', path, body);
  if (!answer) {
    provider.unknown.push(`${request.method} ${path}`);
    response.writeHead(404, { 'content-type': 'application/json' });
    return void response.end(JSON.stringify({ error: { message: `there is no ${path}` } }));
  }
  if (!/count_?tokens|models$/i.test(path)) provider.answers += 1;
  if ('events' in answer) return stream(response, answer.events);
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end(JSON.stringify(answer.json));
}

function stream(response: ServerResponse, events: readonly string[]): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.end(events.join(''));
}
