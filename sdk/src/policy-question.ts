import type { governanceRoutes } from '#contract/governance.ts';
import type { RouteRequest } from '#contract/route.ts';
import { MOST_BYTES } from './delivery/batch.ts';
import type { PolicySubject } from './policy-result.ts';
import { storableCopy, storableText } from './recording/storable.ts';
import { id, name, texts, usd } from './recording/within-limits.ts';

type WireQuestion = RouteRequest<(typeof governanceRoutes)['checkPolicy']>['body'];

const MOST_NAMES = 100;
// Inside a string, JSON takes at most twice its bytes: each quote and backslash is escaped.
const MOST_TEXT_BYTES = MOST_BYTES / 2;

/**
 * What is asked, within the limits of the contract whatever the subject holds: a question that the
 * server refuses is one that is not asked, and the text of a user must not switch a policy off.
 * Names and ids are cut as those of a recorded run, so that both are of the same user.
 */
export const policyQuestion = (subject: PolicySubject): WireQuestion => ({
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
  mcp_servers: names(subject.mcpServers),
  action_type: id(subject.actionType),
  risk_level: riskLevels.find((level) => level === subject.riskLevel),
  estimated_cost: usd(subject.estimatedCost),
});

const riskLevels = ['none', 'low', 'medium', 'high', 'critical'] as const;

const names = (value: unknown): string[] | undefined =>
  texts(value, MOST_NAMES)?.filter((one) => one !== '');

/**
 * The inputs as they are. Where something of them would be left out, they are told as the text of
 * their JSON, as much of it as fits: policies then look at all of it, or see that it is too long to
 * be looked at.
 */
function wireInputs(value: unknown): unknown {
  const { copy, isWhole } = storableCopy(value);
  const json = jsonOf(copy) ?? '';
  if (isWhole && encoder.encode(json).byteLength <= MOST_BYTES) return copy;
  return beginningOf((isWhole ? json : jsonOf(value)) ?? json);
}

const encoder = new TextEncoder();

function beginningOf(json: string): string {
  const { read } = encoder.encodeInto(json, new Uint8Array(MOST_TEXT_BYTES));
  return storableText(json.slice(0, read));
}

function jsonOf(value: unknown): string | undefined {
  try {
    return JSON.stringify(value);
  } catch {
    return undefined;
  }
}
