import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { type Recording } from '#agent/core/coding-agents/recording.ts';
import { startLoop } from '#lib/loop.ts';
import type { Problems } from '../status/problems.ts';

export interface OtlpExportOptions<Message> {
  /** What records the messages, such as `mcp gateway`; the part of its problems. */
  part: string;
  /** The body of an export of traces, in OTLP's JSON, at the level of the recording. */
  bodyOf: (messages: readonly Message[], recording: Recording) => object;
  /** The approximate size of a message in a body, in bytes. */
  sizeOf: (message: Message) => number;
  /** The current recording settings of this device; null: off. */
  recording: (signal: AbortSignal) => Promise<Recording | null>;
  /** PEM */
  roots: () => readonly string[];
  problems: Problems;
  retryMs: number;
  /** Called with the size of each request body that was sent and answered. */
  onSent: (bytes: number) => void;
  /** Called with the messages that the control plane has accepted. */
  onRecorded: (messages: readonly Message[]) => void;
}

export interface OtlpExport<Message> {
  add: (message: Message) => void;
  /** Drops all that waits. */
  clear: () => void;
  /** Makes a last attempt to send what waits. */
  stop: () => Promise<void>;
}

/** The maximum of waiting messages, in number and bytes; beyond it the oldest are dropped. */
const MAX_QUEUED = 1000;
const MAX_QUEUED_BYTES = 32 * 1024 * 1024;
/** Less than the control plane accepts in one request, as the sizes are approximate. */
const MAX_REQUEST_BYTES = 4 * 1024 * 1024;
const TIMEOUT_MS = 10_000;
/** The time limit of the last attempt, in ms. */
const STOP_MS = 2000;

interface Waiting<Message> {
  message: Message;
  bytes: number;
}

/** Sends spans to the control plane, with the recording key of this device. */
export function startOtlpExport<Message>(options: OtlpExportOptions<Message>): OtlpExport<Message> {
  const { part, bodyOf, sizeOf, recording, roots, problems, retryMs, onSent, onRecorded } = options;
  let waiting: Waiting<Message>[] = [];
  /** The maximum number of messages in a request. */
  let most = MAX_QUEUED;
  /** Changes when all that waits is dropped. */
  let generation = 0;

  const clear = (): void => {
    waiting = [];
    generation += 1;
    problems.set(part);
  };

  /** Sends the next messages. Returns the milliseconds until the next attempt, like a loop. */
  const sendNext = async (signal: AbortSignal): Promise<number | null> => {
    if (waiting.length === 0) return null;
    const current = await recording(signal);
    if (signal.aborted) return null;
    if (!current) {
      clear();
      return null;
    }
    const sending = waiting.splice(0, Math.min(most, countWithin(waiting, MAX_REQUEST_BYTES)));
    const messages = sending.map(({ message }) => message);
    const started = generation;
    const failure = await send(current, bodyOf(messages, current), { ca: roots(), signal, onSent });
    if (failure === null) {
      most = Math.min(most * 2, MAX_QUEUED);
      if (started === generation) problems.set(part);
      onRecorded(messages);
      return 0;
    }
    if (started !== generation) return 0;
    const isTooLarge = failure.status === TOO_LARGE;
    if (failure.status === INVALID || (isTooLarge && sending.length === 1)) {
      const lost = sending.length === 1 ? '1 call is' : `${sending.length} calls are`;
      problems.set(part, [`${lost} not recorded: ${failure.line}`]);
      return 0;
    }
    waiting = newest([...sending, ...waiting]);
    if (isTooLarge) {
      most = Math.ceil(sending.length / 2);
      return 0;
    }
    if (!signal.aborted) problems.set(part, [`calls are not recorded yet: ${failure.line}`]);
    return retryMs;
  };

  const loop = startLoop(sendNext);
  return {
    add: (message) => {
      waiting = newest([...waiting, { message, bytes: sizeOf(message) }]);
      loop.wake();
    },
    clear,
    stop: async () => {
      await loop.stop();
      const signal = AbortSignal.timeout(STOP_MS);
      while (!signal.aborted && (await sendNext(signal)) === 0);
    },
  };
}

type Sized = Pick<Waiting<never>, 'bytes'>;

const newest = <M extends Sized>(messages: readonly M[]): M[] =>
  messages.slice(-Math.min(MAX_QUEUED, countWithin(messages.toReversed(), MAX_QUEUED_BYTES)));

/** How many of the first messages have at most this size together. */
function countWithin(messages: readonly Sized[], most: number): number {
  let sum = 0;
  const index = messages.findIndex(({ bytes }) => (sum += bytes) > most);
  // A single message is sent whatever its size.
  return index < 0 ? Math.max(messages.length, 1) : Math.max(index, 1);
}

/** The size of texts in a body in bytes. */
export const sizeOfTexts = (texts: readonly (string | null | undefined)[]): number =>
  texts.reduce((sum, text) => sum + Buffer.byteLength(JSON.stringify(text ?? '')), 0);

/** Statuses of requests that fail again if they are repeated unchanged. */
const INVALID = 400;
const TOO_LARGE = 413;

interface Failure {
  /** The error in one line. */
  line: string;
  /** Null without a response. */
  status: number | null;
}

interface SendOptions extends Pick<OtlpExportOptions<never>, 'onSent'> {
  ca: readonly string[];
  signal: AbortSignal;
}

/** Sends the body. Resolves to null on success. */
function send(
  { endpoint, key }: Recording,
  content: object,
  { ca, signal, onSent }: SendOptions,
): Promise<Failure | null> {
  const body = Buffer.from(JSON.stringify(content));
  const url = new URL(`${endpoint}/v1/traces`);
  const request = url.protocol === 'https:' ? requestHttps : requestHttp;
  return new Promise((resolve) => {
    const headers = {
      'content-type': 'application/json',
      'content-length': body.length,
      'x-svc-key': key,
    };
    const deadline = AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]);
    const outgoing = request(
      url,
      { method: 'POST', headers, ca: [...ca], signal: deadline },
      (response) => {
        response.resume();
        onSent(body.length);
        const { statusCode: status = 0 } = response;
        const line = `${url.origin} answered ${status}`;
        resolve(status >= 200 && status < 300 ? null : { line, status });
      },
    );
    outgoing.on('error', (error) =>
      resolve({ line: `${url.origin}: ${error.message}`, status: null }),
    );
    outgoing.end(body);
  });
}
