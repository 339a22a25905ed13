import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { constants } from 'node:os';
import type { Readable, Writable } from 'node:stream';
import type { AgentConfig } from '#agent/config.ts';
import { serverOfCommand } from '#agent/core/mcp-gateway/server-of-command.ts';
import { findToolSocket } from '../tool-checks/agent-client.ts';
import { createAgentLink } from './agent-link.ts';
import { createCallLog } from './call-log.ts';
import { createMessageRelay, type MessageRelay } from './relay-messages.ts';

const NEWLINE = 10;

/** Yields the lines of a stream, each with its newline, which the last one may lack. */
export async function* linesOf(stream: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let pieces: Buffer[] = [];
  for await (const chunk of stream) {
    let start = 0;
    for (let at = chunk.indexOf(NEWLINE); at >= 0; at = chunk.indexOf(NEWLINE, start)) {
      yield Buffer.concat([...pieces, chunk.subarray(start, at + 1)]);
      pieces = [];
      start = at + 1;
    }
    if (start < chunk.length) pieces.push(chunk.subarray(start));
  }
  if (pieces.length > 0) yield Buffer.concat(pieces);
}

export interface GatewayOptions {
  /** The server's command and its arguments. */
  command: readonly string[];
  /** The server's name in policies and records; null: derived from its command. */
  name: string | null;
  /** Refuses calls if no agent responds. */
  failClosed: boolean;
}

interface Client {
  input: Readable;
  output: Writable;
}

/** Runs an MCP server behind a gateway (stdio transport). Returns the server's exit code. */
export async function runGateway(
  config: AgentConfig,
  { command, name, failClosed }: GatewayOptions,
  client: Client = { input: process.stdin, output: process.stdout },
): Promise<number> {
  const startedAt = Date.now();
  const [program = '', ...args] = command;
  const server = spawn(program, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  const failed = new Promise<Error>((resolve) => server.on('error', resolve));
  if (server.pid === undefined) {
    process.stderr.write(`mcp: ${program} cannot be started: ${(await failed).message}\n`);
    return COMMAND_NOT_FOUND;
  }
  let clientName = '';
  const agent = createAgentLink({
    socket: findToolSocket(config),
    server: name ?? serverOfCommand(command),
    session: randomUUID(),
    clientName: () => clientName,
    failClosed,
  });
  const calls = createCallLog((call) => agent.record([call], null));
  const relay = createMessageRelay({
    agent,
    calls,
    toServer: writerOf(server.stdin),
    toClient: writerOf(client.output),
    onClientName: (given) => void (clientName = given),
  });
  const exit = once(server, 'exit') as Promise<[number | null, NodeJS.Signals | null]>;
  const unforward = forwardSignals(server);
  // A client that no longer reads the output has ended.
  client.output.on('error', () => server.kill());
  server.stdin.on('error', () => undefined);
  void relayClient(client.input, relay).then(() => server.stdin.end());
  for await (const line of linesOf(server.stdout)) await relay.fromServer(line);
  const [code, signal] = await exit;
  unforward();
  // Input of the client can no longer be delivered.
  client.input.destroy();
  const why = signal ?? `exit code ${code}`;
  calls.ended(`the server ended: ${why}`);
  const error = code === 0 || signal !== null ? null : `the server ended: ${why}`;
  agent.record([], { started_at: startedAt, ended_at: Date.now(), error });
  await agent.whenFlushed();
  return code ?? SIGNAL_EXIT_BASE + constants.signals[signal ?? 'SIGKILL'];
}

/** The exit codes that shells use. */
const COMMAND_NOT_FOUND = 127;
const SIGNAL_EXIT_BASE = 128;

async function relayClient(input: Readable, relay: MessageRelay): Promise<void> {
  try {
    for await (const line of linesOf(input)) await relay.fromClient(line);
  } catch {
    // The input broke off, or the server has ended.
  }
  await relay.whenSettled();
}

/** Waits for backpressure. Data written after the end is lost, as in a pipe. */
const writerOf =
  (stream: Writable) =>
  async (line: Buffer | string): Promise<void> => {
    if (stream.destroyed || stream.writableEnded) return;
    if (!stream.write(line)) await Promise.race([once(stream, 'drain'), once(stream, 'close')]);
  };

/** Clients stop a server with a signal to the process that they started. */
function forwardSignals(server: ChildProcess): () => void {
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
  const handlers = signals.map((signal) => [signal, () => void server.kill(signal)] as const);
  for (const [signal, handle] of handlers) process.on(signal, handle);
  return () => {
    for (const [signal, handle] of handlers) process.off(signal, handle);
  };
}
