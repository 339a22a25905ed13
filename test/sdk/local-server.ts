import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { createObserver, type Observer, type Options } from '#sdk/src/index.ts';
import { PATIENCE_MS } from '../support/time-limits.ts';

export interface ReceivedRequest {
  method: string;
  path: string;
  headers: Record<string, string | string[] | undefined>;
  body: Record<string, unknown>;
  /** The response body. */
  answer: Record<string, unknown>;
}

/** `silent`: no response. `drop`: closes the connection without a response. */
export type Reply =
  | { status?: number; body?: unknown; text?: string; headers?: Record<string, string> }
  | 'silent'
  | 'drop';

export interface LocalServer {
  readonly url: string;
  /** All requests, in order of arrival. */
  requests: ReceivedRequest[];
  /** Replies to requests; undefined for the standard reply of a control plane. */
  behave: (request: ReceivedRequest) => Reply | undefined | Promise<Reply | undefined>;
  /** Requests with a success response. */
  accepted: ReceivedRequest[];
  goAway(): Promise<void>;
  comeBack(): Promise<void>;
}

/** A minimal control plane whose replies can be replaced. */
export async function startLocalServer(): Promise<LocalServer> {
  let server: Server;
  let port = 0;
  let runs = 0;

  function standard({ path }: ReceivedRequest): Reply {
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
        const received: ReceivedRequest = {
          method: request.method ?? '',
          path: request.url ?? '',
          headers: request.headers,
          body: raw ? (JSON.parse(raw) as Record<string, unknown>) : {},
          answer: {},
        };
        local.requests.push(received);
        const special = await local.behave(received);
        const reply = special ?? standard(received);
        if (reply === 'silent') return;
        if (reply === 'drop') return void request.socket.destroy();
        const { status = 200, headers = {} } = reply;
        received.answer = (reply.body ?? {}) as Record<string, unknown>;
        if (status < 300 && !reply.text) local.accepted.push(received);
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
    requests: [],
    accepted: [],
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
  /** The errors passed to `onError`. */
  problems: { code: string; message: string }[];
}

/** An observer with short intervals that ignores the environment. */
export function observerOf(server: { url: string }, options: Options = {}): TestObserver {
  const problems: TestObserver['problems'] = [];
  const observer = createObserver(
    {
      apiKey: 'svc_sk_test',
      baseUrl: server.url,
      flushIntervalMs: 5,
      retryDelayMs: 5,
      timeoutMs: PATIENCE_MS,
      onError: (error) => problems.push(error as Error & { code: string }),
      ...options,
    },
    {},
  );
  return { observer, problems };
}

/** The last segment of the path, such as `start` or `llm-calls`. */
export const endpointOf = ({ path }: ReceivedRequest): string => path.split('/').at(-2) ?? '';
