import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { MAX_SEARCHED_CAPTURES } from '#contract/captures.ts';
import { databases } from '../support/databases.ts';
import { captureOf } from '../support/device-reports.ts';
import { enrollDevice } from '../support/device.ts';
import { startTwoTenants, type TwoTenants } from '../support/two-tenants.ts';

describe.each(databases)('lists of captures on %s', (kind) => {
  let service: TwoTenants;
  const start = Date.now() + 600_000;
  const at = (seconds: number) => new Date(start + seconds * 1000).toISOString();

  beforeAll(async () => {
    service = await startTwoTenants(kind);
    const device = await enrollDevice({ ...service, ...service.one }, 'hardware-list');
    await service.one.byOwner.guard.putLayer({
      body: {
        layer: 'device',
        scope: device.id,
        config: { capture_enabled: true, intercept_hosts: ['api.openai.com'] },
      },
    });
    service.setTime(start + 60_000);
    const failed = {
      status: 429,
      request_body: null,
      tokens_in: null,
      tokens_out: null,
      app_id: 'aider',
    };
    const captures = [
      captureOf('a', at(1), { path: '/a', request_body: 'Wo ist Ärger?', response_body: null }),
      captureOf('b', at(2), {
        path: '/b',
        model: 'gpt-5-mini',
        response_body: '100% sure',
        tokens_in: 99,
      }),
      captureOf('c', at(3), { path: '/c', ...failed }),
      captureOf('d', at(4), { path: '/d', status: null, model: '=cmd()', response_body: null }),
    ];
    const report = { batch_id: 'captures-of-list', captures };
    const { accepted } = await device.client.device.reportCaptures({ body: report });
    if (accepted !== captures.length) throw new Error(`${accepted} captures were accepted`);
  });
  afterAll(() => service.stop());

  const list = (query: object) => service.one.byOwner.captures.listCaptures({ query });
  const save = (query: object) =>
    service.one.byOwner.captures.exportCaptures({ query: { format: 'jsonl', ...query } });
  const pathsOf = (found: readonly { path: string }[]) =>
    found.map(({ path }) => path.slice(1)).join('');

  test.each([
    [{}, 'dcba'],
    [{ sort: 'started_at' }, 'abcd'],
    [{ model: 'gpt-5' }, 'ca'],
    [{ outcome: 'ok' }, 'ba'],
    [{ outcome: 'failed' }, 'c'],
    [{ outcome: 'none' }, 'd'],
    [{ status: 429 }, 'c'],
    [{ search: 'ÄRGER' }, 'a'],
    [{ search: 'where is my' }, 'db'],
    [{ search: 'Where is my', sort: 'started_at' }, 'bd'],
    [{ search: '100%' }, 'b'],
    [{ search: '/C' }, 'c'],
    [{ search: 'order', outcome: 'none' }, 'd'],
    [{ start: at(2), end: at(4) }, 'cb'],
    [{ search: 'nowhere' }, ''],
    [{ sort: 'host' }, 'abcd'],
    [{ sort: '-model' }, 'bcad'],
    [{ sort: '-status' }, 'cbad'],
    [{ sort: 'status' }, 'abcd'],
    [{ sort: '-tokens' }, 'bdac'],
    [{ sort: 'app' }, 'cabd'],
    [{ sort: '-user', outcome: 'ok' }, 'ba'],
    [{ sort: 'hostname', search: 'where is my' }, 'bd'],
  ])('%j finds %s: as a page, as a file and over time', async (query, paths) => {
    const page = await list(query);
    expect([pathsOf(page.results), page.count, page.incomplete]).toEqual([
      paths,
      paths.length,
      false,
    ]);
    const lines = (await save(query)).split('\n').slice(0, -1);
    expect(pathsOf(lines.map((line) => JSON.parse(line) as { path: string }))).toBe(paths);
    const { sort: _sort, ...filter } = query as { sort?: string };
    const counted = await service.one.byOwner.captures.summarizeCaptures({ query: filter });
    expect([counted.count, counted.complete]).toEqual([paths.length, true]);
  });

  test('captures are counted by the time at which they started', async () => {
    const { summarizeCaptures } = service.one.byOwner.captures;
    const second = (at: string) => `${at.slice(0, -4)}000Z`;
    expect(await summarizeCaptures({ query: {} })).toEqual({
      count: 4,
      complete: true,
      bucket_seconds: 1,
      buckets: [1, 2, 3, 4].map((seconds) => ({ start: second(at(seconds)), count: 1 })),
    });
    const found = await summarizeCaptures({ query: { search: 'where is my' } });
    expect(found.buckets.map(({ count }) => count)).toEqual([1, 1]);
  });

  test('a CSV file contains neither bodies nor formulas', async () => {
    const text = await save({ format: 'csv' });
    expect(text).toContain(`"'=cmd()"`);
    expect(text).not.toContain('Where is my');
  });

  test('a search that does not cover all captures says so and is not exported', async () => {
    const [row] = await service.storage.db.selectFrom('captures').selectAll().limit(1).execute();
    if (!row) throw new Error('there is no capture');
    const many = Array.from({ length: MAX_SEARCHED_CAPTURES }, (_, more) => ({
      ...row,
      id: `cap_more_${more}`,
      model: 'many',
      started_at: start + 30_000,
      request_body: 'short',
    }));
    for (let from = 0; from < many.length; from += 200)
      await service.storage.db
        .insertInto('captures')
        .values(many.slice(from, from + 200))
        .execute();
    expect(await list({ search: 'Ärger' })).toMatchObject({ count: 0, incomplete: true });
    await expect(save({ search: 'Ärger' })).rejects.toMatchObject({
      status: 400,
      message: expect.stringContaining('narrow the time') as string,
    });
    expect(await list({ search: 'Ärger', model: 'gpt-5' })).toMatchObject({
      count: 1,
      incomplete: false,
    });
  });
});
