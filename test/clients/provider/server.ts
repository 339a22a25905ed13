import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { MODEL_KEY, replyTo, scenario } from '../scenario.ts';
import { chatCompletions } from './chat-completions.ts';
import { converse } from './converse.ts';
import { gemini } from './gemini.ts';
import { messages } from './messages.ts';
import { responses } from './responses.ts';
import { type Question, RefusedRequest, type Reply, type Usage, type Wire } from './wire.ts';

/** A call of a model, as the provider has served it. */
export interface TrueCall {
  /** The names of the model in the request and in the response. */
  models: string[];
  usage: Usage | null;
  /** The tool that the model requested; null if it responded with text, or rejected the request. */
  tool: string | null;
  /** The text of the response; empty if the model requested a tool, or rejected the request. */
  text: string;
  refused: boolean;
}

export interface StandInProvider {
  url: string;
  calls: TrueCall[];
  /** Requests to paths that do not exist. */
  unknown: string[];
  stop(): Promise<void>;
}

const wires: readonly Wire[] = [chatCompletions, responses, messages, gemini, converse];

/**
 * Starts a server with the APIs of OpenAI, Anthropic, Google and Bedrock, which records the calls.
 */
export async function startProvider(): Promise<StandInProvider> {
  const calls: TrueCall[] = [];
  const unknown: string[] = [];
  const server = createServer((request, response) => {
    void serve(request, response, { calls, unknown });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    calls,
    unknown,
    stop() {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

async function serve(
  request: IncomingMessage,
  response: ServerResponse,
  known: Pick<StandInProvider, 'calls' | 'unknown'>,
): Promise<void> {
  const url = new URL(request.url ?? '/', 'http://provider');
  const body = await text(request);
  const wire = wires.find(({ paths }) => paths.test(url.pathname));
  if (!wire || request.method !== 'POST') {
    known.unknown.push(`${request.method} ${url.pathname}`);
    return send(response, 404, { error: { message: `there is no ${url.pathname}` } });
  }
  try {
    if (wire.keyOf(request.headers, url, body) !== MODEL_KEY)
      throw new RefusedRequest(wire.unauthorized ?? 401, 'Incorrect API key provided.');
    const question = wire.read(url.pathname, JSON.parse(body));
    const reply = replyTo(question, known.calls.length + 1);
    known.calls.push(callOf(wire, question, reply));
    if (!reply) throw new RefusedRequest(400, scenario.refusal);
    answer(wire, question, reply, response);
  } catch (error) {
    if (!(error instanceof RefusedRequest)) throw error;
    const { status, message } = error;
    send(response, status, wire.error(status, message), wire.errorHeaders?.(status));
  }
}

const callOf = (wire: Wire, { model }: Question, reply: Reply | undefined): TrueCall => ({
  models: [...new Set([model, wire.modelOf(model)])],
  usage: reply?.usage ?? null,
  tool: reply?.tool?.name ?? null,
  text: reply?.text ?? '',
  refused: !reply,
});

function answer(wire: Wire, question: Question, reply: Reply, response: ServerResponse): void {
  if (!question.isStream) return send(response, 200, wire.answer(question, reply));
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.end(wire.events(question, reply).join(''));
}

function send(
  response: ServerResponse,
  status: number,
  body: object,
  headers?: Record<string, string>,
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(JSON.stringify(body));
}
