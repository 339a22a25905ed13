import { parseJson } from '#domain/providers/parse-json.ts';
import { createReservation } from '../wire/copy-budget.ts';
import type { CopyBudget } from '../wire/exchange.ts';
import { createWebSocketReader } from '../wire/websocket-frames.ts';
import type { PolicyRefusal } from './refusal.ts';
import type { SocketCalls, SocketRefusal } from './socket-calls.ts';
import { concat, createFrameSplitter, encodeFrame, type SocketFrame } from './socket-frames.ts';

export interface SocketGateOptions {
  calls: SocketCalls;
  /** Are calls still held? */
  isEnabled: () => boolean;
  /** Of one message; longer ones are not read. */
  maxMessageBytes: number;
  budget: CopyBudget;
  toServer: (bytes: Uint8Array) => void;
  toClient: (bytes: Uint8Array) => void;
  /** To the client, from the agent itself. */
  answer: (bytes: Uint8Array) => void;
  /** Random bytes, for ids and masks. */
  random: (count: number) => Uint8Array;
  /** Null: the call is allowed. Never rejects. */
  evaluate: (request: object) => Promise<PolicyRefusal | null>;
  /** A call was refused, and none has passed. */
  onRefused: () => void;
  /** The first call has passed. */
  onPassed: () => void;
  /** Nothing is held any more. */
  onResume: () => void;
  /** The client was closed: the server gets nothing more. */
  onClosed: () => void;
  /** From now on everything passes as it comes. */
  onGivenUp: (reason: string) => void;
}

/**
 * Stands between client and server of a WebSocket without extensions. A message that begins a call is
 * held, with everything behind it, until the call is evaluated. All that passes is byte for byte
 * what came.
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
/** RFC 6455, 5.5, without the code. */
const MAX_REASON_BYTES = 123;

export function createSocketGate(options: SocketGateOptions): SocketGate {
  const { calls, maxMessageBytes, budget, toServer, answer } = options;
  let hasPassed = false;
  let state: 'gating' | 'open' | 'closed' = 'gating';
  let isWaiting = false;
  let hold = createReservation(budget);
  /** Frames that came and are not handled yet, and those of a message that has not ended. */
  let queue: SocketFrame[] = [];
  let message: SocketFrame[] = [];
  let size = 0;
  /** Answers that wait until the server is between two messages. */
  let answers: Uint8Array[] = [];
  const splitter = createFrameSplitter(maxMessageBytes, (frame) => queue.push(frame));
  const server = createWebSocketReader({
    begin: () => undefined,
    part: () => undefined,
    end: () => undefined,
    close: () => undefined,
  });

  const giveUp = (error: unknown): void => {
    state = 'open';
    isWaiting = false;
    hold.release();
    for (const { bytes } of [...message.splice(0), ...queue.splice(0)]) toServer(bytes);
    toServer(splitter.takeRest());
    options.onGivenUp(error instanceof Error ? error.message : String(error));
  };

  const drain = (): void => {
    while (state === 'gating' && !isWaiting) {
      const frame = queue.shift();
      if (!frame) return;
      handle(frame);
    }
  };

  const handle = (frame: SocketFrame): void => {
    if (frame.head.isControl) return toServer(frame.bytes);
    message.push(frame);
    size += frame.bytes.length;
    if (size > maxMessageBytes || !hold.take(frame.bytes.length))
      throw new Error('a message too long to hold');
    if (frame.head.isFinal) endMessage();
  };

  const endMessage = (): void => {
    size = 0;
    const text = new TextDecoder().decode(concat(message.map(({ payload }) => payload)));
    const request = options.isEnabled() ? calls.read(parseJson(text)) : null;
    if (!request) return pass();
    isWaiting = true;
    void options.evaluate(request).then((refusal) => {
      if (state !== 'gating') return;
      isWaiting = false;
      if (refusal) refuse(calls.refuse(refusal, hexOf(options.random(16))));
      else {
        if (!hasPassed) options.onPassed();
        hasPassed = true;
        pass();
      }
      guarded(drain);
      options.onResume();
    });
  };

  const pass = (): void => {
    hold.release();
    hold = createReservation(budget);
    for (const { bytes } of message.splice(0)) toServer(bytes);
  };

  const refuse = (refusal: SocketRefusal): void => {
    if (!hasPassed) options.onRefused();
    hold.release();
    hold = createReservation(budget);
    message = [];
    if (refusal.kind === 'event') return sendAnswer(TEXT, new TextEncoder().encode(refusal.text));
    sendAnswer(CLOSE, closePayload(POLICY_VIOLATION, refusal.reason));
    state = 'closed';
    queue = [];
    flushAnswers();
    toServer(encodeFrame(CLOSE, closePayload(NORMAL_CLOSURE), options.random(4)));
    options.onClosed();
  };

  const sendAnswer = (opcode: number, payload: Uint8Array): void => {
    answers.push(encodeFrame(opcode, payload));
    if (server.isBetweenMessages()) flushAnswers();
  };

  const flushAnswers = (): void => answers.splice(0).forEach(answer);

  const guarded = (step: () => void): void => {
    try {
      step();
    } catch (error) {
      if (state === 'gating') giveUp(error);
    }
  };

  return {
    fromClient: (bytes) => {
      if (state === 'open') return toServer(bytes);
      if (state === 'closed') return;
      guarded(() => {
        splitter.add(bytes);
        drain();
      });
    },
    fromServer: (bytes) => {
      if (state === 'closed') return;
      options.toClient(bytes);
      if (state === 'gating') guarded(() => server.read(bytes));
      if (server.isBetweenMessages()) flushAnswers();
    },
    isWaiting: () => isWaiting,
    drop: () => {
      state = 'closed';
      isWaiting = false;
      hold.release();
      queue = [];
      message = [];
    },
  };
}

/** A reason too long for the frame is cut between two characters. */
function closePayload(code: number, reason = ''): Uint8Array {
  const payload = new Uint8Array(2 + MAX_REASON_BYTES);
  const { written } = new TextEncoder().encodeInto(reason, payload.subarray(2));
  new DataView(payload.buffer).setUint16(0, code);
  return payload.subarray(0, 2 + written);
}

const hexOf = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
