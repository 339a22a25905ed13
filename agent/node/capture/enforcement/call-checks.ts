import type { Refusal } from '#agent/core/capture/enforcement/refusal.ts';
import type { HeldRequest } from '#agent/core/capture/enforcement/request-gate.ts';
import type { CallCheck, CallVerdict } from '#contract/call-check.ts';
import type { OwnRules } from '#contract/settings.ts';
import { type CapturedConnection, factsOf } from '../captured-connection.ts';
import type { ExchangeCopy } from '../exchange-report.ts';
import { createCheckThread } from './check-thread.ts';

export interface CallChecksOptions {
  /** The tenant's current rules. */
  own?: () => OwnRules;
  /** Requests a verdict of the control plane. Null: no response. */
  ask: (check: CallCheck, signal: AbortSignal) => Promise<CallVerdict | null>;
  /** Called with one line about calls that passed without a verdict. */
  onNotice: (line: string) => void;
  /** The longest that a call is held, in ms. */
  withinMs: number;
}

export interface CallChecks {
  /** Calls will come. */
  warm: () => void;
  /** Null: the call is allowed, also when no verdict arrived in time. */
  judge: (connection: CapturedConnection, request: HeldRequest) => Promise<Refusal | null>;
  close: () => Promise<void>;
}

/** Checks held calls against policies. Fails open: clients must keep working whatever goes wrong. */
export function createCallChecks(options: CallChecksOptions): CallChecks {
  const { own, ask, onNotice, withinMs } = options;
  // Calls queued behind a check that takes this long have already timed out.
  const thread = createCheckThread({ withinMs: 2 * withinMs, ...(own && { own }) });

  const verdictOf = async (
    connection: CapturedConnection,
    request: HeldRequest,
    signal: AbortSignal,
  ): Promise<CallVerdict | string> => {
    const check = await thread.make(copyOf(request), { ...factsOf(connection), id: '' });
    if (!check) return 'it could not be redacted';
    return (await ask(check, signal)) ?? 'the control plane did not answer';
  };

  return {
    warm: thread.warm,
    judge: async (connection, request) => {
      const late = new AbortController();
      const verdict = await Promise.race([
        verdictOf(connection, request, late.signal).catch(() => 'the control plane did not answer'),
        lateAfter(withinMs, late),
      ]);
      if (typeof verdict !== 'string') return verdict.refused ? verdict : null;
      onNotice(`${connection.host}: a call passed without a policy check: ${verdict}`);
      return null;
    },
    close: thread.close,
  };
}

const lateAfter = (ms: number, late: AbortController): Promise<string> =>
  new Promise((resolve) => {
    setTimeout(() => {
      late.abort();
      resolve(`there was no answer within ${ms} ms`);
    }, ms).unref();
  });

/** The request in the form of captures, without a response. */
const copyOf = ({
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
