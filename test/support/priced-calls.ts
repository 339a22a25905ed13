import type { TestControlPlane } from './control-plane.ts';

export type Client = TestControlPlane['byKey'];
export type Call = Parameters<Client['recording']['recordLlmCalls']>[0]['body']['calls'][number];

/** Records calls on a new run; returns the id of the run. */
export async function record(client: Client, calls: Call[], session = 's'): Promise<number> {
  const { run_id } = await client.recording.startRun({
    body: { agent_name: 'a', session_id: session, user_id: 'u' },
  });
  await client.recording.recordLlmCalls({ params: { run_id }, body: { calls } });
  return Number(run_id);
}

export const gpt4o = {
  model_id: 'gpt-4o',
  provider: 'openai',
  input_cost_per_million: 2.5,
  output_cost_per_million: 10,
  cache_read_cost_per_million: 1.25,
  cache_write_cost_per_million: 2.5,
  currency: 'USD',
  is_override: false,
  source: 'table',
  updated_at: null,
};
