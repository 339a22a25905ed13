import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { createClient } from '#contract/client.ts';
import { contract } from '#contract/index.ts';
import type { Role } from '#contract/route.ts';
import { listAllPages } from '../support/activity.ts';
import type { TestClient } from '../support/control-plane.ts';
import { databases } from '../support/databases.ts';
import { pollUntil } from '../support/processes.ts';
import { startTwoTenants, type TwoTenants } from '../support/two-tenants.ts';

const PASSWORD = 'a long enough pass phrase';
const HALF_HOUR = 30 * 60_000;
const DAY = 24 * 3_600_000;

const quality = { name: 'quality', data_type: 'numeric', min: 1, max: 5 } as const;
const tone = {
  name: 'tone',
  data_type: 'categorical' as const,
  values: ['warm', 'cold'],
  required: false,
};
const polite = { name: 'polite', data_type: 'boolean', required: false } as const;

describe.each(databases)('annotation queues on %s', (kind) => {
  let service: TwoTenants;
  const people: Record<string, TestClient> = {};
  let made = 0;

  beforeAll(async () => {
    service = await startTwoTenants(kind);
    const join = async (name: string, role: Role) => {
      const user = { email: `${name}@example.test`, password: PASSWORD };
      await service.one.byOwner.identity.createUser({
        body: { ...user, role, must_change_password: false },
      });
      const by = (headers: Record<string, string>) =>
        createClient(contract, { baseUrl: service.urls.public, headers: () => headers });
      const { token } = await by({}).identity.login({ body: user });
      people[name] = by({ Authorization: `Bearer ${token}` });
    };
    await join('viewer', 'viewer');
    await join('ada', 'analyst');
    await join('ben', 'analyst');
    await join('admin', 'admin');
  });
  afterEach(() => service.setTime(undefined));
  afterAll(() => service.stop());

  const by = (name: string) => (people[name] as TestClient).annotationQueues;
  const owner = () => service.one.byOwner;

  const startRuns = async (count: number, agent_name = 'support'): Promise<number[]> => {
    const ids: number[] = [];
    for (let i = 0; i < count; i += 1)
      ids.push(
        Number((await service.one.byKey.recording.startRun({ body: { agent_name } })).run_id),
      );
    return ids;
  };

  /** Creates a queue with new runs. */
  const makeQueue = async (runs: number, scores: object[] = [quality, tone, polite]) => {
    const { id } = await by('admin').createAnnotationQueue({
      body: { name: `queue ${(made += 1)}`, scores: scores as [typeof quality] },
    });
    const params = { queue_id: id };
    const run_ids = await startRuns(runs);
    if (runs > 0) await by('ada').addAnnotationItems({ params, body: { run_ids } });
    return {
      params,
      run_ids,
      of: (run: number | undefined) => ({ ...params, run_id: String(run) }),
    };
  };

  const good = [{ name: 'quality', value: 4 }];
  const refused = (status: number, reason: string) => expect.objectContaining({ status, reason });

  test('a queue is created, listed by name, changed and deleted', async () => {
    const body = { name: ' Zed ', description: 'd', instructions: '# Read', scores: [quality] };
    const created = await by('admin').createAnnotationQueue({ body });
    const scores = [{ ...quality, description: '', required: true }];
    const progress = { pending: 0, completed: 0, skipped: 0 };
    expect(created).toMatchObject({ ...body, name: 'Zed', scores, progress });
    await by('admin').createAnnotationQueue({ body: { ...body, name: 'Alpha' } });
    const list = (paging: object) => by('viewer').listAnnotationQueues({ query: paging });
    const names = (await listAllPages(list, 1)).map(({ name }) => name);
    expect(names).toEqual(['Alpha', 'Zed']);
    const params = { queue_id: created.id };
    const changed = await by('admin').updateAnnotationQueue({
      params,
      body: { name: 'Zeta', scores: [tone] },
    });
    expect(changed).toMatchObject({ name: 'Zeta', description: 'd', scores: [tone] });
    expect(await by('viewer').getAnnotationQueue({ params })).toEqual(changed);
    await expect(
      by('admin').updateAnnotationQueue({ params, body: { name: 'Alpha' } }),
    ).rejects.toEqual(refused(409, 'already_exists'));
    await by('admin').deleteAnnotationQueue({ params });
    await expect(by('viewer').getAnnotationQueue({ params })).rejects.toEqual(
      refused(404, 'not_found'),
    );
  });

  test.each<[string, object[]]>([
    ['no score', []],
    ['a name twice', [quality, { ...tone, name: 'quality' }]],
    ['min above max', [{ ...quality, min: 6 }]],
    ['a category twice', [{ ...tone, values: ['a', 'a'] }]],
    ['a category without values', [{ ...tone, values: [] }]],
  ])('a queue with %s is rejected', async (_what, scores) => {
    await expect(
      by('admin').createAnnotationQueue({ body: { name: 'wrong', scores: scores as never } }),
    ).rejects.toEqual(refused(400, 'validation_error'));
  });

  test('a run is in a queue at most once, and runs of other tenants are reported as not found', async () => {
    const { params, run_ids } = await makeQueue(2);
    const { run_id } = await service.other.byKey.recording.startRun({ body: { agent_name: 'x' } });
    const foreign = Number(run_id);
    const [next] = await startRuns(1);
    const body = { run_ids: [...run_ids, next as number, next as number, foreign] };
    const added = await service.one.byKey.annotationQueues.addAnnotationItems({ params, body });
    expect(added).toEqual({ added: 1, already_added: 2, not_found: [foreign] });
    const list = (paging: object) => by('viewer').listAnnotationItems({ params, query: paging });
    const items = await listAllPages(list, 2);
    expect(items.map((item) => item.run_id)).toEqual([...run_ids, next]);
    expect(items[0]).toMatchObject({
      agent_name: 'support',
      run_status: 'running',
      status: 'pending',
      reviewer: null,
      claim_expires_at: null,
    });
    await by('ada').removeAnnotationItem({ params: { ...params, run_id: String(next) } });
    expect((await list({})).count).toBe(2);
  });

  test('reviewers who claim items at the same time never get the same one', async () => {
    const { params, run_ids } = await makeQueue(6);
    const claims = await Promise.all(
      ['ada', 'ben', 'admin', 'ada', 'ben', 'admin'].map(async (name) => {
        const { item } = await by(name).claimAnnotationItem({ params });
        return { name, run: item?.run_id };
      }),
    );
    const byName = Map.groupBy(claims, ({ name }) => name);
    const runs = [...byName.values()].map((own) => new Set(own.map(({ run }) => run)));
    // A second claim returns the reviewer's current item.
    expect(runs.map(({ size }) => size)).toEqual([1, 1, 1]);
    expect(new Set(runs.flatMap((own) => [...own]))).toEqual(new Set(run_ids.slice(0, 3)));
  });

  test('two concurrent reviewers complete every item exactly once', async () => {
    const { params, run_ids, of } = await makeQueue(8);
    const work = async (name: string): Promise<number[]> => {
      const done: number[] = [];
      for (;;) {
        const { item } = await by(name).claimAnnotationItem({ params });
        if (!item) return done;
        await by(name).completeAnnotationItem({ params: of(item.run_id), body: { scores: good } });
        done.push(item.run_id);
      }
    };
    const done = await Promise.all([work('ada'), work('ben')]);
    expect(done.flat()).toHaveLength(8);
    expect(new Set(done.flat())).toEqual(new Set(run_ids));
    const { progress } = await by('viewer').getAnnotationQueue({ params });
    expect(progress).toEqual({ pending: 0, completed: 8, skipped: 0 });
    for (const run_id of run_ids)
      expect((await owner().scores.listScores({ query: { run_id } })).count).toBe(1);
  });

  test('a claim expires after half an hour, but stays usable until another reviewer takes the item', async () => {
    const now = Date.now();
    const { params, run_ids, of } = await makeQueue(2);
    service.setTime(now);
    const first = await by('ada').claimAnnotationItem({ params });
    expect(first.item).toMatchObject({
      run_id: run_ids[0],
      reviewer: 'ada@example.test',
      claim_expires_at: new Date(now + HALF_HOUR).toISOString(),
      scores: [],
    });
    service.setTime(now + HALF_HOUR - 1);
    const second = await by('ben').claimAnnotationItem({ params });
    expect(second.item?.run_id).toBe(run_ids[1]);
    await by('ben').skipAnnotationItem({ params: of(run_ids[1]) });
    expect((await by('ben').claimAnnotationItem({ params })).item).toBeNull();
    service.setTime(now + HALF_HOUR);
    const taken = await by('ben').claimAnnotationItem({ params });
    expect(taken.item?.run_id).toBe(run_ids[0]);
    const late = { params: of(run_ids[0]), body: { scores: good } };
    await expect(by('ada').completeAnnotationItem(late)).rejects.toEqual(
      refused(409, 'invalid_state'),
    );
    service.setTime(now + 2 * HALF_HOUR);
    const kept = await by('ben').completeAnnotationItem(late);
    expect(kept).toMatchObject({ status: 'completed', reviewer: 'ben@example.test' });
    await expect(by('ben').completeAnnotationItem(late)).rejects.toEqual(
      refused(409, 'invalid_state'),
    );
  });

  test('completing an item adds ordinary scores by the reviewer to its run', async () => {
    const { params, run_ids, of } = await makeQueue(1);
    const [run_id] = run_ids;
    const { id: author_user_id } = await (people.ada as TestClient).identity.me();
    await by('ada').claimAnnotationItem({ params });
    const scores = [
      { name: 'polite', value: false },
      { name: 'tone', value: 'cold' },
      { name: 'quality', value: 2.5 },
    ];
    const comment = 'Too short';
    const completed = await by('ada').completeAnnotationItem({
      params: of(run_id),
      body: { scores, comment },
    });
    expect(completed).toMatchObject({ status: 'completed', comment, claim_expires_at: null });
    const { results } = await owner().scores.listScores({ query: { run_id, sort: 'name' } });
    const given = { source: 'manual', comment, author_user_id, llm_call_id: null };
    expect(results).toMatchObject([
      { ...given, name: 'polite', string_value: 'false', data_type: 'boolean' },
      { ...given, name: 'quality', numeric_value: 2.5, data_type: 'numeric' },
      { ...given, name: 'tone', string_value: 'cold', data_type: 'categorical' },
    ]);
    expect(results[0]?.metadata).toMatchObject({ annotation_queue_id: params.queue_id });
    const run = await owner().runs.getRun({ params: { id: String(run_id) } });
    expect(run.score_summaries.map(({ name }) => name)).toEqual(['polite', 'quality', 'tone']);
  });

  test('nothing is stored if a value is not allowed by the queue', async () => {
    const { params, run_ids, of } = await makeQueue(1);
    await by('ada').claimAnnotationItem({ params });
    for (const scores of [
      [{ name: 'quality', value: 6 }],
      [{ name: 'tone', value: 'cold' }],
      [...good, { name: 'speed', value: 1 }],
    ])
      await expect(
        by('ada').completeAnnotationItem({ params: of(run_ids[0]), body: { scores } }),
      ).rejects.toEqual(refused(400, 'validation_error'));
    const [run_id] = run_ids;
    expect((await owner().scores.listScores({ query: { run_id } })).count).toBe(0);
    expect((await by('ada').claimAnnotationItem({ params })).item?.run_id).toBe(run_id);
  });

  test('a reopened item shows the earlier scores, and completing it replaces them', async () => {
    const name = `replaced ${kind}`;
    const { params, run_ids, of } = await makeQueue(1, [{ ...quality, name }]);
    const [run_id] = run_ids;
    const complete = (who: string, value: number) =>
      by(who).completeAnnotationItem({
        params: of(run_id),
        body: { scores: [{ name, value }], comment: `by ${who}` },
      });
    await by('ada').claimAnnotationItem({ params });
    await complete('ada', 1);
    expect((await by('ben').claimAnnotationItem({ params })).item).toBeNull();
    const reopened = await by('ben').reopenAnnotationItem({ params: of(run_id) });
    expect(reopened).toMatchObject({
      status: 'pending',
      comment: 'by ada',
      scores: [{ name, value: 1 }],
    });
    await expect(by('ben').reopenAnnotationItem({ params: of(run_id) })).rejects.toEqual(
      refused(409, 'invalid_state'),
    );
    await complete('ben', 5);
    const { results, aggregates } = await owner().scores.listScores({ query: { name } });
    expect(results.map(({ numeric_value }) => numeric_value)).toEqual([5]);
    expect(aggregates).toMatchObject({ total_count: 1, avg_numeric_value: 5 });
    const { distributions } = await owner().scores.getScoreAnalytics({ query: { name } });
    expect(distributions).toMatchObject([{ total_count: 1, avg: 5, min: 5, max: 5 }]);
  });

  test('a skipped item is not offered again, and can be reopened', async () => {
    const { params, run_ids, of } = await makeQueue(1);
    await expect(by('ada').skipAnnotationItem({ params: of(run_ids[0]) })).rejects.toEqual(
      refused(409, 'invalid_state'),
    );
    await by('ada').claimAnnotationItem({ params });
    await by('ada').skipAnnotationItem({ params: of(run_ids[0]) });
    const { item, progress } = await by('ada').claimAnnotationItem({ params });
    expect([item, progress]).toEqual([null, { pending: 0, completed: 0, skipped: 1 }]);
    const query = { status: 'skipped' } as const;
    expect((await by('ada').listAnnotationItems({ params, query })).count).toBe(1);
    await by('ada').reopenAnnotationItem({ params: of(run_ids[0]) });
    expect((await by('ada').claimAnnotationItem({ params })).item?.run_id).toBe(run_ids[0]);
  });

  test('deleting a queue keeps its scores', async () => {
    const { params, run_ids, of } = await makeQueue(2);
    const [run_id] = run_ids;
    await by('ada').claimAnnotationItem({ params });
    await by('ada').completeAnnotationItem({ params: of(run_id), body: { scores: good } });
    await by('admin').deleteAnnotationQueue({ params });
    expect((await owner().scores.listScores({ query: { run_id } })).count).toBe(1);
    // Its items are deleted in the background.
    const items = service.storage.db
      .selectFrom('annotation_items')
      .select('run_id')
      .where('queue_id', '=', params.queue_id);
    await pollUntil(
      () => items.execute(),
      (left) => left.length === 0,
    );
  });

  test('runs deleted by retention disappear from queues', async () => {
    const now = Date.now();
    service.setTime(now - 20 * DAY);
    const old = await startRuns(1, 'retired');
    service.setTime(undefined);
    const { params, run_ids, of } = await makeQueue(0);
    const [fresh] = await startRuns(1);
    const body = { run_ids: [...old, fresh as number] };
    await by('ada').addAnnotationItems({ params, body });
    expect((await by('ada').claimAnnotationItem({ params })).item?.run_id).toBe(old[0]);
    const { masking } = await owner().settings.getRecordingSettings();
    const keep = (retention_days: number | null) =>
      owner().settings.putRecordingSettings({ body: { retention_days, masking } });
    await keep(10);
    // The list reads its rows before it counts them.
    const items = await pollUntil(
      () => by('ada').listAnnotationItems({ params, query: {} }),
      ({ results }) => results.length === 1,
    );
    await keep(null);
    expect(run_ids).toEqual([]);
    expect(items.count).toBe(1);
    expect(items.results.map((item) => item.run_id)).toEqual([fresh]);
    await expect(
      by('ada').completeAnnotationItem({ params: of(old[0]), body: { scores: good } }),
    ).rejects.toEqual(refused(404, 'not_found'));
    const { item, progress } = await by('ada').claimAnnotationItem({ params });
    expect([item?.run_id, progress.pending]).toEqual([fresh, 1]);
  });

  test('viewers read, analysts review and administrators manage', async () => {
    const { params, run_ids, of } = await makeQueue(1);
    const forbidden = refused(403, 'missing_permission');
    const item = { params: of(run_ids[0]) };
    const body = { name: 'x', scores: [quality] };
    const reviewing = [
      (name: string) => by(name).addAnnotationItems({ params, body: { run_ids } }),
      (name: string) => by(name).claimAnnotationItem({ params }),
      (name: string) => by(name).completeAnnotationItem({ ...item, body: { scores: good } }),
      (name: string) => by(name).reopenAnnotationItem(item),
      (name: string) => by(name).skipAnnotationItem(item),
      (name: string) => by(name).removeAnnotationItem(item),
    ];
    const managing = [
      (name: string) => by(name).createAnnotationQueue({ body }),
      (name: string) => by(name).updateAnnotationQueue({ params, body: { description: 'x' } }),
      (name: string) => by(name).deleteAnnotationQueue({ params }),
    ];
    for (const attempt of [...reviewing, ...managing])
      await expect(attempt('viewer')).rejects.toEqual(forbidden);
    for (const attempt of managing) await expect(attempt('ada')).rejects.toEqual(forbidden);
    for (const attempt of reviewing) await attempt('ada');
    expect((await by('viewer').listAnnotationItems({ params, query: {} })).count).toBe(0);
    const { key } = await owner().identity.createApiKey({
      body: { name: `records ${made}`, permissions: ['record'] },
    });
    const recorder = createClient(contract, {
      baseUrl: service.urls.public,
      headers: () => ({ 'X-Svc-Key': key }),
    });
    await expect(
      recorder.annotationQueues.addAnnotationItems({ params, body: { run_ids } }),
    ).rejects.toEqual(forbidden);
  });

  test('a tenant has at most 100 queues, even with concurrent requests', async () => {
    const { annotationQueues } = service.other.byOwner;
    const tried = await Promise.allSettled(
      Array.from({ length: 105 }, (_, n) =>
        annotationQueues.createAnnotationQueue({ body: { name: `queue ${n}`, scores: [quality] } }),
      ),
    );
    expect(tried.filter(({ status }) => status === 'fulfilled')).toHaveLength(100);
  });
});
