import { z } from 'zod';
import { category } from '../category.ts';
import { countOne, type Bucket, withoutExpired, totalOf } from '../lib/sliding-window.ts';

const rules = z.strictObject({
  enabled: z.boolean().default(true),
  action_on_exceed: z.enum(['throttle', 'block', 'warn']).default('throttle'),
  window_seconds: z.int().min(1).max(3600).default(60),
});
type Rules = z.output<typeof rules>;

type State = Bucket<'checks'>[];

/** Limits the request rate of an end user. The rate is set on the end user and their group. */
export const endUserRateLimit = category<Rules, State>({
  name: 'end-user-rate-limit',
  summary: 'Enforces the requests per minute of end users',
  rules,
  phases: ['before_workflow'],
  appliesToHeldCalls: true,
  reads: ['endUser'],
  stateOf: ({ endUserId, userId }) => endUserId ?? userId,
  evaluate({ rules, situation: { now }, facts: { endUser }, state = [] }) {
    if (!rules.enabled || !endUser?.requestsPerMinute) return null;
    const { limit, windowMs } = scaled(endUser.requestsPerMinute, rules);
    const current = totalOf(withoutExpired(state, now, windowMs), 'checks');
    const metadata = { end_user_id: endUser.id, current, limit, window: windowMs / 1000 };
    const counted = countOne(state, { now, windowMs, kind: 'checks' });
    if (current < limit)
      return { action: 'allow', reason: 'Within end-user rate limit', metadata, state: counted };
    const figures = `(${current}/${limit} in ${windowMs / 1000}s)`;
    const reason = `End-user '${endUser.id}' rate limit reached ${figures}`;
    // A check that only causes a warning proceeds, so it counts.
    return rules.action_on_exceed === 'warn'
      ? { action: 'warn', reason, metadata, state: counted }
      : { action: rules.action_on_exceed, reason, metadata };
  },
});

/**
 * Returns the limit and the window. A window that would allow less than one request is extended to
 * the time for one request.
 */
function scaled(perMinute: number, { window_seconds }: Rules): { limit: number; windowMs: number } {
  const limit = Math.floor((perMinute * window_seconds) / 60);
  return limit >= 1
    ? { limit, windowMs: window_seconds * 1000 }
    : { limit: 1, windowMs: Math.ceil(60_000 / perMinute) };
}
