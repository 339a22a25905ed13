import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { type Recording } from '#agent/core/coding-agents/recording.ts';
import { startLoop } from '#lib/loop.ts';
import type { Problems } from '../problems.ts';

export interface OtlpExportOptions<Message> {
  /** What the messages are, as in `the calls of gateways`; the part of its problems. */
  part: string;
  /** The body of an export of traces, in OTLP's JSON, at the level of the recording. */
  bodyOf: (messages: readonly Message[], recording: Recording) => object;
  /** The approximate size of a message in bytes. */
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
  stop: () => Promise<void>;
}

/** The maximum of waiting messages, in number and bytes; beyond it the oldest are dropped. */
const MAX_QUEUED = 1000;
const MAX_QUEUED_BYTES = 32 * 1024 * 1024;
/** Less than the control plane accepts in one request, as the sizes are approximate. */
const MAX_REQUEST_BYTES = 4 * 1024 * 1024;
const TIMEOUT_MS = 10_000;

/** Sends spans to the control plane, with the recording key of this device. */
export function startOtlpExport<Message>(options: OtlpExportOptions<Message>): OtlpExport<Message> {
  const { part, bodyOf, sizeOf, recording, roots, problems, retryMs, onSent, onRecorded } = options;
  let waiting: Message[] = [];
  const newest = (messages: readonly Message[]): Message[] =>
    messages.slice(-Math.min(MAX_QUEUED, countWithin(messages.toReversed(), MAX_QUEUED_BYTES)));
  const countWithin = (messages: readonly Message[], most: number): number => {
    let bytes = 0;
    const index = messages.findIndex((message) => (bytes += sizeOf(message)) > most);
    // A single message is sent whatever its size.
    return index < 0 ? Math.max(messages.length, 1) : Math.max(index, 1);
  };

  const loop = startLoop(async (signal) => {
    if (waiting.length === 0) return null;
    const current = await recording(signal);
    if (signal.aborted) return null;
    if (!current) {
      waiting = [];
      return null;
    }
    const sending = waiting.splice(0, countWithin(waiting, MAX_REQUEST_BYTES));
    const failure = await send(current, bodyOf(sending, current), { ca: roots(), signal, onSent });
    problems.set(part, failure === null ? [] : [`calls are not recorded yet: ${failure}`]);
    if (failure === null) {
      onRecorded(sending);
      return 0;
    }
    waiting = newest([...sending, ...waiting]);
    return retryMs;
  });
  return {
    add: (message) => {
      waiting = newest([...waiting, message]);
      loop.wake();
    },
    stop: loop.stop,
  };
}

interface SendOptions extends Pick<OtlpExportOptions<never>, 'onSent'> {
  ca: readonly string[];
  signal: AbortSignal;
}

/** Sends the body. Resolves to the error in one line; null on success. */
function send(
  { endpoint, key }: Recording,
  content: object,
  { ca, signal, onSent }: SendOptions,
): Promise<string | null> {
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
        const { statusCode = 0 } = response;
        resolve(
          statusCode >= 200 && statusCode < 300 ? null : `${url.origin} answered ${statusCode}`,
        );
      },
    );
    outgoing.on('error', (error) => resolve(`${url.origin}: ${error.message}`));
    outgoing.end(body);
  });
}
