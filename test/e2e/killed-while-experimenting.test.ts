import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { createClient } from '#contract/client.ts';
import { contract } from '#contract/index.ts';
import { openStorage } from '#control-plane/storage/open.ts';
import { API_KEY, settingsOn, type TestClient } from '../support/control-plane.ts';
import { databases, newDatabase, type TestDatabase } from '../support/databases.ts';
import { makeDataset, startExperimentOn } from '../support/datasets.ts';
import { type ModelProvider, startModelProvider } from '../support/model-provider.ts';
import { settings } from '../support/playground.ts';
import { built, pollUntil, freePort, type Program, startProgram } from '../support/processes.ts';

describe.each(databases)('killed during an experiment on %s', (kind) => {
  let database: TestDatabase;
  let models: ModelProvider;
  let program: Program | undefined;
  let env: Record<string, string>;
  let api: TestClient;

  beforeAll(async () => {
    [database, models] = await Promise.all([newDatabase(kind), startModelProvider()]);
    const port = await freePort();
    env = { ...settingsOn(database), ...settings(models, 'openai'), PORT: String(port) };
    api = createClient(contract, {
      baseUrl: `http://127.0.0.1:${port}`,
      headers: () => ({ 'X-Svc-Key': API_KEY }),
    });
    await start();
  });
  afterAll(async () => {
    await program?.stop('SIGKILL');
    await models.stop();
    await database.remove();
  });
  afterEach(() => {
    models.requests.length = 0;
    models.pausedRequests.length = 0;
  });

  async function start(): Promise<void> {
    program = startProgram(built.controlPlane, env);
    await program.waitForOutput(/http:\/\/localhost/);
  }

  const answerAll = () => {
    for (const answer of models.pausedRequests.splice(0)) answer();
  };
  const sent = (count: number) =>
    pollUntil(
      () => models.requests.length,
      (length) => length >= count,
    );
  /** Returns how often each text was sent. */
  const timesSent = () => {
    const texts = models.requests.map(({ messages }) =>
      String((messages as { content: unknown }[]).at(-1)?.content),
    );
    return Object.fromEntries(
      [...Map.groupBy(texts, (text) => text)].map(([text, times]) => [text, times.length]),
    );
  };

  test('results are kept, and only items in progress are sent again', async () => {
    const items = Array.from({ length: 6 }, (_, n) => ({ input: { n } }));
    const { params } = await makeDataset(api, items);
    const { get } = await startExperimentOn(api, params, {
      content: 'item {{n}}',
      config: { model: 'held' },
      concurrency: 2,
    });
    await sent(2);
    answerAll();
    await pollUntil(get, ({ completed_count }) => completed_count === 2);
    await sent(4);
    await program?.stop('SIGKILL');
    models.pausedRequests.length = 0;
    await start();
    expect(await get()).toMatchObject({ status: 'running', completed_count: 2, item_count: 6 });
    // The items are sent again once the lease of the killed process has expired.
    await sent(6);
    const ended = await pollUntil(
      () => {
        answerAll();
        return get();
      },
      ({ status }) => status !== 'running',
    );
    expect(ended).toMatchObject({ status: 'completed', completed_count: 6, failed_count: 0 });
    expect(timesSent()).toEqual({
      'item 0': 1,
      'item 1': 1,
      'item 2': 2,
      'item 3': 2,
      'item 4': 1,
      'item 5': 1,
    });
  });

  test('a starting experiment exists with all items or not at all', async () => {
    const { params } = await makeDataset(api);
    const items = Array.from({ length: 1000 }, (_, n) => ({ input: { n } }));
    for (let at = 0; at < 5; at += 1)
      await api.datasets.addDatasetItems({ params, body: { items } });
    const storage = await openStorage({ ...database, onProblem: () => undefined });
    const countIn = async (table: 'experiment_results' | 'pending_deletions') =>
      (
        await storage.reader
          .selectFrom(table)
          .select(({ fn }) => fn.countAll<number>().as('count'))
          .executeTakeFirstOrThrow()
      ).count;
    const before = await countIn('experiment_results');
    const body = { name: 'large', content: '{{n}}', config: { model: 'held' } };
    let refusal: unknown;
    const starting = api.experiments.startExperiment({ params, body }).catch((error: unknown) => {
      refusal = error;
    });
    while ((await countIn('experiment_results')) === before) expect(refusal).toBeUndefined();
    await program?.stop('SIGKILL');
    await starting;
    await start();
    await pollUntil(
      () => countIn('pending_deletions'),
      (count) => count === 0,
    );
    const { results } = await api.experiments.listExperiments({ params, query: {} });
    const copied = (await countIn('experiment_results')) - before;
    expect([results.length, copied, results[0]?.item_count ?? 0]).toEqual(
      results.length === 0 ? [0, 0, 0] : [1, 5000, 5000],
    );
    await storage.close();
  });
});
