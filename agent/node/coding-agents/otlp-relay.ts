import { createServer, type IncomingMessage, request as requestHttp } from 'node:http';
import type { OutgoingHttpHeaders, Server, ServerResponse } from 'node:http';
import { request as requestHttps } from 'node:https';
import type { AddressInfo } from 'node:net';
import { pipeline } from 'node:stream';
import type { Recording } from '#agent/core/coding-agents/recording.ts';
import { RELAY_PATH, relayUrl } from '#domain/coding-agents/relay-address.ts';
import { startListening } from '../capture/listeners/listen.ts';

export interface OtlpRelayOptions {
  /** The port on loopback; 0: any free port, null: do not listen. */
  port: number | null;
  /** The current recording settings of this device; null: off. */
  recording: () => Pick<Recording, 'endpoint' | 'key'> | null;
  /** PEM */
  roots: () => readonly string[];
  onProblem: (line: string | null) => void;
  /** Called with the size of each request body that was forwarded and answered. */
  onSent: (bytes: number) => void;
}

export interface OtlpRelay {
  /** Starts listening. Resolves to the URL, or to null if that fails. */
  open: () => Promise<string | null>;
  close: () => void;
}

const TIMEOUT_MS = 10_000;
const PATHS = new RegExp(`^${RELAY_PATH}(/v1/(?:logs|metrics|traces))$`);
/** A web page cannot send these types to another origin without permission (CORS). */
const TYPES = /^application\/(json|x-protobuf)\b/;

/**
 * Forwards telemetry of local tools to the control plane and adds the device's key, because some
 * tools have no setting for it. Nothing is stored: exporters retry by themselves.
 */
export function createOtlpRelay(options: OtlpRelayOptions): OtlpRelay {
  const { port, onProblem } = options;
  let server: Server | null = null;
  let opening: Promise<string | null> | null = null;

  const listen = async (on: number): Promise<string | null> => {
    const opened = createServer((request, response) => respond(options, request, response));
    const isListening = await startListening(opened, { port: on, host: '127.0.0.1' }, (error) =>
      onProblem(`the relay for telemetry cannot listen: ${error.message}`),
    );
    if (!isListening) return null;
    onProblem(null);
    opened.unref();
    server = opened;
    return addressOf(opened);
  };
  return {
    open: async () => {
      if (port === null || server) return server && addressOf(server);
      opening ??= listen(port).finally(() => (opening = null));
      return opening;
    },
    close: () => {
      server?.close();
      server?.closeAllConnections();
      server = null;
    },
  };
}

const addressOf = (server: Server): string => relayUrl((server.address() as AddressInfo).port);

function respond(
  { recording, roots, onSent }: OtlpRelayOptions,
  request: IncomingMessage,
  response: ServerResponse,
): void {
  const [, path] = PATHS.exec(request.url ?? '') ?? [];
  if (path === undefined || request.method !== 'POST')
    return refuse(response, 404, `there is no ${request.method} ${request.url}`);
  if (isFromBrowser(request)) return refuse(response, 403, 'pages in a browser are not served');
  if (!TYPES.test(request.headers['content-type'] ?? ''))
    return refuse(response, 415, 'expected application/x-protobuf or application/json');
  const to = recording();
  if (!to) return refuse(response, 503, 'coding agents of this device are not recorded');
  forwardTelemetry(new URL(`${to.endpoint}${path}`), to.key, {
    request,
    response,
    ca: [...roots()],
    onSent,
  });
}

/** Whether the request is from a web page, including one whose host name resolves to loopback. */
const isFromBrowser = ({ headers }: IncomingMessage): boolean =>
  headers.origin !== undefined || !/^(127\.0\.0\.1|localhost)(:\d+)?$/.test(headers.host ?? '');

interface Exchange {
  request: IncomingMessage;
  response: ServerResponse;
  ca: string[];
  onSent: (bytes: number) => void;
}

function forwardTelemetry(url: URL, key: string, exchange: Exchange): void {
  const { request, response, ca, onSent } = exchange;
  let bytes = 0;
  request.on('data', (chunk: Buffer) => (bytes += chunk.length));
  const outgoing = (url.protocol === 'https:' ? requestHttps : requestHttp)(
    url,
    {
      method: 'POST',
      headers: {
        ...pickHeaders(request.headers, 'content-type', 'content-encoding', 'content-length'),
        'x-svc-key': key,
      },
      ca,
      signal: AbortSignal.timeout(TIMEOUT_MS),
    },
    (upstream) => {
      const { statusCode = 502 } = upstream;
      response.writeHead(statusCode, pickHeaders(upstream.headers, 'content-type', 'retry-after'));
      pipeline(upstream, response, () => onSent(bytes));
    },
  );
  outgoing.on('error', (error) => refuse(response, 503, `${url.origin}: ${error.message}`));
  // A premature end is reported as the error above.
  pipeline(request, outgoing, () => undefined);
}

const pickHeaders = (
  headers: IncomingMessage['headers'],
  ...names: string[]
): OutgoingHttpHeaders =>
  Object.fromEntries(
    names.flatMap((name) => (headers[name] === undefined ? [] : [[name, headers[name]]])),
  );

function refuse(response: ServerResponse, status: number, error: string): void {
  if (response.headersSent) return void response.destroy();
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(`${JSON.stringify({ error })}\n`);
}
