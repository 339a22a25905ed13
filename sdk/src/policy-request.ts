import type { evaluationRoutes } from '#contract/evaluations.ts';
import type { RouteRequest } from '#contract/route.ts';
import { MAX_BYTES } from './delivery/batch.ts';
import type { PolicySubject } from './policy-result.ts';
import { copyStorable, toStorableText } from './recording/storable.ts';
import { id, name, texts, usd } from './recording/within-limits.ts';

type WireRequest = RouteRequest<(typeof evaluationRoutes)['checkPolicy']>['body'];

const MAX_NAMES = 100;
// Inside a string, JSON takes at most twice its bytes: each quote and backslash is escaped.
const MAX_TEXT_BYTES = MAX_BYTES / 2;

/**
 * Creates the request body of a policy check, always within the limits of the contract: a rejected
 * request would skip the check, and user input must not disable a policy. Names and ids are
 * truncated like those of recorded runs, so that both refer to the same user.
 */
export const policyRequest = (subject: PolicySubject): WireRequest => ({
  agent_name: name(subject.agentName, 'default'),
  workflow_name: id(subject.workflowName) || undefined,
  agent_id: id(subject.agentId),
  session_id: id(subject.sessionId),
  user_id: id(subject.userId),
  user_group: id(subject.userGroup),
  end_user_id: id(subject.endUserId),
  inputs: wireInputs(subject.inputs),
  models: names(subject.models),
  tools: names(subject.tools),
  tool_calls: toolCalls(subject.toolCalls),
  mcp_servers: names(subject.mcpServers),
  action_type: id(subject.actionType),
  risk_level: riskLevels.find((level) => level === subject.riskLevel),
  estimated_cost: usd(subject.estimatedCost),
});

const riskLevels = ['none', 'low', 'medium', 'high', 'critical'] as const;

const names = (value: unknown): string[] | undefined =>
  texts(value, MAX_NAMES)?.filter((one) => one !== '');

/** The calls that have a name. Their arguments together take at most a tenth of a request. */
function toolCalls(value: unknown): WireRequest['tool_calls'] {
  if (!Array.isArray(value)) return undefined;
  return value.slice(0, MAX_NAMES).flatMap((one: unknown) => {
    if (typeof one !== 'object' || one === null) return [];
    const called = name((one as { name?: unknown }).name, '');
    return called === ''
      ? []
      : [{ name: called, arguments: wireArguments((one as { arguments?: unknown }).arguments) }];
  });
}

const MAX_ARGUMENT_BYTES = MAX_BYTES / 10 / MAX_NAMES;

function wireArguments(value: unknown): unknown {
  if (value === undefined) return undefined;
  const { copy } = copyStorable(value);
  const json = jsonOf(copy) ?? '';
  return encoder.encode(json).byteLength <= MAX_ARGUMENT_BYTES
    ? copy
    : beginningOf(json, MAX_ARGUMENT_BYTES / 2);
}

/**
 * Returns the inputs unchanged, if possible. If parts of them would be omitted, the inputs are sent
 * as JSON text instead, truncated to the size limit: policies evaluate the whole text, or detect
 * that it is too long.
 */
function wireInputs(value: unknown): unknown {
  const { copy, isComplete } = copyStorable(value);
  const json = jsonOf(copy) ?? '';
  if (isComplete && encoder.encode(json).byteLength <= MAX_BYTES) return copy;
  return beginningOf((isComplete ? json : jsonOf(value)) ?? json, MAX_TEXT_BYTES);
}

const encoder = new TextEncoder();

function beginningOf(json: string, bytes: number): string {
  const { read } = encoder.encodeInto(json, new Uint8Array(bytes));
  return toStorableText(json.slice(0, read));
}

function jsonOf(value: unknown): string | undefined {
  try {
    return JSON.stringify(value);
  } catch {
    return undefined;
  }
}
