import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { backoffMs, defaultBackoff } from '#agent/core/backoff.ts';
import type { BackoffLimits } from '#agent/core/backoff.ts';
import { createFrameReader, encodeFrame } from '#agent/core/extension-protocol/frame.ts';
import { protocolVersion, readExtensionMessage } from '#agent/core/extension-protocol/messages.ts';
import type { AgentMessage, ExtensionMessage } from '#agent/core/extension-protocol/messages.ts';
import { oneLine } from '#agent/core/one-line.ts';
import { createMessageRate } from './message-rate.ts';
import { socketFault } from './socket-owner.ts';

/** Between two signs of life; an extension ends a connection that is silent for 30 seconds. */
const aliveMs = 10_000;
const helloMs = 5_000;
/** More than the flows that a machine with thousands of open ones begins with. */
const messagesAtOnce = 20_000;
const messagesPerSecond = 2_000;

export interface ExtensionLinkOptions {
  /** Of the extension's Unix socket. */
  path: string;
  extension: 'flowmonitor' | 'proxymonitor';
  /** The user that extensions run as: root. */
  owner?: number | undefined;
  /** The extension has said hello: now it can be sent what is enabled. */
  onReady: () => void;
  onMessage: (message: ExtensionMessage) => void;
  /** It is gone after it was ready. */
  onGone: () => void;
  /** What is wrong, in one line; null: nothing, or there is no extension on this machine. */
  onProblem: (line: string | null) => void;
  backoff?: BackoffLimits | undefined;
}

export interface ExtensionLink {
  isReady: () => boolean;
  /** Does nothing while the extension is not ready. */
  send: (message: AgentMessage) => void;
  close: () => void;
}

/** Keeps a connection to an extension: whenever it is gone, another one is tried after a pause. */
export function openExtensionLink(options: ExtensionLinkOptions): ExtensionLink {
  const { path, owner = 0, backoff = defaultBackoff } = options;
  let conversation: Conversation | null = null;
  let failures = 0;
  let timer: NodeJS.Timeout | undefined;
  let isClosed = false;

  async function attempt(): Promise<void> {
    const fault = await socketFault(path, owner);
    if (isClosed) return;
    if (fault !== undefined) return retry(fault);
    conversation = converse(connect(path), {
      ...options,
      onReady() {
        failures = 0;
        options.onProblem(null);
        options.onReady();
      },
      onEnd: retry,
    });
  }

  function retry(problem: string | null): void {
    conversation = null;
    if (isClosed) return;
    options.onProblem(problem === null ? null : `${options.extension}: ${problem}`);
    timer = setTimeout(() => void attempt(), backoffMs(failures++, Math.random(), backoff));
  }

  void attempt();
  return {
    isReady: () => conversation?.isReady() ?? false,
    send: (message) => conversation?.send(message),
    close() {
      isClosed = true;
      clearTimeout(timer);
      conversation?.end(null);
    },
  };
}

interface Conversation {
  isReady: () => boolean;
  send: (message: AgentMessage) => void;
  end: (problem: string | null) => void;
}

type ConversationOptions = Pick<
  ExtensionLinkOptions,
  'extension' | 'onReady' | 'onMessage' | 'onGone'
> & {
  /** Once, with what was wrong; null: the extension is not there, or it went. */
  onEnd: (problem: string | null) => void;
};

/** One connection, from the greeting to the end. Whatever is not as documented ends it. */
function converse(socket: Socket, options: ConversationOptions): Conversation {
  const reader = createFrameReader();
  const rate = createMessageRate(messagesAtOnce, messagesPerSecond);
  let isReady = false;
  let hasEnded = false;
  const greeting = setTimeout(() => end('it does not say hello'), helloMs);
  const alive = setInterval(() => write({ type: 'alive' }), aliveMs);

  function write(message: AgentMessage): void {
    if (!hasEnded) socket.write(encodeFrame(message));
  }

  function end(problem: string | null): void {
    if (hasEnded) return;
    hasEnded = true;
    clearTimeout(greeting);
    clearInterval(alive);
    socket.destroy();
    if (isReady) options.onGone();
    options.onEnd(problem);
  }

  function take(message: ExtensionMessage): void {
    if (isReady && message.type === 'hello') return end('it says hello twice');
    if (isReady) return options.onMessage(message);
    const fault = helloFault(message, options.extension);
    if (fault !== null) return end(fault);
    clearTimeout(greeting);
    isReady = true;
    options.onReady();
  }

  function receive(bytes: Buffer): void {
    const { bodies, error } = reader.read(bytes);
    for (const body of bodies) {
      const message = readExtensionMessage(body);
      if (message === 'malformed') return end('it sends a malformed message');
      if (!rate.take(performance.now())) return end('it sends too many messages');
      if (message !== 'unknown') take(message);
      if (hasEnded) return;
    }
    if (error) end('it sends a frame that is empty or too long');
  }

  socket
    .on('data', receive)
    .on('error', ({ message }) => end(isReady ? null : oneLine(message)))
    .on('close', () =>
      end(isReady ? null : 'it closes the connection: it does not know this agent'),
    );
  write({ type: 'hello', protocol: protocolVersion });
  return { isReady: () => isReady && !hasEnded, send: write, end };
}

function helloFault(message: ExtensionMessage, expected: string): string | null {
  if (message.type !== 'hello') return 'it does not say hello first';
  if (message.protocol !== protocolVersion)
    return `it speaks version ${message.protocol} of the local protocol, this agent ${protocolVersion}`;
  return message.extension === expected ? null : `it is ${message.extension}`;
}
