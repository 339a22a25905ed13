import type { CodingAgentLevel, ToolCheckMode } from '#contract/guard.ts';
import { formatMany } from '../format.ts';
import { codingAgentsText, toolChecksText } from './setting-text.ts';
import type { Inherited } from './inherited.ts';
import { effectiveOf } from './layer-draft.ts';
import type { Draft } from './layer-draft.ts';

/** What applies once the draft is saved, in one sentence or a few. */
export function outcomeOf(draft: Draft, inherited: Inherited): string {
  if (Object.keys(draft).length === 0) return 'This level will inherit everything.';
  const effective = effectiveOf(draft, inherited);
  const { coding_agents: level } = effective;
  const agents = draft.coding_agents === undefined ? '' : ` ${reportOf(level)}`;
  const checks = draft.tool_checks === undefined ? '' : ` ${checksOf(effective.tool_checks)}`;
  return `${captureOutcome(effective)}${agents}${checks}`;
}

const reportOf = (level: CodingAgentLevel): string =>
  `Coding agents will be ${level === 'off' ? 'not recorded' : `recorded: ${codingAgentsText(level)}`}.`;

const checksOf = (mode: ToolCheckMode): string => `Tool calls will be ${toolChecksText(mode)}.`;

function captureOutcome(effective: ReturnType<typeof effectiveOf>): string {
  const { capture_enabled, intercept_hosts, enforce_policies } = effective;
  if (!capture_enabled) return 'Capture will be off.';
  const hosts = formatMany(intercept_hosts.length, 'host');
  return `Capture will be on for ${hosts}${enforce_policies ? ', with policy enforcement' : ''}.`;
}
