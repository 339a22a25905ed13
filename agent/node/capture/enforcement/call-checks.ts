import type { PolicyRefusal } from '#agent/core/capture/enforcement/refusal.ts';
import type { HeldRequest } from '#agent/core/capture/enforcement/held-request.ts';
import type { CallCheck, CallVerdict } from '#contract/call-check.ts';
import type { OwnRules } from '#contract/settings.ts';
import { type CapturedConnection, reportFactsOf } from '../captured-connection.ts';
import type { ExchangeCopy } from '../reports/exchange-report.ts';
import { createCheckThread } from './check-thread.ts';

export interface CallChecksOptions {
  /** The tenant's current rules. */
  tenantRules?: () => OwnRules;
  /** Requests a verdict from the control plane. Resolves to the reason if there is none. */
  requestVerdict: (check: CallCheck, signal: AbortSignal) => Promise<CallVerdict | string>;
  /** Called with one line about calls of which not everything was evaluated. */
  onNotice: (line: string) => void;
  /** The longest time that a call is held, in ms. */
  timeoutMs: number;
}

export interface CallChecks {
  /** Prepares for calls: the check thread takes a while to start. */
  start: () => void;
  /** Resolves to null if the call is allowed, or if no verdict arrived in time. */
  evaluate: (connection: CapturedConnection, request: HeldRequest) => Promise<PolicyRefusal | null>;
  close: () => Promise<void>;
}

export const NO_ANSWER = 'the control plane did not answer';
const UNREADABLE = 'a call was checked without its content, which could not be read';

/** Checks held calls against policies. Fails open: clients must keep working whatever goes wrong. */
export function createCallChecks(options: CallChecksOptions): CallChecks {
  const { tenantRules, requestVerdict, onNotice, timeoutMs } = options;
  // Calls queued behind a check that takes this long have already timed out.
  const thread = createCheckThread({
    timeoutMs: 2 * timeoutMs,
    ...(tenantRules && { tenantRules }),
  });

  const verdictOf = async (
    connection: CapturedConnection,
    request: HeldRequest,
    signal: AbortSignal,
  ): Promise<CallVerdict | string> => {
    const check = await thread.createCheck(toExchangeCopy(request), {
      ...reportFactsOf(connection),
      id: '',
    });
    if (!check) return 'it could not be redacted';
    if (check.request === null && request.body.some(({ length }) => length > 0))
      onNotice(`${connection.host}: ${UNREADABLE}`);
    return requestVerdict(check, signal);
  };

  return {
    start: thread.start,
    evaluate: async (connection, request) => {
      const timeout = new AbortController();
      const verdict = await Promise.race([
        verdictOf(connection, request, timeout.signal).catch(() => NO_ANSWER),
        expireAfter(timeoutMs, timeout),
      ]);
      if (typeof verdict !== 'string') return verdict.refused ? verdict : null;
      onNotice(`${connection.host}: a call passed without a policy check: ${verdict}`);
      return null;
    },
    close: thread.close,
  };
}

const expireAfter = (ms: number, deadline: AbortController): Promise<string> =>
  new Promise((resolve) => {
    setTimeout(() => {
      deadline.abort();
      resolve(`there was no answer within ${ms} ms`);
    }, ms).unref();
  });

/** Converts the request to the form of captures, without a response. */
const toExchangeCopy = ({
  id,
  version,
  method,
  target,
  headers,
  body,
  truncated,
}: HeldRequest): ExchangeCopy => ({
  id,
  protocol: version,
  method,
  target,
  authority: null,
  startedAt: 0,
  endedAt: null,
  request: {
    headers,
    beginning: body,
    bytes: body.reduce((sum, { length }) => sum + length, 0),
    truncated,
    complete: !truncated,
  },
  status: null,
  response: null,
  aborted: false,
  webSocket: null,
});
