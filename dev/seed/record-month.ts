import type { Client } from '#contract/client.ts';
import type { contract } from '#contract/index.ts';
import { HOUR_MS } from '#lib/time-units.ts';
import { pseudoRandom } from './pseudo-random.ts';

export type SeededClient = Client<typeof contract>;

const DAYS = 30;
/** Requests under way at once. */
const AT_ONCE = 8;

interface SampleAgent {
  agent_name: string;
  workflow_name: string;
  /** Runs on a working day. */
  daily: number;
  models: readonly (readonly [model: string, provider: string])[];
  tools: readonly string[];
  conversations: readonly (readonly [question: string, answer: string])[];
  failure: string;
}

const agents: readonly SampleAgent[] = [
  {
    agent_name: 'support',
    workflow_name: 'chat',
    daily: 4,
    models: [
      ['claude-haiku-4-5', 'anthropic'],
      ['claude-sonnet-4-5', 'anthropic'],
    ],
    tools: ['search_tickets', 'read_invoice', 'refund'],
    conversations: [
      ['Why was I charged twice this month?', 'The first charge is for June, the second for July.'],
      ['Can you refund one of them?', 'Billing looks at it; you will hear from them in two days.'],
      ['Where do I find my invoices?', 'Under Account, Billing, Invoices.'],
    ],
    failure: 'refund: the payment provider answered 503',
  },
  {
    agent_name: 'research',
    workflow_name: 'weekly-report',
    daily: 2,
    models: [
      ['gemini-2.5-pro', 'google'],
      ['gpt-4o', 'openai'],
    ],
    tools: ['web_search', 'read_page', 'write_report'],
    conversations: [
      ['Compare the three largest competitors.', 'All three raised prices by about six percent.'],
      ['What changed since last week?', 'One of them has opened an office in Lisbon.'],
    ],
    failure: 'web_search: the quota of the search API is used up',
  },
  {
    agent_name: 'code-review',
    workflow_name: 'pull-request',
    daily: 3,
    models: [
      ['claude-sonnet-4-5', 'anthropic'],
      ['gpt-4o-mini', 'openai'],
    ],
    tools: ['read_diff', 'run_tests', 'comment'],
    conversations: [
      ['Review pull request 418.', 'One query runs in a loop; the rest is fine.'],
      ['Is the retry safe to run twice?', 'Yes: the batch id makes the second one do nothing.'],
    ],
    failure: 'run_tests: timed out after 300 s',
  },
  {
    agent_name: 'sales',
    workflow_name: 'outreach',
    daily: 1,
    models: [['gpt-4o-mini', 'openai']],
    tools: ['find_contact', 'draft_mail'],
    conversations: [['Write to the leads from the fair.', 'Eleven drafts are ready for approval.']],
    failure: 'find_contact: the CRM refused the token',
  },
];

const userIds = ['ada', 'grace', 'alan', 'edsger', 'barbara', 'ken', 'radia', 'leslie'] as const;

/** Records a month of runs of four agents; returns how many. */
export async function recordMonth(client: SeededClient, now: number): Promise<number> {
  const runs = agents.flatMap((agent, kind) =>
    Array.from({ length: DAYS }, (_, day) =>
      Array.from({ length: runsOn(agent, day, now) }, (_, nth) => ({
        agent,
        seed: kind * 100_003 + day * 101 + nth,
        started:
          now -
          day * 24 * HOUR_MS -
          HOUR_MS -
          pseudoRandom(day * 31 + nth * 7 + kind, 20) * HOUR_MS,
      })),
    ).flat(),
  );
  const waiting = runs.values();
  const work = async (): Promise<void> => {
    for (const run of waiting) await recordRun(client, run);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return runs.length;
}

/** Less on weekends, and more from week to week. */
function runsOn({ daily }: SampleAgent, day: number, now: number): number {
  const weekday = new Date(now - day * 24 * HOUR_MS).getUTCDay();
  const growth = 1 + (DAYS - day) / DAYS;
  return Math.ceil(daily * growth * (weekday === 0 || weekday === 6 ? 0.3 : 1));
}

interface SampleRun {
  agent: SampleAgent;
  seed: number;
  started: number;
}

async function recordRun({ recording }: SeededClient, { agent, seed, started }: SampleRun) {
  const { agent_name, workflow_name, conversations, failure } = agent;
  const [question, answer] = conversations[seed % conversations.length]!;
  const user = userIds[pseudoRandom(seed, userIds.length)]!;
  const { run_id } = await recording.startRun({
    body: {
      agent_name,
      workflow_name,
      session_id: `${agent_name}-${Math.floor(seed / 3)}`,
      user_id: `${user}@example.com`,
      tags: [pseudoRandom(seed, 5) === 0 ? 'staging' : 'production'],
      inputs: { question },
      started_at: isoTime(started),
    },
  });
  const params = { run_id };
  const fails = pseudoRandom(seed, 17) === 0;
  const { records, end } = recordsOf(agent, { seed, started, question, answer, fails });
  await recording.recordLlmCalls({ params, body: { calls: records.calls } });
  await recording.recordSpans({ params, body: { spans: records.spans } });
  await recording.recordSteps({ params, body: { steps: [{ step_name: 'answered' }] } });
  if (pseudoRandom(seed, 3) === 0)
    await recording.recordScores({
      params,
      body: {
        scores: [
          { name: 'helpful', numeric_value: fails ? 0.2 : 0.6 + pseudoRandom(seed, 40) / 100 },
        ],
      },
    });
  await recording.completeRun({
    params,
    body: {
      completed_at: isoTime(end),
      ...(fails ? { status: 'error', error: failure } : { result: { answer } }),
    },
  });
}

interface RunScript {
  seed: number;
  started: number;
  question: string;
  answer: string;
  fails: boolean;
}

/** LLM calls with a tool call after each but the last. */
function recordsOf(agent: SampleAgent, { seed, started, question, answer, fails }: RunScript) {
  const turns = 2 + (seed % 3);
  const calls = [];
  const spans = [];
  let at = started;
  for (let turn = 0; turn < turns; turn += 1) {
    const [model, provider] = agent.models[(seed + turn) % agent.models.length]!;
    const duration_ms = 500 + pseudoRandom(seed * 13 + turn, 6500);
    const tokens_in = 900 + pseudoRandom(seed * 5 + turn * 3, 7000);
    const last = turn === turns - 1;
    calls.push({
      model,
      provider,
      task: last ? 'answer' : 'plan',
      tokens_in,
      tokens_out: 60 + pseudoRandom(seed * 3 + turn, 900),
      cache_read_tokens: turn === 0 ? 0 : Math.round(tokens_in * 0.6),
      duration_ms,
      started_at: isoTime(at),
      created_at: isoTime(at + duration_ms),
      prompt_preview: question,
      response_preview: last ? answer : 'I need one more fact.',
    });
    at += duration_ms;
    if (last) break;
    const tool = agent.tools[(seed + turn) % agent.tools.length]!;
    const tool_ms = 40 + pseudoRandom(seed + turn * 11, 2400);
    spans.push({
      name: tool,
      kind: 'tool' as const,
      status: fails && turn === turns - 2 ? ('error' as const) : ('ok' as const),
      position: turn,
      started_at: isoTime(at),
      duration_ms: tool_ms,
      input_data: { query: question },
      output_data: { found: pseudoRandom(seed, 9) },
    });
    at += tool_ms;
  }
  return { records: { calls, spans }, end: at };
}

const isoTime = (ms: number): string => new Date(ms).toISOString();
