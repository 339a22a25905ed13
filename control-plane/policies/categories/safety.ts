import { z } from 'zod';
import {
  requesterKey,
  evaluateBeforeStart,
  evaluateDuringRun,
  type RequiredApproval,
  type ApprovalTerms,
  unapprovedNeeds,
  type UsedApproval,
} from '../../approvals/rules.ts';
import { category, type Evaluation, type PolicyFacts, type Situation } from '../category.ts';
import {
  type Check,
  credentialChecks,
  detectorCheck,
  findingsIn,
  personalDataChecks,
} from '../content/checks.ts';
import { credentialNames } from '../content/named-detectors.ts';
import { profanity } from '../content/profanity.ts';
import { unscannedViolations, scansOf } from '../content/scanning.ts';
import { describeViolations, type Violation } from '../content/violations.ts';
import { toolNamesOf } from '../lib/mcp-name.ts';

const limit = z.int().min(0).max(1_000_000);
const tools = z.array(z.string().min(1).max(200)).max(1000).default([]);
const filters = ['pii', 'profanity', 'credentials'] as const;

const rules = z.strictObject({
  max_retries: limit.default(3),
  max_steps: limit.default(50),
  max_tool_calls: limit.default(100),
  blocked_tools: tools,
  require_human_approval: z.boolean().default(false),
  approval_tools: tools,
  content_filters: z.array(z.enum(filters)).default([]),
  max_output_length: z.int().min(1).max(100_000_000).nullish(),
});
type Rules = z.output<typeof rules>;

/** One violation of the safety rules. */
interface Finding {
  action: 'block' | 'warn';
  reason: string;
  metadata: Readonly<Record<string, unknown>>;
}

/** Keeps a run within limits, blocks some tools, and requires approval for others. */
export const safety = category<Rules, UsedApproval>({
  name: 'safety',
  summary:
    'Limits retries, steps and tool calls; blocks tools or requires approval; filters content',
  rules,
  phases: ['before_workflow', 'mid_execution', 'after_workflow', 'on_failure'],
  reads: ['approval'],
  countsWork: true,
  stateOf: requesterKey,
  needsStoredData: ({ require_human_approval, approval_tools }) =>
    require_human_approval || approval_tools.length > 0,
  evaluate({ rules, situation, facts, state }) {
    const { phase } = situation;
    if (phase === 'before_workflow') {
      const needs = needsOf(rules, situation);
      const approval =
        needs.length > 0 ? evaluateBeforeStart(needs, TERMS, facts.approval, state) : null;
      const findings = [...blockedTools(rules, situation), ...contentOf(rules, situation)];
      return combined(findings, approval);
    }
    if (phase === 'mid_execution') {
      const findings = [
        ...blockedTools(rules, situation),
        ...exceeded(rules, situation),
        ...contentOf(rules, situation),
      ];
      return combined(findings, approvalDuring(rules, situation, facts));
    }
    const findings = [
      ...exceeded(rules, situation),
      ...contentOf(rules, situation),
      ...withoutApproval(rules, situation, facts),
    ];
    // A run that has ended can no longer be blocked.
    return combined(
      findings.map((finding) => ({ ...finding, action: 'warn' })),
      null,
    );
  },
});

const TERMS: ApprovalTerms = { approvers: [], timeoutMinutes: 30, onTimeout: 'block' };
const SESSION: RequiredApproval = { actionType: 'session-start', what: 'Session start' };

function needsOf(
  { require_human_approval, approval_tools }: Rules,
  situation: Situation,
): RequiredApproval[] {
  const named = toolNamesOf(situation);
  const isStart = situation.phase === 'before_workflow';
  return [
    ...(require_human_approval && isStart ? [SESSION] : []),
    ...approval_tools
      .filter((tool) => named.has(tool))
      .map((tool) => ({ actionType: tool, what: `Tool '${tool}'` })),
  ];
}

