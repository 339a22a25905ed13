import type { CallCheck } from '#contract/call-check.ts';
import { parseJson, parseTruncatedJson } from '#domain/providers/parse-json.ts';
import type { Situation } from '../policies/category.ts';
import { NO_INTENT, situationOf } from '../policies/situation.ts';
import type { DeviceAttribution } from './call-queries.ts';

interface CallOrigin {
  agent: string;
  attribution: DeviceAttribution;
  /** In milliseconds since 1970. */
  now: number;
}

/** Returns the same situation as for a check by an SDK before the same call. */
export const situationOfHeldCall = (
  check: CallCheck,
  { agent, attribution, now }: CallOrigin,
): Situation =>
  situationOf({
    phase: 'before_workflow',
    now,
    agent,
    workflow: 'default',
    userId: check.user || attribution.user || null,
    userGroup: attribution.user_group,
    intent: {
      ...NO_INTENT,
      inputs: inputsOf(check),
      models: check.model ? [check.model] : [],
      redacted: check.redactions,
    },
  });

/**
 * Returns the inputs. If the request was cut, the last user prompt may be missing in it, and is
 * added. A request that is not JSON is one text: a lenient server also reads what follows the error.
 */
function inputsOf({ request, request_truncated, prompt }: CallCheck): unknown {
  if (request === null) return prompt;
  const body = (request_truncated ? parseTruncatedJson(request) : parseJson(request)) ?? request;
  return prompt === null ? body : [prompt, body];
}
