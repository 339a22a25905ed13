import { isNestedTooDeep, parseJson } from '#domain/providers/parse-json.ts';
import { createReservation, type Reservation } from '../wire/copy-budget.ts';
import type { CopyBudget } from '../wire/exchange.ts';
import { createWebSocketReader, type WebSocketReader } from '../wire/websocket-frames.ts';
import type { PolicyRefusal } from './refusal.ts';
import type { SocketCall, SocketCalls } from './socket-calls.ts';
import {
  concat,
  createFrameSplitter,
  encodeFrame,
  type FrameSplitter,
  type SocketFrame,
} from './socket-frames.ts';

export interface SocketGateOptions {
  calls: SocketCalls;
  /** Whether calls are still held. */
  isEnabled: () => boolean;
  /** The limit of one message; longer ones are not read. */
  maxMessageBytes: number;
  budget: CopyBudget;
  toServer: (bytes: Uint8Array) => void;
  toClient: (bytes: Uint8Array) => void;
  /** Sends bytes of the agent itself to the client. */
  sendOwn: (bytes: Uint8Array) => void;
  /** Returns random bytes, for ids and masks. */
  random: (count: number) => Uint8Array;
  /** Resolves to null if the call is allowed. Never rejects. */
  evaluate: (call: SocketCall) => Promise<PolicyRefusal | null>;
  /** A call was refused, and none has passed. */
  onRefused: () => void;
  /** The first call has passed. */
  onPassed: () => void;
  /** Called when the gate holds no more data: reading may resume. */
  onResume: () => void;
  /** The agent has closed the WebSocket to the client: nothing more is sent to the server. */
  onClosed: () => void;
  /** The gate has given up: everything passes unread from now on. */
  onGivenUp: (reason: string) => void;
}

/**
 * Gates a WebSocket without extensions. A message that starts a call is held, together with
 * everything after it, until the call is evaluated. Bytes that pass are unchanged.
 */
export interface SocketGate {
  fromClient: (bytes: Uint8Array) => void;
  fromServer: (bytes: Uint8Array) => void;
  isWaiting: () => boolean;
  drop: () => void;
}

const TEXT = 1;
const CLOSE = 8;
const POLICY_VIOLATION = 1008;
const NORMAL_CLOSURE = 1000;
/** The longest close reason: a control frame's payload (RFC 6455, 5.5) without the status code. */
const MAX_REASON_BYTES = 123;
/** Approximate memory of a frame besides its bytes; a message may consist of empty frames. */
const FRAME_OVERHEAD = 256;

/** The state of one WebSocket. */
interface Socket extends SocketGateOptions {
  state: 'gating' | 'open' | 'closed';
  isWaiting: boolean;
  hasPassed: boolean;
  /** The reason to give up once the held call is evaluated. */
  failure: string | null;
  hold: Reservation;
  splitter: FrameSplitter;
  /** Complete frames that are not handled yet. */
  queue: SocketFrame[];
  /** The frames of the message that the client is sending, or that is held. */
  message: SocketFrame[];
  messageSize: number;
  server: WebSocketReader;
  /** Answers that wait until the server is between two messages. */
  ownFrames: Uint8Array[];
}

export function createSocketGate(options: SocketGateOptions): SocketGate {
  const queue: SocketFrame[] = [];
  const socket: Socket = {
    ...options,
    state: 'gating',
    isWaiting: false,
    hasPassed: false,
    failure: null,
    hold: createReservation(options.budget),
    splitter: createFrameSplitter(options.maxMessageBytes, (frame) => queue.push(frame)),
    queue,
    message: [],
    messageSize: 0,
    server: createWebSocketReader(noEvents),
    ownFrames: [],
  };
  return {
    fromClient: (bytes) => {
      if (socket.state === 'open') options.toServer(bytes);
      if (socket.state !== 'gating') return;
      guarded(socket, () => {
        try {
          socket.splitter.add(bytes);
        } finally {
          processQueue(socket); // the frames before the invalid one
        }
      });
    },
    fromServer: (bytes) => {
      if (socket.state === 'closed') return;
      options.toClient(bytes);
      if (socket.state === 'gating') guarded(socket, () => socket.server.read(bytes));
      sendOwnFrames(socket);
    },
    isWaiting: () => socket.isWaiting,
    drop: () => close(socket),
  };
}

const noEvents = {
  begin: () => undefined,
  part: () => undefined,
  end: () => undefined,
  close: () => undefined,
};

/**
 * Gives up on data that cannot be parsed: it passes, with everything after it. A held call still
 * waits for its evaluation.
 */
