import type { TestClient } from './control-plane.ts';

const HOUR_MS = 3_600_000;

const models = [
  { model: 'claude-sonnet-4-5', provider: 'anthropic', tokens: 5200 },
  { model: 'gpt-4o', provider: 'openai', tokens: 3100 },
  { model: 'gemini-2.5-pro', provider: 'google', tokens: 6400 },
  { model: 'gpt-4o-mini', provider: 'openai', tokens: 9800 },
  { model: 'claude-haiku-4-5', provider: 'anthropic', tokens: 4300 },
  { model: 'acme/summarizer', provider: 'acme', tokens: 2100 },
] as const;

const agents = [
  { agent_name: 'support', workflow_name: 'triage' },
  { agent_name: 'research', workflow_name: 'weekly-report' },
  { agent_name: 'sales', workflow_name: 'outreach' },
] as const;

const users = ['ada', 'grace', 'alan', 'edsger', 'barbara', 'ken', 'radia'] as const;

const talk = [
  ['Why was I charged twice this month?', 'The first charge is for June, the second for July.'],
  ['Can you refund one of them?', 'Billing looks at it; you will hear from them in two days.'],
  ['Where do I find my invoices?', 'Under Account, Billing, Invoices. Each can be downloaded.'],
] as const;

/** Records the runs of a company in the last seven days; each call records the same. */
export async function recordWeek({ recording }: TestClient, now: number): Promise<void> {
  for (let session = 0; session < 24; session++) {
    const begins = now - (2 + session * 6.7) * HOUR_MS;
    const names = agents[Math.floor(session / 2) % agents.length]!;
    for (const [at, [question, answer]] of talk.slice(0, 1 + (session % 3)).entries()) {
      const started = begins + at * 240_000;
      const { run_id } = await recording.startRun({
        body: {
          ...names,
          session_id: `chat-${1024 - session}`,
          user_id: `${users[(session * 5) % users.length]!}@example.com`,
          started_at: isoTime(started),
          inputs: { question },
        },
      });
      const params = { run_id };
      const calls = callsOf(session + at, started, question, answer);
      await recording.recordLlmCalls({ params, body: { calls } });
      const completed_at = isoTime(started + calls.length * 4000);
      await recording.completeRun({ params, body: { result: { answer }, completed_at } });
    }
  }
}

function callsOf(seed: number, started: number, question: string, answer: string) {
  return Array.from({ length: 2 + (seed % 3) }, (_, at) => {
    const { model, provider, tokens } = models[(seed * 7 + at * 2) % models.length]!;
    const tokens_in = tokens + ((seed * 977 + at * 331) % 3000);
    return {
      model,
      provider,
      task: at === 0 ? 'classify' : 'answer',
      tokens_in,
      tokens_out: 120 + ((seed * 613 + at * 97) % 900),
      ...(seed % 2 === 0 && { cache_read_tokens: Math.round(tokens_in * 0.6) }),
      duration_ms: 700 + ((seed * 389 + at * 1201) % 5000),
      created_at: isoTime(started + (at + 1) * 3000),
      prompt_preview: question,
      response_preview: answer,
    };
  });
}

const isoTime = (ms: number): string => new Date(ms).toISOString();
