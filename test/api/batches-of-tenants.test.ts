import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { TestClient } from '../support/control-plane.ts';
import { databases } from '../support/databases.ts';
import { startTwoTenants, type TwoTenants } from '../support/two-tenants.ts';

describe.each(databases)('batch ids that two tenants both use on %s', (kind) => {
  let tenants: TwoTenants;
  beforeAll(async () => {
    tenants = await startTwoTenants(kind);
  });
  afterAll(() => tenants.stop());

  interface Ids {
    start: string;
    calls: string;
    events: string;
    end: string;
  }
  const newIds = (): Ids => ({
    start: crypto.randomUUID(),
    calls: crypto.randomUUID(),
    events: crypto.randomUUID(),
    end: crypto.randomUUID(),
  });

  /** Records a run with these ids; returns it as its tenant sees it. */
  async function record(byKey: TestClient, byOwner: TestClient, name: string, ids: Ids) {
    const { recording, events } = byKey;
    const { run_id } = await recording.startRun({
      body: { agent_name: name, batch_id: ids.start },
    });
    const calls = [{ model: `of ${name}`, tokens_in: 3, tokens_out: 4 }];
    const params = { run_id };
    await recording.recordLlmCalls({ params, body: { batch_id: ids.calls, calls } });
    const event = { event_type: name, run_id };
    await events.recordEvents({ body: { batch_id: ids.events, events: [event] } });
    await recording.completeRun({ params, body: { batch_id: ids.end } });
    const run = await byOwner.runs.getRun({ params: { id: run_id } });
    const listed = await byOwner.events.listEvents({ query: { event_type: name } });
    return {
      run_id,
      seen: [
        run.agent_name,
        run.status,
        run.llm_calls.map(({ model }) => model),
        listed.results.map((one) => one.run_id),
      ],
    };
  }

  const expected = (name: string, run_id: string) => [
    name,
    'success',
    [`of ${name}`],
    [Number(run_id)],
  ];

  test('identify one batch of each tenant, in sequence', async () => {
    const ids = newIds();
    const first = await record(tenants.one.byKey, tenants.one.byOwner, 'first', ids);
    const second = await record(tenants.other.byKey, tenants.other.byOwner, 'second', ids);
    expect(second.run_id).not.toBe(first.run_id);
    expect(first.seen).toEqual(expected('first', first.run_id));
    expect(second.seen).toEqual(expected('second', second.run_id));
  });

  test('identify one batch of each tenant in a single transaction, and again when repeated', async () => {
    const batch_id = crypto.randomUUID();
    const startAll = () =>
      Promise.all(
        [tenants.one, tenants.other].map(({ byKey }) =>
          byKey.recording.startRun({ body: { agent_name: 'at once', batch_id } }),
        ),
      );
    const started = await startAll();
    expect(new Set(started.map(({ run_id }) => run_id)).size).toBe(2);
    expect(await startAll()).toEqual(started);
  });
});
