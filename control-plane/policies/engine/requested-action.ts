import type { RequestedAction } from '#contract/approvals.ts';
import type { Masker } from '../../settings/masking/masker.ts';
import type { Intent } from '../category.ts';

/** The maximum size, because a list shows up to a hundred requests. */
const MAX_BYTES = 16_384;
const MAX_INPUT_CHARACTERS = 4000;
const MAX_NAMES = 20;
const MAX_ARGUMENT_CHARACTERS = 300;

/**
 * Returns the action that an agent intends, as masked JSON of limited size; null if the agent
 * states nothing.
 */
export function requestedAction(
  { inputs, toolCalls = [], tools, models, mcpServers, estimatedCost, riskLevel }: Intent,
  masker: Masker,
): string | null {
  const said = [...toolCalls, ...tools, ...models, ...mcpServers].length > 0;
  if (!said && inputs === null && estimatedCost === null && riskLevel === null) return null;
  const whole: RequestedAction = masker.mask({
    ...(inputs !== null && { inputs }),
    tool_calls: toolCalls.map((call) => ({ ...call })),
    tools: [...tools],
    models: [...models],
    mcp_servers: [...mcpServers],
    estimated_cost: estimatedCost,
    risk_level: riskLevel,
    truncated: false,
  });
  const text = JSON.stringify(whole);
  return Buffer.byteLength(text) <= MAX_BYTES ? text : JSON.stringify(cut(whole));
}

/**
 * Shortens an action that is already masked: a value that was cut first might no longer be
 * recognized.
 */
const cut = (whole: RequestedAction): RequestedAction => ({
  ...whole,
  ...('inputs' in whole && { inputs: beginningOf(whole.inputs, MAX_INPUT_CHARACTERS) }),
  tool_calls: whole.tool_calls.slice(0, MAX_NAMES).map((call) => ({
    name: call.name,
    ...('arguments' in call && {
      arguments: beginningOf(call.arguments, MAX_ARGUMENT_CHARACTERS),
    }),
  })),
  tools: whole.tools.slice(0, MAX_NAMES),
  models: whole.models.slice(0, MAX_NAMES),
  mcp_servers: whole.mcp_servers.slice(0, MAX_NAMES),
  truncated: true,
});

/** Returns a short value unchanged, and the beginning of the JSON of a longer one. */
function beginningOf(value: unknown, characters: number): unknown {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
  return text.length <= characters ? value : text.slice(0, characters).toWellFormed();
}
