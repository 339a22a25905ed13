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
import { category, type Situation } from '../category.ts';
import { nanoUsd, usd } from '../lib/spending.ts';
import { toolsOf } from '../lib/mcp-name.ts';

const riskLevels = ['none', 'low', 'medium', 'high', 'critical'] as const;
const name = z.string().min(1).max(200);

const rules = z.strictObject({
  /** Names of workflows, actions or tools, or `session-start` for every start. */
  require_approval_for: z.array(name).max(100).default(['deploy', 'delete', 'payment']),
  cost_threshold: z.number().min(0).max(1e9).default(100),
  approvers: z.array(z.string().min(1).max(320)).max(100).default([]),
  timeout_minutes: z.int().min(1).max(10_080).default(30),
  action_on_timeout: z.enum(['block', 'warn']).default('block'),
  auto_approve_below_risk: z.enum(riskLevels).default('low'),
});
type Rules = z.output<typeof rules>;

const SESSION_START = 'session-start';
const COST = 'cost-threshold';

/** Requires human approval for what agents must not do on their own. */
export const approval = category<Rules, UsedApproval>({
  name: 'approval',
  summary: 'Blocks what needs human approval until it is approved',
  rules,
  phases: ['before_workflow', 'mid_execution', 'after_workflow', 'on_failure'],
  compileForToolCalls: ({ id, name }, { require_approval_for }) => ({
    decides: 'control-plane',
    id,
    name,
    tools: require_approval_for.includes(SESSION_START) ? null : require_approval_for,
  }),
  reads: ['approval'],
  stateOf: requesterKey,
  evaluate({ rules, situation, facts, state }) {
    const { phase, run } = situation;
    const terms = termsOf(rules);
    if (phase === 'before_workflow') {
      const needs = needsOfStart(rules, situation);
      if (needs.length > 0) return evaluateBeforeStart(needs, terms, facts.approval, state);
      return { action: 'allow', reason: 'No approval required' };
    }
    if (!run) return null;
    if (phase === 'mid_execution')
      return evaluateDuringRun(needsOfRun(rules, situation), terms, facts.approval, run.startedAt);
    const needs = [...needsOfName(rules, situation), ...needsOfRun(rules, situation)];
    const open = unapprovedNeeds(needs, facts.approval, run.startedAt);
    if (open.length === 0) return null;
    return {
      action: 'warn',
      reason: `${open.map(({ what }) => what).join(', ')} ran without approval`,
      metadata: {
        approvers: rules.approvers,
        timeout: rules.timeout_minutes,
        action_type: open.map(({ actionType }) => actionType).join(', '),
      },
    };
  },
});

const termsOf = (rules: Rules): ApprovalTerms => ({
  approvers: rules.approvers,
  timeoutMinutes: rules.timeout_minutes,
  onTimeout: rules.action_on_timeout,
});

const needsOfStart = (rules: Rules, situation: Situation): RequiredApproval[] =>
  distinct([
    ...needsOfName(rules, situation),
    ...needsOfAction(rules, situation),
    ...needsOfTools(rules, situation),
    ...needsOfCost(rules, situation.intent.estimatedCost ?? 0),
  ]);

const needsOfRun = (rules: Rules, situation: Situation): RequiredApproval[] =>
  distinct([
    ...needsOfAction(rules, situation),
    ...needsOfTools(rules, situation),
    ...needsOfCost(rules, situation.run?.cost ?? 0),
  ]);

function needsOfName({ require_approval_for }: Rules, { workflow }: Situation): RequiredApproval[] {
  return require_approval_for
    .filter((named) => named === SESSION_START || named === workflow)
    .map((named) => ({
      actionType: named,
      what: named === workflow ? `Workflow '${workflow}'` : 'Session start',
    }));
}

/** Returns the approvals that an action needs. An action of unknown risk level needs one. */
function needsOfAction(
  rules: Rules,
  { intent: { actionType, riskLevel } }: Situation,
): RequiredApproval[] {
  if (actionType === null || !rules.require_approval_for.includes(actionType)) return [];
  const least = riskLevels.indexOf(rules.auto_approve_below_risk);
  if (riskLevel !== null && riskLevels.indexOf(riskLevel) < least) return [];
  return [{ actionType, what: `Action '${actionType}'` }];
}

const needsOfTools = (rules: Rules, situation: Situation): RequiredApproval[] =>
  toolsOf(situation)
    .flatMap(({ tool }) => tool ?? [])
    .filter((tool) => rules.require_approval_for.includes(tool))
    .map((tool) => ({ actionType: tool, what: `Tool '${tool}'` }));

const needsOfCost = ({ cost_threshold }: Rules, cost: number): RequiredApproval[] =>
  nanoUsd(cost) > nanoUsd(cost_threshold)
    ? [{ actionType: COST, what: `Cost of ${usd(cost)} (threshold ${usd(cost_threshold)})` }]
    : [];

/** Removes duplicates: a workflow, an action and a tool with the same name need one approval. */
const distinct = (needs: readonly RequiredApproval[]): RequiredApproval[] =>
  [...new Map(needs.toReversed().map((need) => [need.actionType, need])).values()].reverse();
