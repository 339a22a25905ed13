import { lstatSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import type { Server, Socket } from 'node:net';
import { basename } from 'node:path';
import { readProxyHeader } from '#agent/core/capture/listeners/proxy-protocol.ts';
import type { ProxyHeader } from '#agent/core/capture/listeners/proxy-protocol.ts';
import { oneLine } from '#lib/one-line.ts';
import { reportChanges } from './capture-listener.ts';
import type {
  ConnectionClient,
  Destination,
  CaptureListener,
  CaptureListenerOptions,
} from './capture-listener.ts';
import { startListening, stopListening } from './listen.ts';

export interface HandedOverListenerOptions extends CaptureListenerOptions {
  /** The path of the Unix socket. Only the user of this process may connect. */
  path: string;
  /** The time after which a connection with an incomplete header is closed. */
  headerTimeoutMs?: number;
}

/**
 * Accepts flows from the macOS network extension, each as a connection to a Unix socket that begins
 * with a PROXY header. The socket is closed while no host is enabled: the extension then ignores
 * all flows, as it does when the agent is not running.
 */
export function openHandedOverListener(options: HandedOverListenerOptions): CaptureListener {
  const { path, onConnection, headerTimeoutMs = 5000 } = options;
  const onProblem = reportChanges(options.onProblem);
  const pendingHeaders = new Set<Socket>();
  let server: Server | undefined;
  let queue: Promise<void> = Promise.resolve();

  function receive(socket: Socket): void {
    pendingHeaders.add(socket);
    readHeader(socket, headerTimeoutMs, (outcome) => {
      pendingHeaders.delete(socket);
      if (outcome === 'gone') return void socket.destroy();
      if (typeof outcome === 'string') return refuse(socket, outcome);
      const destination = destinationOf(outcome);
      if (outcome.command === 'local') socket.destroy();
      else if (!destination) refuse(socket, 'no destination in its header');
      else {
        onProblem(null);
        onConnection({ socket, destination, client: Promise.resolve(clientOf(outcome)) });
      }
    });
  }

  function refuse(socket: Socket, reason: string): void {
    onProblem(`handed-over connection refused: ${reason}`);
    socket.destroy();
  }

  async function listen(): Promise<void> {
    const next = createServer({ allowHalfOpen: true }, receive);
    if (!removeStaleSocket(path)) return onProblem(`${path} exists and is not a socket`);
    const onError = ({ message }: Error): void => onProblem(oneLine(message));
    // listen() creates the socket synchronously, so this umask restricts it from the start.
    const umask = process.umask(0o177);
    const isListening = startListening(next, { path }, onError);
    process.umask(umask);
    if (!(await isListening)) return;
    server = next;
    onProblem(null);
  }

  async function stop(): Promise<void> {
    if (server) await stopListening(server);
    server = undefined;
    for (const socket of pendingHeaders) socket.destroy();
  }

  const setHosts = (hosts: readonly string[]): Promise<void> =>
    (queue = queue
      .then(async () => {
        if (hosts.length === 0) await stop();
        else if (!server) await listen();
      })
      .catch((error: unknown) => onProblem(oneLine(String(error)))));

  return { name: 'handed-over', setHosts, close: () => setHosts([]) };
}

/** Removes the socket that a killed agent left behind. */
function removeStaleSocket(path: string): boolean {
  const existing = lstatSync(path, { throwIfNoEntry: false });
  if (existing?.isSocket()) rmSync(path);
  return !existing || existing.isSocket();
}

/** Calls back once: with the header, its error, or `gone` if the peer has closed. */
function readHeader(
  socket: Socket,
  timeoutMs: number,
  onDone: (outcome: ProxyHeader | string) => void,
): void {
  let bytes = Buffer.alloc(0);
  const finish = (outcome: ProxyHeader | string): void => {
    clearTimeout(timer);
    socket.off('data', onData).off('end', onEnd).off('error', onEnd).off('close', onEnd);
    onDone(outcome);
  };
  const onEnd = (): void => finish('gone');
  const onData = (chunk: Buffer): void => {
    bytes = Buffer.concat([bytes, chunk]);
    const result = readProxyHeader(bytes);
    if (result.state === 'incomplete') return;
    if (result.state === 'malformed') return finish(`malformed header (${result.error})`);
    socket.pause();
    if (bytes.length > result.length) socket.unshift(bytes.subarray(result.length));
    finish(result.header);
  };
  const timer = setTimeout(() => finish('its header does not come'), timeoutMs);
  socket.on('data', onData).on('end', onEnd).on('error', onEnd).on('close', onEnd);
}

/**
 * Returns the destination. If the extension knows only a name, the address in the header is
 * unspecified.
 */
function destinationOf({ destination, authority }: ProxyHeader): Destination | undefined {
  if (!destination) return undefined;
  const { address, port } = destination;
  const isUnspecified = address === '0.0.0.0' || address === '::';
  const host = isUnspecified ? authority : address;
  return host === null ? undefined : { host, port, name: authority };
}

function clientOf({ pid, executable, user, signingId }: ProxyHeader): ConnectionClient {
  const process = executable === null ? null : basename(executable);
  return { pid, process, path: executable, user, signingId };
}
