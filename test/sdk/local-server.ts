import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { createObserver, type Observer, type Options } from '#sdk/src/index.ts';
import { PATIENCE_MS } from '../support/patience.ts';

export interface Seen {
  method: string;
  path: string;
  headers: Record<string, string | string[] | undefined>;
  body: Record<string, unknown>;
  /** What it was answered. */
  answer: Record<string, unknown>;
}

/** What is answered. `silent`: nothing, for ever. `drop`: the connection ends without an answer. */
export type Reply =
  | { status?: number; body?: unknown; text?: string; headers?: Record<string, string> }
  | 'silent'
  | 'drop';

export interface LocalServer {
  readonly url: string;
  /** All requests, in the order in which they arrived. */
  seen: Seen[];
  /** Answers the next requests as this says; undefined: as a control plane does. */
  behave: (seen: Seen) => Reply | undefined | Promise<Reply | undefined>;
  /** Those that were taken, as `start`, `llm-calls` … with their bodies. */
  taken: Seen[];
  goAway(): Promise<void>;
  comeBack(): Promise<void>;
}

/** A control plane as small as can be, which can be told to be a bad one. */
export async function startLocalServer(): Promise<LocalServer> {
  let server: Server;
  let port = 0;
  let runs = 0;

  function standard({ path }: Seen): Reply {
    if (path.endsWith('/runs/start/')) {
      runs += 1;
      return { status: 201, body: { run_id: String(runs), workflow_id: 'wf_1' } };
    }
    if (!path.endsWith('/complete/')) return { body: { status: 'ok', count: 1 } };
    const calm = { should_retry: false, retry_feedback: null, max_retries: 0 };
    return { body: { status: 'ok', governance_action: 'allow', ...calm } };
  }

  function listen(): Promise<void> {
    server = createServer((request, response) => {
      void (async () => {
        const raw = await text(request);
        const seen: Seen = {
          method: request.method ?? '',
          path: request.url ?? '',
          headers: request.headers,
          body: raw ? (JSON.parse(raw) as Record<string, unknown>) : {},
          answer: {},
        };
        local.seen.push(seen);
        const special = await local.behave(seen);
        const reply = special ?? standard(seen);
        if (reply === 'silent') return;
        if (reply === 'drop') return void request.socket.destroy();
        const { status = 200, headers = {} } = reply;
        seen.answer = (reply.body ?? {}) as Record<string, unknown>;
        if (status < 300 && !reply.text) local.taken.push(seen);
        response.writeHead(status, { 'content-type': 'application/json', ...headers });
        response.end(reply.text ?? JSON.stringify(reply.body));
      })();
    });
    return new Promise((resolve) => server.listen(port, '127.0.0.1', resolve));
  }

  const local: LocalServer = {
    get url() {
      return `http://127.0.0.1:${port}`;
    },
    seen: [],
    taken: [],
    behave: () => undefined,
    goAway() {
      server.closeAllConnections();
      return new Promise((resolve) => {
        server.close(() => resolve());
      });
    },
    comeBack: listen,
  };
  await listen();
  port = (server!.address() as AddressInfo).port;
  return local;
}

export interface TestObserver {
  observer: Observer;
  /** What `onError` was told: code and message. */
  told: { code: string; message: string }[];
}

/** An observer of this server, in a hurry, and deaf to the environment. */
export function observerOf(server: { url: string }, options: Options = {}): TestObserver {
  const told: TestObserver['told'] = [];
  const observer = createObserver(
    {
      apiKey: 'svc_sk_test',
      baseUrl: server.url,
      flushIntervalMs: 5,
      retryDelayMs: 5,
      timeoutMs: PATIENCE_MS,
      onError: (error) => told.push(error as Error & { code: string }),
      ...options,
    },
    {},
  );
  return { observer, told };
}

/** The last part of a path that says what it is about. */
export const endpointOf = ({ path }: Seen): string => path.split('/').at(-2) ?? '';
