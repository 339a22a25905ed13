/**
 * Compares the same dashboards on a small and on a large history (created by fill.ts), alternating.
 *
 * dashboards.ts SMALL_DIR LARGE_DIR
 */
import { ownerHeaders, startControlPlane } from './support/processes.ts';
import { openHistory } from './support/history.ts';
import { percentile } from './support/load.ts';
import { untilIdle } from './support/measure.ts';
import { writeSection } from './support/report.ts';

const ROUNDS = 500;
const [smallDir = '', largeDir = ''] = process.argv.slice(2);

const pages = {
  'sessions/': 'observability/sessions/',
  'sessions/, by run count, of one agent': 'observability/sessions/?agent=agent-3&sort=-run_count',
  'sessions/{id}/': 'observability/sessions/session-77/',
  'users/': 'observability/users/',
  'users/{id}/': 'observability/users/user-7/',
  'runs/': 'observability/runs/',
  'analytics/models/ of 7 days': 'observability/analytics/models/?period=7d',
  'analytics/models/ of 30 days': 'observability/analytics/models/?period=30d',
  'llm-calls/, with count and totals': 'observability/llm-calls/',
  'llm-calls/models/': 'observability/llm-calls/models/',
  'llm-calls/ of one model, with count and totals':
    'observability/llm-calls/?model=gpt-4o&sort=-created_at',
  'prompts/{id}/metrics/': 'prompts/PROMPT/metrics/',
} as const;

async function open(dir: string) {
  const history = await openHistory(dir);
  const server = await startControlPlane(history.env);
  const headers = { ...(await ownerHeaders(server)), 'content-type': 'application/json' };
  const base = `http://127.0.0.1:${server.port}/api/v1/`;
  const name = `bench-${Date.now()}`;
  const made = await fetch(`${base}prompts/`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ name, content: 'Hello' }),
  });
  const { id } = (await made.json()) as { id: string };
  // A new prompt triggers a single search of the whole history.
  await untilIdle(server);
  const measureRequest = async (path: string): Promise<number> => {
    const began = performance.now();
    const response = await fetch(`${base}${path.replace('PROMPT', id)}`, { headers });
    await response.arrayBuffer();
    if (!response.ok) throw new Error(`${path} answered ${response.status}`);
    return performance.now() - began;
  };
  const count = async (): Promise<number> => {
    const response = await fetch(`${base}observability/llm-calls/?limit=1`, { headers });
    return ((await response.json()) as { count: number }).count;
  };
  const stop = async (): Promise<void> => {
    await server.stop();
    await history.stop();
  };
  return { kind: history.kind, measureRequest, calls: await count(), stop };
}

const [small, large] = [await open(smallDir), await open(largeDir)];
const rows: string[][] = [];
for (const [name, path] of Object.entries(pages)) {
  const times: [number[], number[]] = [[], []];
  for (let round = -20; round < ROUNDS; round += 1)
    for (const [i, { measureRequest }] of [small, large].entries()) {
      const ms = await measureRequest(path);
      if (round >= 0) (times[i] as number[]).push(ms);
    }
  const [a, b] = times.map((one) =>
    percentile(
      one.sort((x, y) => x - y),
      95,
    ),
  ) as [number, number];
  rows.push([name, a.toFixed(1), b.toFixed(1), (b / a).toFixed(2), '≤ 1.5']);
  console.log(rows.at(-1)?.join('  '));
}
await Promise.all([small, large].map(({ stop }) => stop()));
writeSection(
  large.kind === 'sqlite' ? 'dashboards' : 'dashboardsOnPostgres',
  ['page', `p95 ms at ${small.calls} calls`, `p95 ms at ${large.calls} calls`, 'ratio', 'goal'],
  rows,
);