const approvalDuring = (rules: Rules, situation: Situation, facts: PolicyFacts) =>
  situation.run &&
  evaluateDuringRun(needsOf(rules, situation), TERMS, facts.approval, situation.run.startedAt);

function withoutApproval(rules: Rules, { run }: Situation, { approval }: PolicyFacts): Finding[] {
  if (!run || !rules.require_human_approval) return [];
  return unapprovedNeeds([SESSION], approval, run.startedAt).map(({ what, actionType }) => ({
    action: 'warn',
    reason: `${what} without approval`,
    metadata: { action_type: actionType },
  }));
}

function blockedTools({ blocked_tools }: Rules, situation: Situation): Finding[] {
  const named = toolNamesOf(situation);
  return blocked_tools
    .filter((tool) => named.has(tool))
    .map((tool) => ({
      action: 'block',
      reason: `Tool '${tool}' is blocked`,
      metadata: { tool },
    }));
}

function exceeded(rules: Rules, { run }: Situation): Finding[] {
  if (!run) return [];
  const counts = [
    { rule: 'max_steps', name: 'Step', current: run.stepCount, limit: rules.max_steps },
    {
      rule: 'max_tool_calls',
      name: 'Tool call',
      current: run.toolCallCount,
      limit: rules.max_tool_calls,
    },
    { rule: 'max_retries', name: 'Retry', current: run.retryCount, limit: rules.max_retries },
  ];
  return counts
    .filter(({ current, limit }) => current > limit)
    .map(({ rule, name, current, limit }) => ({
      action: 'block',
      reason: `${name} limit exceeded (${current}/${limit})`,
      metadata: { rule, current, limit },
    }));
}

/**
 * Returns the findings about content, which are only warnings. The `content` category can block
 * content.
 */
function contentOf({ content_filters, max_output_length }: Rules, situation: Situation): Finding[] {
  const checks = content_filters.flatMap((filter) => checksOf[filter]);
  if (checks.length === 0 && typeof max_output_length !== 'number') return [];
  const violations = scansOf(situation).flatMap((scan): Violation[] => {
    const { target, isInput, clipped } = scan;
    const { characters } = clipped;
    const findings = findingsIn(checks, clipped.texts).map(({ type, matched }) => ({
      type,
      matched,
    }));
    const isLong = !isInput && characters > (max_output_length ?? Infinity);
    return [
      ...findings.map((one) => ({ target, ...one, action: 'warn' as const })),
      ...(isLong
        ? [
            {
              target,
              type: 'length' as const,
              matched: `${characters}/${max_output_length}`,
              action: 'warn' as const,
            },
          ]
        : []),
      ...unscannedViolations(scan, checks.length > 0 ? 'warn' : undefined),
    ];
  });
  return violations.length === 0
    ? []
    : [{ action: 'warn', reason: describeViolations(violations), metadata: { violations } }];
}

const checksOf: Readonly<Record<(typeof filters)[number], readonly Check[]>> = {
  pii: personalDataChecks(['ssn', 'email', 'phone', 'credit_card']),
  credentials: credentialChecks(credentialNames),
  profanity: [detectorCheck('profanity', 'profanity', [profanity])],
};

/**
 * Combines all findings with the pending approval, which is dropped if the result is a block
 * anyway.
 */
function combined(
  findings: readonly Finding[],
  needed: Evaluation<UsedApproval> | null,
): Evaluation<UsedApproval> {
  const approval = findings.some(({ action }) => action === 'block') ? null : needed;
  const all = [...findings, ...(approval && approval.action !== 'allow' ? [approval] : [])];
  if (all.length === 0) return { action: 'allow', reason: 'Within safety bounds', ...approval };
  return {
    ...approval,
    action: all.some(({ action }) => action === 'block') ? 'block' : 'warn',
    reason: all.map(({ reason }) => reason).join('; '),
    metadata: Object.assign({}, ...all.map(({ metadata }) => metadata), {
      findings: findings.map(({ action, reason, metadata }) => ({ action, reason, ...metadata })),
    }) as Record<string, unknown>,
  };
}
