import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { type Recording } from '#agent/core/coding-agents/recording.ts';
import { type GatewaySpan, gatewaySpans, otlpBody } from '#agent/core/tool-checks/gateway-spans.ts';
import type { RecordRequest } from '#agent/core/tool-checks/gateway-messages.ts';
import { agentVersion } from '../device-facts.ts';
import { startLoop } from '#lib/loop.ts';
import type { Problems } from '../problems.ts';

export interface OtlpExportOptions {
  /** The current recording settings of this device; null: off. */
  recording: (signal: AbortSignal) => Promise<Recording | null>;
  /** PEM */
  roots: () => readonly string[];
  problems: Problems;
  retryMs: number;
  /** Called with the size of each request body that was sent and answered. */
  onSent: (bytes: number) => void;
  /** Called with the number of calls that the control plane has accepted. */
  onRecorded: (calls: number) => void;
}

export interface OtlpExport {
  add: (message: RecordRequest) => void;
  stop: () => Promise<void>;
}

/** The maximum number of waiting messages; beyond it the oldest are dropped. */
const MAX_QUEUED = 1000;
const TIMEOUT_MS = 10_000;

/** Sends spans of gateways to the control plane, with the recording key of this device. */
export function startOtlpExport(options: OtlpExportOptions): OtlpExport {
  const { recording, roots, problems, retryMs, onSent, onRecorded } = options;
  let waiting: RecordRequest[] = [];

  const loop = startLoop(async (signal) => {
    if (waiting.length === 0) return null;
    const current = await recording(signal);
    if (signal.aborted) return null;
    const sending = waiting;
    waiting = [];
    if (!current) return null;
    const spans = sending.flatMap((message) => gatewaySpans(message, current));
    const failure = await send(current, spans, { ca: roots(), signal, onSent });
    problems.set('mcp gateway', failure === null ? [] : [`calls are not recorded yet: ${failure}`]);
    if (failure === null) {
      onRecorded(sending.reduce((calls, message) => calls + message.calls.length, 0));
      return 0;
    }
    waiting = [...sending, ...waiting].slice(-MAX_QUEUED);
    return retryMs;
  });
  return {
    add: (message) => {
      waiting = [...waiting, message].slice(-MAX_QUEUED);
      loop.wake();
    },
    stop: loop.stop,
  };
}

interface SendOptions extends Pick<OtlpExportOptions, 'onSent'> {
  ca: readonly string[];
  signal: AbortSignal;
}

/** Sends the spans. Resolves to the error in one line; null on success. */
function send(
  { endpoint, key }: Recording,
  spans: readonly GatewaySpan[],
  { ca, signal, onSent }: SendOptions,
): Promise<string | null> {
  const body = Buffer.from(JSON.stringify(otlpBody(spans, agentVersion)));
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