function guarded(socket: Socket, step: () => void): void {
  try {
    step();
  } catch (error) {
    socket.failure ??= error instanceof Error ? error.message : String(error);
  }
  if (socket.failure !== null && isReading(socket)) giveUp(socket, socket.failure);
}

function giveUp(socket: Socket, reason: string): void {
  const { message, queue, splitter, ownFrames } = socket;
  socket.state = 'open';
  socket.hold.release();
  socket.calls.release();
  for (const { bytes } of [...message.splice(0), ...queue.splice(0)]) socket.toServer(bytes);
  socket.toServer(splitter.takeIncomplete());
  ownFrames.splice(0).forEach(socket.sendOwn);
  socket.onGivenUp(reason);
}

const isReading = ({ state, isWaiting }: Socket): boolean => state === 'gating' && !isWaiting;

function processQueue(socket: Socket): void {
  while (isReading(socket)) {
    const frame = socket.queue.shift();
    if (!frame) return;
    processFrame(socket, frame);
  }
}

function processFrame(socket: Socket, frame: SocketFrame): void {
  const { message, hold, maxMessageBytes } = socket;
  if (frame.head.isControl) return socket.toServer(frame.bytes);
  message.push(frame);
  const size = frame.bytes.length + FRAME_OVERHEAD;
  socket.messageSize += size;
  if (socket.messageSize > maxMessageBytes || !hold.take(size))
    throw new Error('a message too long to hold');
  if (frame.head.isFinal) endMessage(socket);
}

function endMessage(socket: Socket): void {
  const { message, calls } = socket;
  const text = new TextDecoder().decode(concat(message.map(({ payload }) => payload)));
  const call = socket.isEnabled() ? calls.read(parseMessage(text), text.length) : null;
  if (!call) return stopGating(socket);
  socket.isWaiting = true;
  void socket.evaluate(call).then((refusal) => {
    if (socket.state === 'gating') applyVerdict(socket, refusal);
    socket.onResume();
  });
}

function parseMessage(text: string): unknown {
  const value = parseJson(text);
  if (value === undefined && isNestedTooDeep(text)) throw new Error('a message nested too deeply');
  return value;
}

function applyVerdict(socket: Socket, refusal: PolicyRefusal | null): void {
  socket.isWaiting = false;
  if (refusal) refuse(socket, refusal);
  else passCall(socket);
  guarded(socket, () => processQueue(socket));
}

function passCall(socket: Socket): void {
  if (!socket.hasPassed) socket.onPassed();
  socket.hasPassed = true;
  stopGating(socket);
}

function stopGating(socket: Socket): void {
  for (const { bytes } of takeMessage(socket)) socket.toServer(bytes);
}

function takeMessage(socket: Socket): SocketFrame[] {
  socket.hold.release();
  socket.hold = createReservation(socket.budget);
  socket.messageSize = 0;
  return socket.message.splice(0);
}

function refuse(socket: Socket, refusal: PolicyRefusal): void {
  const { calls, random, ownFrames, toServer } = socket;
  if (!socket.hasPassed) socket.onRefused();
  takeMessage(socket);
  const response = calls.refuse(refusal, hexOf(random(16)));
  if (response.kind === 'event') {
    ownFrames.push(encodeFrame(TEXT, new TextEncoder().encode(response.text)));
    return sendOwnFrames(socket);
  }
  // A partial message of the server can no longer be completed.
  ownFrames.push(encodeFrame(CLOSE, closePayload(POLICY_VIOLATION, response.reason)));
  for (const bytes of ownFrames.splice(0)) socket.sendOwn(bytes);
  close(socket);
  toServer(encodeFrame(CLOSE, closePayload(NORMAL_CLOSURE), random(4)));
  socket.onClosed();
}

function sendOwnFrames({ server, ownFrames, sendOwn }: Socket): void {
  if (server.isBetweenMessages()) ownFrames.splice(0).forEach(sendOwn);
}

function close(socket: Socket): void {
  socket.state = 'closed';
  socket.isWaiting = false;
  socket.hold.release();
  socket.calls.release();
  socket.queue.length = 0;
  socket.message = [];
}

/** Truncates a reason that is too long for the frame at a character boundary. */
function closePayload(code: number, reason = ''): Uint8Array {
  const payload = new Uint8Array(2 + MAX_REASON_BYTES);
  const { written } = new TextEncoder().encodeInto(reason, payload.subarray(2));
  new DataView(payload.buffer).setUint16(0, code);
  return payload.subarray(0, 2 + written);
}

const hexOf = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
