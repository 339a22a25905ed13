import { type BoundedCopy, createBoundedCopy } from './bounded-copy.ts';
import { createReservation, type Reservation } from './copy-budget.ts';
import type { CopyBudget, ObservedMessage, WebSocketPart } from './exchange.ts';
import { createWebSocketReader, type MaskingKey, unmasked } from './websocket-frames.ts';

export interface WebSocketMessagesOptions {
  now: () => number;
  maxBodyBytes: number;
  budget: CopyBudget;
  /** The reservation of the current piece. */
  hold: () => Reservation;
  /** The piece is full: `takePiece` should be called. */
  onFull: () => void;
  /** The budget is exhausted; no message is read after this one. */
  onNoMemory: () => void;
  /** Both sides have sent Close. */
  onClosed: () => void;
}

export interface WebSocketMessages {
  fromClient: (chunk: Uint8Array) => void;
  fromServer: (chunk: Uint8Array) => void;
  isClosed: () => boolean;
  /** Returns the messages since the last piece. Nothing is read after the last one. */
  takePiece: (last: boolean) => WebSocketPart;
  /** Releases unfinished messages and stops reading. */
  drop: () => void;
}

const MAX_MESSAGES = 200;
const MAX_DURATION_MS = 5 * 60_000;
/** The memory of a message's objects without its bytes. */
const OVERHEAD = 256;

/**
 * Collects the messages of a WebSocket in pieces. A piece is full after a number of messages, a
 * number of bytes or a time, checked at each message.
 */
export function createWebSocketMessages(options: WebSocketMessagesOptions): WebSocketMessages {
  const { now, hold } = options;
  let messages: ObservedMessage[] = [];
  let pieces = 0;
  let pieceBytes = 0;
  let pieceStartedAt = now();
  let isOver = false;
  const sides = { client: createSide('client'), server: createSide('server') };

  function createSide(from: ObservedMessage['from']) {
    let message: PendingMessage | null = null;
    const side = { isClosed: false, drop, read };
    const frames = createWebSocketReader({
      begin(opcode, compressed) {
        if (!isOver) message = begin(from, opcode, compressed, options);
      },
      part(bytes, key) {
        if (message) append(message.copy, bytes, key);
      },
      end() {
        if (message) add(message);
        message = null;
      },
      close() {
        side.isClosed = true;
        if (isClosed()) options.onClosed();
      },
    });
    function drop(): void {
      message?.hold.release();
      message = null;
    }
    function read(chunk: Uint8Array): void {
      if (!isOver) frames.read(chunk);
    }
    return side;
  }

  function add(message: PendingMessage): void {
    if (!message.hold.take(OVERHEAD)) {
      message.hold.release();
      return options.onNoMemory();
    }
    const at = now();
    const observed = observedOf(message, at);
    messages.push(observed);
    hold().adopt(message.hold);
    pieceBytes += observed.bytes.length;
    if (isFull(at)) options.onFull();
  }

  function isFull(at: number): boolean {
    if (messages.length >= MAX_MESSAGES || pieceBytes >= options.maxBodyBytes) return true;
    return at - pieceStartedAt >= MAX_DURATION_MS;
  }

  function isClosed(): boolean {
    return sides.client.isClosed && sides.server.isClosed;
  }

  function drop(): void {
    isOver = true;
    messages = [];
    sides.client.drop();
    sides.server.drop();
  }

  return {
    fromClient: sides.client.read,
    fromServer: sides.server.read,
    isClosed,
    takePiece(last) {
      const piece = { piece: pieces++, last, messages };
      messages = [];
      pieceBytes = 0;
      pieceStartedAt = now();
      if (last) drop();
      return piece;
    },
    drop,
  };
}

interface PendingMessage {
  from: ObservedMessage['from'];
  opcode: ObservedMessage['opcode'];
  compressed: boolean;
  hold: Reservation;
  copy: BoundedCopy;
}

function begin(
  from: ObservedMessage['from'],
  opcode: ObservedMessage['opcode'],
  compressed: boolean,
  { budget, maxBodyBytes }: WebSocketMessagesOptions,
): PendingMessage {
  const hold = createReservation(budget);
  return { from, opcode, compressed, hold, copy: createBoundedCopy(hold, maxBodyBytes) };
}

function append(copy: BoundedCopy, bytes: Uint8Array, key: MaskingKey | null): void {
  if (copy.isTruncated()) copy.skip(bytes.length);
  else copy.append(key ? unmasked(bytes, key) : bytes);
}

function observedOf(message: PendingMessage, at: number): ObservedMessage {
  const { from, opcode, compressed, copy } = message;
  const bytes = joined(copy.blocks());
  return { from, opcode, compressed, bytes, size: copy.size(), truncated: copy.isTruncated(), at };
}

function joined(blocks: readonly Uint8Array[]): Uint8Array {
  const [only] = blocks;
  if (only && blocks.length === 1) return only;
  const whole = new Uint8Array(blocks.reduce((sum, block) => sum + block.length, 0));
  let at = 0;
  for (const block of blocks) {
    whole.set(block, at);
    at += block.length;
  }
  return whole;
}
