import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { databases } from '../support/databases.ts';
import { startTwoTenants, type TwoTenants } from '../support/two-tenants.ts';

const MEGABYTE = 1_000_000;
const long = { text: '😀'.repeat(MEGABYTE / 4) };
// Together with the surrounding JSON 10,000 bytes, the maximum that a list shows.
const short = { text: 'x'.repeat(10_000 - '{"text":""}'.length) };
const comment = 'é'.repeat(MEGABYTE);

describe.each(databases)('long values, on %s', (kind) => {
  let service: TwoTenants;
  beforeAll(async () => {
    service = await startTwoTenants(kind);
  });
  afterAll(() => service.stop());

  const start = async () =>
    (await service.one.byKey.recording.startRun({ body: { agent_name: 'a' } })).run_id;

  /** The size of a response as JSON. */
  const sizeOf = (answer: unknown): number => JSON.stringify(answer).length;

  test('outputs of steps are omitted from lists and available individually', async () => {
    const run_id = await start();
    const outputs = [long, short, null, ...Array.from({ length: 5 }, () => long)];
    for (const output of outputs)
      await service.one.byKey.recording.recordSteps({
        params: { run_id },
        body: { steps: [{ step_name: 's', output }] },
      });
    const { runs } = service.one.byOwner;
    const run = await runs.getRun({ params: { id: run_id } });
    const list = await runs.listRunSteps({ params: { id: run_id }, query: {} });
    expect(run.steps).toEqual(list.results);
    expect(sizeOf(run)).toBeLessThan(20_000);
    expect(list.results.slice(0, 4).map(({ output, truncated }) => [output, truncated])).toEqual([
      [null, true],
      [short, false],
      [null, false],
      [null, true],
    ]);
    const whole = await Promise.all(
      list.results.map(({ id }) =>
        runs.getStep({ params: { id: run_id, step_id: String(id) } }).then((step) => step.output),
      ),
    );
    expect(whole).toEqual(outputs);
    await expect(
      runs.getStep({
        params: { id: await start(), step_id: String(list.results[0]?.id) },
      }),
    ).rejects.toMatchObject({ status: 404, message: expect.stringContaining('no step') as string });
  });

  test('bodies of events are omitted from the list and available individually', async () => {
    const { byKey, byOwner } = service.one;
    const sent = [{ agent_name: 'long', ...long }, { agent_name: 'long' }];
    for (const event of sent) await byKey.events.recordEvents({ body: { events: [event] } });
    const list = await byOwner.events.listEvents({ query: { agent: 'long' } });
    expect(sizeOf(list)).toBeLessThan(2000);
    expect(list.results.map(({ body, truncated }) => [body, truncated])).toEqual([
      [sent[1], false],
      [null, true],
    ]);
    const params = { event_id: String(list.results[1]?.id) };
    const { truncated: _, ...known } = list.results[1] ?? {};
    expect(await byOwner.events.getEvent({ params })).toEqual({ ...known, body: sent[0] });
    // Omitted values are still searched.
    expect((await byOwner.events.listEvents({ query: { search: '😀😀' } })).count).toBe(1);
    await expect(byOwner.events.getEvent({ params: { event_id: '999999' } })).rejects.toMatchObject(
      { status: 404 },
    );
  });

  test('comments and metadata of scores are truncated in lists and available individually', async () => {
    const run_id = await start();
    const { byKey, byOwner } = service.one;
    await byKey.recording.recordScores({
      params: { run_id },
      body: { scores: [{ name: 'long', numeric_value: 1, comment }] },
    });
    const manual = { name: 'long', run_id: Number(run_id), value: 2 };
    await byOwner.scores.createScore({ body: { ...manual, comment: 'short', metadata: long } });
    await byOwner.scores.createScore({ body: { ...manual, comment: 'short', metadata: short } });
    const query = { name: 'long', sort: 'created_at' } as const;
    const ofRun = await byOwner.runs.listRunScores({ params: { id: run_id }, query: {} });
    expect(ofRun.results.map((score) => [score.comment, score.truncated])).toEqual([
      ['é'.repeat(200), true],
      ['short', false],
      ['short', false],
    ]);
    for (const filter of [query, { ...query, run_id }]) {
      const list = await byOwner.scores.listScores({ query: filter });
      expect(sizeOf(list)).toBeLessThan(15_000);
      expect(list.results.map((score) => [score.comment, score.metadata, score.truncated])).toEqual(
        [
          ['é'.repeat(200), {}, true],
          ['short', {}, true],
          ['short', short, false],
        ],
      );
      const [first, second] = await Promise.all(
        list.results.map(({ id }) => byOwner.scores.getScore({ params: { score_id: id } })),
      );
      expect([first?.comment === comment, second?.metadata]).toEqual([true, long]);
      const { truncated: _, ...known } = list.results[0] ?? {};
      expect({ ...first, comment: '' }).toEqual({ ...known, comment: '' });
    }
    await expect(
      byOwner.scores.getScore({ params: { score_id: 'scr_none' } }),
    ).rejects.toMatchObject({ status: 404 });
  });
});
