import { chmodSync, mkdirSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { dirname } from 'node:path';
import { ZodError } from 'zod';
import { describeIssues } from '#contract/errors.ts';
import { removeIfExists } from '../state/atomic-file.ts';
import { startListening } from '../capture/listeners/listen.ts';
import type { PeerUser } from './peer-user.ts';

/** Answers a request of the user with this id; null if the system does not provide it. */
export type RequestHandler = (body: unknown, uid: number | null) => Promise<object>;

export interface DecisionSocketOptions {
  path: string;
  /** The handlers by request path. */
  handlers: Readonly<Record<string, RequestHandler>>;
  /** Size limits of bodies in bytes, by request path, below the general one. */
  maxBytes?: Readonly<Record<string, number>>;
  peerUser: PeerUser;
  /** Accessible to all users of this computer, as for an agent of root. */
  isShared: boolean;
  onProblem: (line: string) => void;
}

const OWNER_ONLY = 0o600;
const ALL_USERS = 0o666;
/**
 * The general size limit: a hook sends the complete event of its tool, including contents of written files.
 */
const MAX_BODY_BYTES = 64 * 1024 * 1024;

/** Starts HTTP over a Unix socket, so that a hook is one line of curl. */
export async function startDecisionSocket(
  options: DecisionSocketOptions,
): Promise<{ close(): void }> {
  const { path, isShared, onProblem } = options;
  const server = createServer((request, response) => {
    respond(options, request).then(
      ({ status, body }) => send(response, status, body),
      (error: Error) => send(response, 500, { error: error.message }),
    );
  });
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o755 });
    // This agent holds the lock of its state, so an existing socket was left by a killed agent.
    removeIfExists(path);
  } catch (error) {
    onProblem(`${path}: ${(error as Error).message}`);
  }
  const isListening = await startListening(server, { path }, ({ message }) => onProblem(message));
  if (isListening) chmodSync(path, isShared ? ALL_USERS : OWNER_ONLY);
  server.unref();
  return {
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

/**
 * Reads the body.
 *
 * @throws InvalidRequest if it is longer than `maxBytes`
 */
async function readWithin(request: IncomingMessage, maxBytes: number): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    length += chunk.length;
    // The rest is read and dropped, because a client that is still sending does not read the
    // response.
    if (length <= maxBytes) chunks.push(chunk);
  }
  if (length > maxBytes) throw new InvalidRequest(`the body is larger than ${maxBytes} bytes`);
  return Buffer.concat(chunks).toString();
}

interface HandledResponse {
  status: number;
  body: object;
}

async function respond(
  { handlers, maxBytes = {}, peerUser, isShared }: DecisionSocketOptions,
  request: IncomingMessage,
): Promise<HandledResponse> {
  const uid = peerUser(request.socket);
  if (!isShared && uid !== null && uid !== 0 && uid !== process.getuid?.())
    return { status: 403, body: { error: 'this agent answers its own user only' } };
  const path = request.url ?? '';
  const handler = Object.hasOwn(handlers, path) && handlers[path];
  if (!handler || request.method !== 'POST')
    return { status: 404, body: { error: `there is no ${request.method} ${path}` } };
  try {
    const text = await readWithin(request, maxBytes[path] ?? MAX_BODY_BYTES);
    return { status: 200, body: await handler(JSON.parse(text), uid) };
  } catch (error) {
    return errorResponse(error);
  }
}

/** The response to an invalid request. Throws other errors. */
function errorResponse(error: unknown): HandledResponse {
  if (error instanceof ZodError) return badRequest(describeIssues(error, 'body'));
  if (error instanceof SyntaxError) return badRequest('the body is not JSON');
  if (error instanceof InvalidRequest) return badRequest(error.message);
  throw error;
}

export class InvalidRequest extends Error {}

const badRequest = (error: string): HandledResponse => ({ status: 400, body: { error } });

function send(response: ServerResponse, status: number, body: object): void {
  const text = `${JSON.stringify(body)}\n`;
  response.writeHead(status, {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(text),
  });
  response.end(text);
}
