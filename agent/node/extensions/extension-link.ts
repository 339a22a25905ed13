import { connect, type Socket } from 'node:net';
import { type BackoffLimits, backoffMs, defaultBackoff } from '#agent/core/backoff.ts';
import { createFrameReader, encodeFrame } from '#agent/core/extension-protocol/frame.ts';
import {
  type AgentMessage,
  type ExtensionMessage,
  PROTOCOL_VERSION,
  readExtensionMessage,
} from '#agent/core/extension-protocol/messages.ts';
import { oneLine } from '#lib/one-line.ts';
import { lstat } from 'node:fs/promises';
import { dirname } from 'node:path';

const WRITABLE_BY_OTHERS = 0o022;

/**
 * Checks that only `owner` (a user id) can have created a Unix socket: the socket and its folder
 * must belong to the owner, and only the owner may change the folder. Returns undefined if that is
 * so, null if the socket does not exist, and otherwise the problem. Node cannot read the peer's
 * credentials, but only the owner can create a socket in such a folder.
 */
export async function checkSocketOwner(
  path: string,
  owner: number,
): Promise<string | null | undefined> {
  const folder = dirname(path);
  try {
    const [below, socket] = await Promise.all([lstat(folder), lstat(path)]);
    if (!below.isDirectory() || below.uid !== owner || (below.mode & WRITABLE_BY_OTHERS) !== 0)
      return `${folder} is not a folder that only its owner (user ${owner}) may change`;
    if (!socket.isSocket() || socket.uid !== owner)
      return `${path} is not a socket of user ${owner}`;
    return undefined;
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    return code === 'ENOENT' ? null : message;
  }
}

/** The keep-alive interval; an extension ends a connection that is silent for 30 seconds. */
const ALIVE_INTERVAL_MS = 10_000;
const HELLO_TIMEOUT_MS = 5_000;
/** The maximum burst: more than the initial flows of a machine with thousands of open ones. */
const MAX_MESSAGE_BURST = 20_000;
const MAX_MESSAGES_PER_SECOND = 2_000;

export interface ExtensionLinkOptions {
  /** The path of the Unix socket of the extension. */
  path: string;
  extension: 'flowmonitor' | 'proxymonitor';
  /** The user that extensions run as: root. */
  owner?: number | undefined;
  /** The extension has sent its hello: the agent may now send messages. */
  onReady: () => void;
  onMessage: (message: ExtensionMessage) => void;
  /** Called when the extension has ended after it was ready. */
  onGone: () => void;
  /**
   * Called with the current problem in one line; null if there is no problem, or no extension on
   * this machine.
   */
  onProblem: (line: string | null) => void;
  backoff?: BackoffLimits | undefined;
}

export interface ExtensionLink {
  isReady: () => boolean;
  /** Sends a message; ignored while the extension is not ready. */
  send: (message: AgentMessage) => void;
  close: () => void;
}

/** Keeps a connection to an extension open, and reconnects with backoff. */
export function openExtensionLink(options: ExtensionLinkOptions): ExtensionLink {
  const { path, owner = 0, backoff = defaultBackoff } = options;
  let conversation: Conversation | null = null;
  let failures = 0;
  let timer: NodeJS.Timeout | undefined;
  let isClosed = false;

  async function attempt(): Promise<void> {
    const problem = await checkSocketOwner(path, owner);
    if (isClosed) return;
    if (problem !== undefined) return retry(problem);
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
  /** Called once, with the problem; null: the extension is not running, or has ended. */
  onEnd: (problem: string | null) => void;
};

/** Runs one connection from the hello to the end. Any violation of the protocol ends it. */
function converse(socket: Socket, options: ConversationOptions): Conversation {
  const reader = createFrameReader();
  const rate = createTokenBucket(MAX_MESSAGE_BURST, MAX_MESSAGES_PER_SECOND);
  let isReady = false;
  let hasEnded = false;
  const greeting = setTimeout(() => end('it does not say hello'), HELLO_TIMEOUT_MS);
  const alive = setInterval(() => write({ type: 'alive' }), ALIVE_INTERVAL_MS);

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

  function handleMessage(message: ExtensionMessage): void {
    if (isReady && message.type === 'hello') return end('it says hello twice');
    if (isReady) return options.onMessage(message);
    const problem = checkHello(message, options.extension);
    if (problem !== null) return end(problem);
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
      if (message !== 'unknown') handleMessage(message);
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
  write({ type: 'hello', protocol: PROTOCOL_VERSION });
  return { isReady: () => isReady && !hasEnded, send: write, end };
}

function checkHello(message: ExtensionMessage, expected: string): string | null {
  if (message.type !== 'hello') return 'it does not say hello first';
  if (message.protocol !== PROTOCOL_VERSION)
    return `it speaks version ${message.protocol} of the local protocol, this agent ${PROTOCOL_VERSION}`;
  return message.extension === expected ? null : `it is ${message.extension}`;
}

/** A rate limit: bursts of up to `capacity`, and `perSecond` on average. */
interface TokenBucket {
  /** Takes one token; false if there is none. */
  take: (now: number) => boolean;
}

function createTokenBucket(capacity: number, perSecond: number): TokenBucket {
  let tokens = capacity;
  let refilledAt = -Infinity;
  return {
    take(now) {
      const seconds = Math.max(0, now - refilledAt) / 1000;
      tokens = Math.min(capacity, tokens + seconds * perSecond);
      refilledAt = now;
      if (tokens < 1) return false;
      tokens -= 1;
      return true;
    },
  };
}
