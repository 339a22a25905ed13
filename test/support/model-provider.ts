import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { anthropic } from './model-provider-anthropic.ts';
import { openAi } from './model-provider-openai.ts';
import { type ModelRequest, RejectedRequest, type Wire } from './model-wire.ts';

export const MODEL_KEY = 'sk-model-provider-0123456789';

export interface ModelProvider {
  url: string;
  /** The bodies of the received requests, in order. */
  requests: Record<string, unknown>[];
  /** Resolvers of requests for the model `both`, which waits until there are two. */
  waiting: (() => void)[];
  /** Resolvers of requests for the model `held`: each is answered when its function is called. */
  pausedRequests: (() => void)[];
  /** The number of requests that were aborted before they were answered. */
  abortedRequests: number;
  stop(): Promise<void>;
}

/** The response of a model: it repeats the messages. `simulateFault` has other models. */
export const expectedResponse = (model: string, texts: readonly string[]): string =>
  `${model} heard: ${texts.join(' | ')}`;

/** Starts a local server with the APIs of OpenAI and Anthropic. */
export async function startModelProvider(): Promise<ModelProvider> {
  const provider: ModelProvider = {
    url: '',
    requests: [],
    waiting: [],
    pausedRequests: [],
    abortedRequests: 0,
    stop,
  };
  const server = createServer((request, response) => {
    response.on('close', () => {
      if (!response.writableFinished) provider.abortedRequests += 1;
    });
    void serve(request, response, provider);
  });
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
  provider: ModelProvider,
): Promise<void> {
  if (request.method === 'GET') return listModels(request, response);
  const wire = [openAi, anthropic].find(({ path }) => request.url === path);
  if (!wire) return void response.writeHead(404).end('404 page not found');
  const body = JSON.parse(await text(request)) as Record<string, unknown>;
  provider.requests.push(body);
  try {
    const key = wire.keyOf(request.headers);
    if (key !== MODEL_KEY) throw new RejectedRequest(401, `Incorrect API key provided: ${key}.`);
    const modelRequest = wire.read(body, request.headers);
    if (modelRequest.model === 'both') await waitForSecondRequest(provider);
    if (modelRequest.model === 'flaky' && isFirst(provider, body))
      throw new RejectedRequest(503, 'The server is overloaded');
    if (modelRequest.model === 'held')
      await new Promise<void>((resolve) => provider.pausedRequests.push(resolve));
    if (!simulateFault(wire, modelRequest, response)) sendResponse(wire, modelRequest, response);
  } catch (error) {
    if (!(error instanceof RejectedRequest)) throw error;
    if (error.status === 429) response.setHeader('Retry-After', '7');
    response.writeHead(error.status, { 'Content-Type': 'application/json' });
    response.end(JSON.stringify(wire.error(error.status, error.message, error.more)));
  }
}

/** Both providers list their models at the same path; the headers identify the provider. */
function listModels(request: IncomingMessage, response: ServerResponse): void {
  if (request.url?.split('?')[0] !== '/v1/models') return void response.writeHead(404).end();
  const wire = request.headers['anthropic-version'] === undefined ? openAi : anthropic;
  if (wire.keyOf(request.headers) === MODEL_KEY) return json(response, wire.models?.() ?? {});
  response.writeHead(401, { 'Content-Type': 'application/json' });
  response.end(JSON.stringify(wire.error(401, 'Incorrect API key provided.', undefined)));
}

/** Models that repeat only the last message. `flaky` first rejects each request once. */
const ECHOING = ['echo', 'flaky'];

/** Resolves when there are two requests; sequential requests would wait forever. */
function waitForSecondRequest({ waiting }: ModelProvider): Promise<void> {
  return new Promise((resolve) => {
    waiting.push(resolve);
    if (waiting.length === 2) for (const go of waiting.splice(0)) go();
  });
}

/** Whether these messages are new, ignoring the random markers of a judge. */
function isFirst({ requests }: ModelProvider, body: object): boolean {
  const messagesOf = (request: object) =>
    JSON.stringify(request).replaceAll(/data-[0-9a-f]{16}/g, '');
  const sent = messagesOf(body);
  return requests.filter((request) => messagesOf(request) === sent).length === 1;
}

function sendResponse(wire: Wire, modelRequest: ModelRequest, response: ServerResponse): void {
  const last = modelRequest.messageTexts.at(-1) ?? '';
  const output = ECHOING.includes(modelRequest.model)
    ? last
    : expectedResponse(modelRequest.model, modelRequest.messageTexts);
  if (!modelRequest.stream) return json(response, wire.responseBody(modelRequest, output));
  const { start, pieces, end } = wire.events(modelRequest, output.match(/.{1,9}/gsu) ?? []);
  streaming(response).end([...start, ...pieces, ...end].join(''));
}

/** Simulates a fault of a provider, by the name of the model. Returns true if it has responded. */
function simulateFault(wire: Wire, modelRequest: ModelRequest, response: ServerResponse): boolean {
  const { start, pieces } = wire.events(modelRequest, ['half an ']);
  const begun = [...start, ...pieces].join('');
  switch (modelRequest.model) {
    case 'silent':
      return true;
    case 'limited':
      throw new RejectedRequest(429, 'Rate limit reached');
    case 'down':
      throw new RejectedRequest(503, `The server is overloaded, ${MODEL_KEY}`);
    case 'garbled':
      response.writeHead(200, { 'Content-Type': 'application/json' }).end('<html>');
      return true;
    case 'literal':
      sendLiteral(JSON.parse(modelRequest.messageTexts.join('')), response);
      return true;
    case 'breaks':
      streaming(response).end(begun + wire.errorEvent('Overloaded'));
      return true;
    case 'drops':
      streaming(response).write(begun, () => response.destroy());
      return true;
    case 'stops':
      streaming(response).end(begun);
      return true;
    case 'stalls':
      streaming(response).write(begun);
      return true;
    default:
      return false;
  }
}

function sendLiteral(answer: object, response: ServerResponse): void {
  if (!Array.isArray(answer)) return json(response, answer);
  const lines = (answer as { type?: string }[]).map(
    (event) => `event: ${event.type ?? 'message'}\ndata: ${JSON.stringify(event)}\n\n`,
  );
  streaming(response).end(lines.join(''));
}

function json(response: ServerResponse, body: object): void {
  response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
}

const streaming = (response: ServerResponse): ServerResponse =>
  response.writeHead(200, { 'Content-Type': 'text/event-stream' });
