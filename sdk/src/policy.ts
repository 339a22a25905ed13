import type { Send } from './delivery/request.ts';
import { policyRequest } from './policy-request.ts';
import {
  type CheckPolicy,
  policyActions,
  type PolicyResult,
  policyResult,
  type PolicySubject,
} from './policy-result.ts';
import type { Reporter } from './report.ts';

const PATH = '/api/v1/observe/policy-check/';
// Agents wait for every check, so its timeout is shorter than that of background requests.
const MAX_TIMEOUT_MS = 3000;
// The time for which checks pass without a request after the server was unavailable.
const UNAVAILABLE_MS = 5000;

/** Creates the check. It never rejects. If the server is unavailable, every check passes. */
export function createCheckPolicy(send: Send, report: Reporter, timeoutMs: number): CheckPolicy {
  let unavailableUntil = 0;

  function unchecked(cause: string, reason?: string): PolicyResult {
    const line = `not checked: ${cause}`;
    report.problem('policy_unchecked', `a policy was ${line}`, reason);
    return policyResult('allow', line);
  }

  return async (subject) => {
    if (Date.now() < unavailableUntil) return unchecked('the control plane is unavailable');
    const body = bodyOf(subject);
    if (body === undefined) return unchecked('the subject cannot be serialized');
    const result = await send({
      method: 'POST',
      path: PATH,
      body,
      timeoutMs: Math.min(timeoutMs, MAX_TIMEOUT_MS),
    });
    if (result.kind === 'ok')
      return readResult(result.body) ?? unchecked('the response contains no action');
    if (result.kind === 'unavailable') unavailableUntil = Date.now() + UNAVAILABLE_MS;
    // The tenant has exhausted a quota.
    if (result.kind === 'retry' && result.status === 429)
      return policyResult('throttle', result.message, { retry_after_ms: result.retryAfterMs });
    return unchecked(result.message, result.reason);
  };
}

/** Creates the request body. Undefined if reading the subject throws. */
function bodyOf(subject: PolicySubject): string | undefined {
  try {
    return JSON.stringify(policyRequest(subject));
  } catch {
    return undefined;
  }
}

function readResult(body: unknown): PolicyResult | undefined {
  const { action, reason, metadata } = body as Record<string, unknown>;
  const knownAction = policyActions.find((one) => one === action);
  if (!knownAction) return undefined;
  return policyResult(
    knownAction,
    typeof reason === 'string' ? reason : '',
    typeof metadata === 'object' && metadata !== null ? (metadata as Record<string, unknown>) : {},
  );
}
