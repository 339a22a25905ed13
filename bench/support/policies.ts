import { byKey, KEY, type Server } from './processes.ts';
import { postRequest } from './load.ts';

/** One policy of each category, with rules that every check of this bench passes. */
const KINDS = [
  { category: 'operations', rules: {} },
  { category: 'rate-limit', rules: { max_per_minute: 1_000_000, max_concurrent: 1000 } },
  { category: 'llm', rules: { allowed_models: ['gpt-4o'], blocked_models: ['gpt-4'] } },
  { category: 'budget', rules: { daily_cost_limit: 1_000_000 } },
  { category: 'scheduling', rules: { timezone: 'Europe/Berlin', blackout_dates: ['2020-01-01'] } },
  { category: 'content', rules: { pii_detection: { enabled: true } } },
  { category: 'tool-allowlist', rules: { allowed_tools: ['search*'], blocked_tools: ['shell'] } },
  { category: 'kill', rules: {} },
  { category: 'mcp-server-allowlist', rules: { allowed_servers: ['github', 'files'] } },
  { category: 'safety', rules: { blocked_tools: ['shell'] } },
] as const;

const AGENT = 'bench';
const PAIRS = 500;

/**
 * Creates enabled policies, alternating between all categories. The first `matching` policies apply
 * to the bench's agent.
 */
export async function createPolicies(server: Server, count: number, matching: number) {
  const { policies } = byKey(server);
  for (let i = 0; i < count; i += 1) {
    const { category, rules } = KINDS[i % KINDS.length] as (typeof KINDS)[number];
    const agents = [i < matching ? AGENT : `another-${i}`];
    await policies.createPolicy({
      body: { name: `policy ${i}`, category, rules, scope: { agents } },
    });
  }
}

/** @throws Error if a policy objects, because only admitted checks are measured */
export async function expectAdmitted(server: Server): Promise<void> {
  const { action, reason } = await byKey(server).evaluations.checkPolicy({ body: checkOf(0) });
  if (action !== 'allow') throw new Error(`a policy check returned ${action}: ${reason}`);
}

const checkOf = (i: number) => ({
  agent_name: AGENT,
  workflow_name: `workflow-${i}`,
  user_id: `user-${i % 7}`,
  models: ['gpt-4o-mini'],
  tools: ['search_orders'],
  mcp_servers: ['github'],
  inputs: { question: 'Where is my order 4711, and when will it arrive?' },
});

/** Requests for checks of many workflows, because the slots of a workflow are never released. */
export const checkRequests = (): Buffer[] =>
  Array.from({ length: PAIRS }, (_, i) =>
    postRequest('/api/v1/observe/policy-check/', KEY, checkOf(i)),
  );
