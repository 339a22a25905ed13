import type { TestClient } from './control-plane.ts';

/** Creates policies, and agents that violate them. */
export async function recordIncidents(
  { policies, evaluations, recording }: TestClient,
  now: number,
): Promise<void> {
  for (const [name, category, rules, agents] of [
    ['Steady pace', 'rate-limit', { max_per_minute: 3, burst_limit: 5 }, ['support']],
    ['Answer in time', 'operations', { timeout_seconds: 60 }, []],
    ['Thirty dollars a day', 'budget', { daily_cost_limit: 30 }, ['research']],
    ['No keys in prompts', 'content', { credential_detection: { enabled: true } }, []],
    ['Deployments need approval', 'approval', { require_approval_for: ['deploy'] }, ['release']],
  ] as const)
    await policies.createPolicy({
      body: { name, category, rules, scope: { agents: [...agents] } },
    });
  for (let i = 0; i < 5; i += 1)
    await evaluations.checkPolicy({ body: { agent_name: 'support', workflow_name: 'triage' } });
  await evaluations.checkPolicy({
    body: { agent_name: 'writer', inputs: { note: 'password=correct-horse-battery-staple' } },
  });
  await evaluations.checkPolicy({ body: { agent_name: 'release', action_type: 'deploy' } });
  const { run_id } = await recording.startRun({
    body: { agent_name: 'research', started_at: new Date(now - 95_000).toISOString() },
  });
  await recording.completeRun({ params: { run_id }, body: {} });
}
