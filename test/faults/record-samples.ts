import { createClient } from '#contract/client.ts';
import { contract } from '#contract/index.ts';

const RUNS = 20;

/** Records one sample of everything that upgrades must preserve. */
export async function recordSamples(baseUrl: string, apiKey: string): Promise<void> {
  const client = createClient(contract, { baseUrl, headers: () => ({ 'X-Svc-Key': apiKey }) });
  for (const category of ['operations', 'rate-limit'] as const)
    await client.policies.createPolicy({ body: { name: category, category } });
  for (let i = 0; i < RUNS; i += 1) {
    const of = { agent_name: `agent ${i % 3}`, session_id: `s${i % 5}`, user_id: `u${i % 7}` };
    const { run_id } = await client.recording.startRun({ body: of });
    const params = { run_id };
    const call = { tokens_in: i, tokens_out: 5, response_preview: `answer ${i}` };
    const calls = Array.from({ length: 10 }, (_, n) => ({
      ...call,
      model: n % 2 ? 'gpt-4o' : 'claude-sonnet-4',
      prompt_preview: `question ${n} `.repeat(20),
    }));
    await client.recording.recordLlmCalls({ params, body: { calls } });
    await client.recording.recordSteps({ params, body: { steps: [{ step_name: 'look' }] } });
    await client.recording.recordSpans({
      params,
      body: { spans: [{ name: 'look', kind: 'tool' }] },
    });
    const score = { name: 'quality', data_type: 'numeric', numeric_value: i } as const;
    await client.recording.recordScores({ params, body: { scores: [score] } });
    await client.recording.completeRun({ params, body: { result: { i } } });
  }
}
