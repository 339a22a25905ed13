import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createClient } from '#contract/client.ts';
import { contract } from '#contract/index.ts';
import { API_KEY, OWNER, startOn, type TestClient } from '../support/control-plane.ts';
import { databases, newDatabase, type TestDatabase } from '../support/databases.ts';
import { query } from '../support/postgres.ts';
import { requestOf } from '../otel/spans.ts';

const ROUNDS = 25;
const RUNS = 6;

const call = { model: 'gpt-4o', tokens_in: 10, tokens_out: 1 };

describe.each(databases)('concurrent records for the same runs, on %s', (kind) => {
  let database: TestDatabase;
  let processes: Awaited<ReturnType<typeof startOn>>['controlPlane'][];
  let clients: TestClient[];
  let byOwner: TestClient;
  const client = (at: number) => clients[at % clients.length] as TestClient;

  beforeAll(async () => {
    database = await newDatabase(kind);
    processes = [(await startOn(database)).controlPlane];
    // Two processes, as behind a load balancer; a SQLite database belongs to one.
    if (kind === 'postgres') processes.push((await startOn(database)).controlPlane);
    const clientOf = (at: number, headers: Record<string, string>) =>
      createClient(contract, {
        baseUrl: processes[at]?.urls.public as string,
        headers: () => headers,
      });
    clients = processes.map((_, i) => clientOf(i, { 'X-Svc-Key': API_KEY }));
    const { token } = await clientOf(0, {}).identity.login({ body: OWNER });
    byOwner = clientOf(0, { Authorization: `Bearer ${token}` });
  });
  afterAll(async () => {
    await Promise.all(processes.map((one) => one.close()));
    await database.remove();
  });

  /** Starts runs from traces whose ids are in the reverse order of the run ids. */
  async function startTraces(round: number): Promise<{ trace: string; runId: string }[]> {
    const traces: { trace: string; runId: string }[] = [];
    for (let i = 0; i < RUNS; i += 1) {
      const trace = `${RUNS - i}${String(round).padStart(31, '0')}`;
      const agent = { 'gen_ai.operation.name': 'invoke_agent', 'gen_ai.agent.name': trace };
      const span = { id: 'inner', parent: 'root', attributes: agent };
      await client(0).otel.exportTraces({ body: requestOf([span], { trace }) });
      const { results } = await byOwner.runs.listRuns({ query: { agent: trace } });
      traces.push({ trace, runId: String(results[0]?.id) });
    }
    return traces;
  }

  test('are all stored once, without a deadlock', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const traces = await startTraces(round);
      const ids = traces.map(({ runId }) => runId);
      const chat = { 'gen_ai.operation.name': 'chat', 'gen_ai.request.model': 'gpt-4o' };
      await Promise.all([
        // They arrive at the same moment, so each has a transaction.
        ...[...ids, ...ids.toReversed()].map((run_id, i) =>
          client(i < RUNS ? 0 : 1).recording.recordLlmCalls({
            params: { run_id },
            body: { calls: [call] },
          }),
        ),
        ...ids.map((run_id, i) =>
          client(i).recording.completeRun({ params: { run_id }, body: { status: 'success' } }),
        ),
        client(1).otel.exportTraces({
          body: requestOf(
            traces.map(({ trace }) => ({ trace, id: 'call', parent: 'inner', attributes: chat })),
          ),
        }),
      ]);
      const { results } = await byOwner.runs.listRuns({ query: { limit: RUNS } });
      expect(results.map(({ llm_call_count }) => llm_call_count)).toEqual(
        Array.from({ length: RUNS }, () => 3),
      );
    }
    expect(await deadlocks(database)).toBe(0);
  });
});

async function deadlocks({ databaseUrl }: TestDatabase): Promise<number> {
  if (!databaseUrl) return 0;
  const [row] = await query(
    databaseUrl,
    'select deadlocks::int from pg_stat_database where datname = current_database()',
  );
  return Number(row?.deadlocks);
}
