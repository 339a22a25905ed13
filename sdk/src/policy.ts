import type { Send } from './delivery/request.ts';
import { policyQuestion } from './policy-question.ts';
import {
  type CheckPolicy,
  policyActions,
  type PolicyResult,
  policyResult,
  type PolicySubject,
} from './policy-result.ts';
import type { Reporter } from './report.ts';

const PATH = '/api/v1/observe/policy-check/';
// An agent waits for this, each time: it may not take what a background request may.
const LONGEST_MS = 3000;
// While the server is away, an agent waits for it only so often.
const AWAY_MS = 5000;

/** Without a server that answers, every check passes. It never throws. */
export function createCheckPolicy(send: Send, report: Reporter, timeoutMs: number): CheckPolicy {
  let awayUntil = 0;

  function unchecked(why: string): PolicyResult {
    const reason = `not checked: ${why}`;
    report.problem('policy_unchecked', `a policy was ${reason}`);
    return policyResult('allow', reason);
  }

  return async (subject) => {
    if (Date.now() < awayUntil) return unchecked('the control plane does not answer');
    const body = bodyOf(subject);
    if (body === undefined) return unchecked('what was asked cannot be read');
    const answer = await send({
      method: 'POST',
      path: PATH,
      body,
      timeoutMs: Math.min(timeoutMs, LONGEST_MS),
    });
    if (answer.kind === 'ok')
      return readResult(answer.body) ?? unchecked('the answer names no action');
    if (answer.kind === 'away') awayUntil = Date.now() + AWAY_MS;
    // The server is there, and takes no more of this tenant: a spent quota says it like this.
    if (answer.kind === 'again' && answer.status === 429)
      return policyResult('throttle', answer.message, { retry_after_ms: answer.retryAfterMs });
    return unchecked(answer.message);
  };
}

/** Undefined where the subject itself cannot be read, as no question can then be made of it. */
function bodyOf(subject: PolicySubject): string | undefined {
  try {
    return JSON.stringify(policyQuestion(subject));
  } catch {
    return undefined;
  }
}

function readResult(body: unknown): PolicyResult | undefined {
  const { action, reason, metadata } = body as Record<string, unknown>;
  const known = policyActions.find((one) => one === action);
  if (!known) return undefined;
  return policyResult(
    known,
    typeof reason === 'string' ? reason : '',
    typeof metadata === 'object' && metadata !== null ? (metadata as Record<string, unknown>) : {},
  );
}
