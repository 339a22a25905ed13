import { array, assert, constantFrom, oneof, property, record } from 'fast-check';
import { expect, test } from 'vitest';
import { decideTool } from '#domain/tool-policies/decide-tool.ts';
import { approval } from '../policies/categories/approval.ts';
import { mcpServerAllowlist } from '../policies/categories/mcp-server-allowlist.ts';
import { toolAllowlist } from '../policies/categories/tool-allowlist.ts';
import type { Category } from '../policies/category.ts';
import { evaluate } from '../policies/evaluate.ts';
import { compileForTools, type Policy } from '../policies/policy-set.ts';
import { NO_FACTS } from '../policies/situation.ts';
import { verdictOf } from '../policies/verdict.ts';
import { situationOfTool, toolVerdictOf } from './tool-check-rules.ts';

const tools = constantFrom('Bash', 'Write', 'search', 'delete', 'mcp:a:x', 'mcp:odd');
const servers = constantFrom('files', 'github', 'http');
const patterns = array(
  oneof(
    tools,
    servers,
    constantFrom('*', 'B*', 'mcp:*', 'mcp:files:*', 'mcp:github:delete', 'gi*'),
  ),
  { maxLength: 3 },
);
const action_on_violation = constantFrom('block', 'warn');
const ofCategory = (category: Category, rules: Parameters<typeof record>[0]) =>
  record({
    category: constantFrom(category),
    rules: record(rules),
    mode: constantFrom('enforce' as const, 'warn' as const),
  });
const policies = array(
  oneof(
    ofCategory(toolAllowlist, {
      allowed_tools: patterns,
      blocked_tools: patterns,
      action_on_violation,
    }),
    ofCategory(mcpServerAllowlist, {
      allowed_servers: patterns,
      blocked_servers: patterns,
      action_on_violation,
    }),
    ofCategory(approval, { require_approval_for: array(tools, { minLength: 1, maxLength: 2 }) }),
  ),
  { maxLength: 4 },
).map((all) =>
  all.map(({ category, rules, mode }, index): Policy => ({
    id: `pol_${index}`,
    name: `Policy ${index}`,
    category,
    rules: category.rules.parse(rules),
    mode,
    scope: {},
    priority: index,
  })),
);
const calls = record({ tool: tools, mcp_server: oneof(servers, constantFrom(null)) });

/** Evaluates a call in the same way as the control plane, if approvals were never requested. */
function decideOnServer(all: readonly Policy[], call: { tool: string; mcp_server: string | null }) {
  const situation = situationOfTool(
    { client: 'claude-code', session: null, user: 'grace', ...call },
    { agent: 'claude-code', deviceId: 'dev', attribution: { user: '', user_group: null }, now: 0 },
  );
  const result = evaluate({
    situation,
    policies: all,
    factsOf: () => NO_FACTS,
    rememberedOf: () => null,
    states: { get: () => undefined, set: () => undefined },
  });
  const outcomes = result.outcomes.map(({ policy, evaluation }) => ({
    policy,
    // The engine does this once it has stored the request.
    evaluation: evaluation.approval
      ? { ...evaluation, metadata: { ...evaluation.metadata, approval_id: 'apr' } }
      : evaluation,
  }));
  return toolVerdictOf(verdictOf({ ...result, outcomes }));
}

test('a device decides like the control plane, or leaves the decision to it', () => {
  assert(
    property(policies, calls, (all, call) => {
      const compiled = all.flatMap((policy) => compileForTools(policy) ?? []);
      const here = decideTool(compiled, call);
      const there = decideOnServer(all, call);
      const enforced = all.filter(({ mode }) => mode === 'enforce');
      const isAsked =
        decideTool(
          enforced.flatMap((one) => compileForTools(one) ?? []),
          call,
        ) === null;
      const left = { decision: isAsked ? 'ask' : 'allow' };
      expect(here ?? left).toEqual(here ? there : { decision: there.decision });
    }),
    { numRuns: 2000 },
  );
});
