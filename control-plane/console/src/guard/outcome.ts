import { plural, t } from '@lingui/core/macro';
import type { CodingAgentLevel, ToolCheckMode } from '#contract/guard.ts';
import type { Inherited } from './inherited.ts';
import { effectiveOf } from './layer-draft.ts';
import type { Draft } from './layer-draft.ts';

/** What applies once the draft is saved, in one sentence or a few. */
export function outcomeOf(draft: Draft, inherited: Inherited): string {
  if (Object.keys(draft).length === 0) return t`This level will inherit everything.`;
  const effective = effectiveOf(draft, inherited);
  const { coding_agents: level } = effective;
  const agents = draft.coding_agents === undefined ? [] : [agentOutcomes[level]];
  const checks = draft.tool_checks === undefined ? [] : [checkOutcomes[effective.tool_checks]];
  return [captureOutcome(effective), ...agents, ...checks].join(' ');
}

const agentOutcomes: Record<CodingAgentLevel, string> = {
  off: t`Coding agents will be not recorded.`,
  metadata: t`Coding agents will be recorded: metadata only.`,
  prompts: t`Coding agents will be recorded: with prompts and answers.`,
  tools: t`Coding agents will be recorded: with prompts and tool content.`,
};

const checkOutcomes: Record<ToolCheckMode, string> = {
  off: t`Tool calls will be not checked.`,
  open: t`Tool calls will be checked, allowed while offline.`,
  closed: t`Tool calls will be checked, refused while offline.`,
};

function captureOutcome(effective: ReturnType<typeof effectiveOf>): string {
  const { capture_enabled, intercept_hosts, enforce_policies } = effective;
  if (!capture_enabled) return t`Capture will be off.`;
  return enforce_policies
    ? plural(intercept_hosts.length, {
        one: 'Capture will be on for # host, with policy enforcement.',
        other: 'Capture will be on for # hosts, with policy enforcement.',
      })
    : plural(intercept_hosts.length, {
        one: 'Capture will be on for # host.',
        other: 'Capture will be on for # hosts.',
      });
}
