import type { TestControlPlane } from '../support/control-plane.ts';

type Service = Pick<TestControlPlane, 'byOwner'>;

/** Finds the run of a trace. */
export async function runOfTrace({ byOwner }: Service, trace: string, agents: readonly string[]) {
  for (const agent of agents) {
    const { results } = await byOwner.runs.listRuns({ query: { agent, limit: 100 } });
    const found = results.find(({ trace_id }) => trace_id === trace);
    if (found) return byOwner.runs.getRun({ params: { id: String(found.id) } });
  }
  return undefined;
}

/** Returns all that is stored of a trace and counted for its agents, without generated ids. */
export async function storedOf(service: Service, trace: string, label: string, agents: string[]) {
  const { byOwner } = service;
  const run = await runOfTrace(service, trace, agents);
  const spans = [];
  for (const span of run?.spans ?? [])
    spans.push(
      await byOwner.runs.getSpan({ params: { id: String(run?.id), span_id: String(span.id) } }),
    );
  const models = [];
  for (const agent of agents)
    models.push(await byOwner.analytics.getModelAnalytics({ query: { agent, period: '30d' } }));
  return withoutIds({
    run: run && { ...run, spans: sorted(spans), scores: sorted(await scoresOf(service, run)) },
    calls: sorted(run?.llm_calls ?? []),
    sessions: (await byOwner.analytics.listSessions({ query: { search: label } })).results,
    users: (await byOwner.analytics.listTrackedUsers({ query: { search: label } })).results,
    models: models.map(({ aggregates, model_totals }) => ({ aggregates, model_totals })),
  });
}

type Run = NonNullable<Awaited<ReturnType<typeof runOfTrace>>>;

/** Returns the scores of a run, each with its call instead of the id of the call. */
async function scoresOf({ byOwner }: Service, { id: run_id, llm_calls }: Run) {
  const { results } = await byOwner.scores.listScores({ query: { run_id, limit: 100 } });
  return results.map(({ llm_call_id, ...score }) => ({
    ...score,
    call: llm_call_id && (llm_calls.find(({ id }) => String(id) === llm_call_id) ?? 'gone'),
  }));
}

const made = new Set(['id', 'run_id', 'trace_id', 'workflow_id', 'llm_calls']);

/** Rounds costs, whose last digits depend on the order of the sum. */
const withoutIds = (value: unknown): unknown =>
  JSON.parse(
    JSON.stringify(value, (key, inner: unknown) => {
      if (made.has(key)) return undefined;
      return typeof inner === 'number' ? Number(inner.toFixed(9)) : inner;
    }),
  );

const sorted = <T extends object>(rows: readonly T[]): T[] =>
  rows
    .map((row) => ({ row, text: JSON.stringify(withoutIds(row)) }))
    .sort((a, b) => (a.text < b.text ? -1 : 1))
    .map(({ row }) => row);
