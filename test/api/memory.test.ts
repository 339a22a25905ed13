import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { EMBEDDING_DIMENSIONS } from '#contract/memory-slot.ts';
import type { RouteRequest } from '#contract/route.ts';
import type { contract } from '#contract/index.ts';
import { recall } from '#control-plane/memory/recall.ts';
import { deleteSlots } from '#control-plane/memory/retention-queries.ts';
import { databases } from '../support/databases.ts';
import { startTwoTenants, type TwoTenants } from '../support/two-tenants.ts';

type Episodic = RouteRequest<typeof contract.memory.writeEpisodic>['body'];
type Semantic = RouteRequest<typeof contract.memory.writeSemantic>['body'];

/** A vector that points along one axis, and a little along another. */
const embedding = (axis: number, lean = 0): number[] => {
  const vector = Array.from({ length: EMBEDDING_DIMENSIONS }, () => 0);
  vector[axis] = 1 - lean;
  vector[axis + 1] = lean;
  return vector;
};

const at = Date.parse('2026-03-01T10:00:00.000Z');
/** Before everything else here. */
const EARLY = at - 24 * 3_600_000;
const iso = (ms: number): string => new Date(ms).toISOString();

describe.each(databases)('memory on %s', (kind) => {
  let service: TwoTenants;
  let run_id: string;
  let scopes = 0;

  beforeAll(async () => {
    service = await startTwoTenants(kind);
    ({ run_id } = await service.one.byKey.recording.startRun({ body: { agent_name: 'a' } }));
  });
  afterAll(() => service.stop());

  const newScope = (): string => `agent:${(scopes += 1)}`;
  const write = (body: Episodic, run = run_id) =>
    service.one.byKey.memory.writeEpisodic({ params: { run_id: run }, body });
  const learn = (body: Omit<Semantic, 'content_embedding'> & Partial<Semantic>, run = run_id) =>
    service.one.byKey.memory.writeSemantic({
      params: { run_id: run },
      body: { content_embedding: embedding(0), ...body },
    });
  const read = async (scope_key: string) =>
    (await service.one.byKey.memory.readMemory({ query: { scope_key } })).results;
  const dataOf = async (scope_key: string): Promise<unknown[]> =>
    (await read(scope_key)).map(({ data }) => data);
  const get = (id: string, skip = 0) =>
    service.one.byOwner.memory.getMemory({ params: { id }, query: { skip } });
  const tenantOf = async (id: string): Promise<string> => {
    const slots = service.storage.db.selectFrom('memory_slots').select('tenant_id');
    return (await slots.where('id', '=', id).executeTakeFirstOrThrow()).tenant_id;
  };
  const rowsOf = async (table: 'memory_slots' | 'memory_items') =>
    (await service.storage.db.selectFrom(table).select('tenant_id').execute()).length;

  test('a dict is written, replaced and read back as it was sent', async () => {
    const scope_key = newScope();
    service.setTime(at);
    const slot = { slot_name: 'state', scope_key };
    const first = await write({ ...slot, data: { mood: 'gut ☺', n: [1, null] } });
    expect(first).toEqual({
      status: 'ok',
      slot_id: expect.stringMatching(/^mem_/) as string,
      created: true,
      item_count: null,
      expires_at: null,
    });
    service.setTime(at + 5000);
    expect(await write({ ...slot, data: 'now a text' })).toEqual({ ...first, created: false });
    service.setTime(undefined);
    const expected = {
      id: first.slot_id,
      type: 'episodic',
      memory_type: 'dict',
      scope_key,
      slot_name: 'state',
      run_id: Number(run_id),
      preview: '"now a text"',
      size_bytes: 12,
      item_count: null,
      max_items: null,
      importance: null,
      tags: [],
      fact_key: null,
      source_tool: null,
      created_at: iso(at),
      updated_at: iso(at + 5000),
      expires_at: null,
      data: 'now a text',
      truncated: false,
      content: null,
      metadata: null,
    };
    expect(await read(scope_key)).toEqual([expected]);
    expect(await get(first.slot_id)).toEqual(expected);
  });

  test('a value may be null, and the same name in another scope is another slot', async () => {
    const [one, other] = [newScope(), newScope()];
    await write({ slot_name: 's', scope_key: one, memory_type: 'value', data: null });
    await write({ slot_name: 's', scope_key: other, memory_type: 'value', data: 0 });
    expect([await dataOf(one), await dataOf(other)]).toEqual([[null], [0]]);
  });

  test('a list appends; an array appends its items; max_items keeps the newest', async () => {
    const scope_key = newScope();
    const list = { slot_name: 'l', scope_key, memory_type: 'list' } as const;
    const counts = [
      await write({ ...list, data: { turn: 1 } }),
      await write({ ...list, data: ['b', ['c']] }),
      await write({ ...list, data: 'd', max_items: 3 }),
      // It stays as it was told.
      await write({ ...list, data: 'e' }),
      await write({ ...list, data: [], max_items: 4 }),
      await write({ ...list, data: ['f', 'g'] }),
      await write({ ...list, data: Array.from({ length: 9 }, (_, i) => i), max_items: 5 }),
    ].map(({ item_count }) => item_count);
    expect(counts).toEqual([1, 3, 3, 3, 3, 4, 5]);
    const [slot] = await read(scope_key);
    expect(slot).toMatchObject({
      data: [4, 5, 6, 7, 8],
      item_count: 5,
      max_items: 5,
      size_bytes: 5,
      preview: '8',
      truncated: false,
    });
    expect((await get(slot?.id ?? '', 3)).data).toEqual([4, 5]);
    expect((await get(slot?.id ?? '', 5)).data).toEqual([]);
  });

  test('whatever is appended, a list is the newest of it, and its size is theirs', async () => {
    const append = fc.record({
      data: fc.array(fc.jsonValue({ maxDepth: 1 }), { maxLength: 5 }),
      max_items: fc.option(fc.integer({ min: 1, max: 6 }), { nil: null }),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(append, { minLength: 1, maxLength: 6 }), async (appends) => {
        const scope_key = newScope();
        let [model, limit] = [[] as unknown[], Infinity];
        for (const body of appends) {
          limit = body.max_items ?? limit;
          model = [...model, ...body.data].slice(-limit);
          await write({ slot_name: 'l', scope_key, memory_type: 'list', ...body });
        }
        // JSON knows no -0.
        const sent = JSON.parse(JSON.stringify(model)) as unknown[];
        const size_bytes = model.reduce<number>(
          (sum, item) => sum + Buffer.byteLength(JSON.stringify(item)),
          0,
        );
        expect(await read(scope_key)).toMatchObject([
          { data: sent, item_count: sent.length, size_bytes },
        ]);
      }),
      { numRuns: 20 },
    );
  });

  test('appends at the same time lose nothing', async () => {
    const scope_key = newScope();
    const list = { slot_name: 'l', scope_key, memory_type: 'list' } as const;
    const written = await Promise.all(
      Array.from({ length: 40 }, (_, data) => write({ ...list, data })),
    );
    expect(new Set(written.map(({ slot_id }) => slot_id)).size).toBe(1);
    expect(written.filter(({ created }) => created)).toHaveLength(1);
    const [data] = (await dataOf(scope_key)) as number[][];
    expect(data?.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 40 }, (_, i) => i));
    await Promise.all(
      Array.from({ length: 20 }, (_, i) => write({ ...list, data: [i, i], max_items: 7 })),
    );
    expect(await read(scope_key)).toMatchObject([{ item_count: 7 }]);
    expect((await dataOf(scope_key))[0]).toHaveLength(7);
  });

  test('writes of different types at the same time leave one slot, whole', async () => {
    const scope_key = newScope();
    const items = await rowsOf('memory_items');
    await Promise.all(
      Array.from({ length: 20 }, (_, i) =>
        write({
          slot_name: 's',
          scope_key,
          memory_type: i % 2 ? 'list' : 'dict',
          data: i % 2 ? [i] : { i },
        }),
      ),
    );
    await write({ slot_name: 's', scope_key, memory_type: 'dict', data: { last: true } });
    expect(await dataOf(scope_key)).toEqual([{ last: true }]);
    expect(await rowsOf('memory_items')).toBe(items);
  });

  test('another memory_type begins a new slot', async () => {
    const scope_key = newScope();
    const slot = { slot_name: 's', scope_key };
    const list = await write({ ...slot, memory_type: 'list', data: [1, 2] });
    const value = await write({ ...slot, memory_type: 'value', data: 3 });
    const again = await write({ ...slot, memory_type: 'list', data: 4 });
    expect([list, value, again].map(({ created }) => created)).toEqual([true, true, true]);
    expect(await dataOf(scope_key)).toEqual([[4]]);
    await expect(get(list.slot_id)).rejects.toMatchObject({ status: 404 });
  });

  test('what expires is gone at once and everywhere, and its place is free', async () => {
    const scope_key = newScope();
    const slot = { slot_name: 's', scope_key, memory_type: 'list' } as const;
    service.setTime(at);
    const first = await write({ ...slot, data: 'old', ttl_seconds: 60 });
    expect(first.expires_at).toBe(iso(at + 60_000));
    service.setTime(at + 59_999);
    expect(await dataOf(scope_key)).toEqual([['old']]);
    service.setTime(at + 60_000);
    const { memory } = service.one.byOwner;
    const run = { query: { run_id, scope_key } };
    expect([await dataOf(scope_key), (await memory.listMemory(run)).count]).toEqual([[], 0]);
    const params = { id: first.slot_id };
    await expect(get(first.slot_id)).rejects.toMatchObject({ status: 404 });
    await expect(memory.deleteMemory({ params })).rejects.toMatchObject({ status: 404 });
    const second = await write({ ...slot, data: 'new' });
    expect(second).toMatchObject({ created: true, item_count: 1, expires_at: null });
    expect(second.slot_id).not.toBe(first.slot_id);
    service.setTime(undefined);
  });

  test('replacing resets the expiry; appending keeps it unless it sets another', async () => {
    service.setTime(at);
    const scope_key = newScope();
    const expiries = [];
    for (const [memory_type, ttl_seconds] of [
      ['list', 60],
      ['list', undefined],
      ['list', 120],
      ['dict', 60],
      ['dict', null],
    ] as const) {
      const slot = { slot_name: memory_type, scope_key, memory_type };
      const written = await write({ ...slot, data: 1, ttl_seconds });
      expiries.push(written.expires_at && Date.parse(written.expires_at) - at);
    }
    service.setTime(undefined);
    expect(expiries).toEqual([60_000, 60_000, 120_000, 60_000, null]);
  });

  test('expired slots are removed in small steps, with their items', async () => {
    const scope_key = newScope();
    service.setTime(at);
    for (let i = 0; i < 12; i += 1)
      await write({
        slot_name: `s${i}`,
        scope_key,
        memory_type: 'list',
        data: [1, 2, 3],
        ttl_seconds: 1,
      });
    const stay = await write({ slot_name: 'stays', scope_key, data: 1 });
    const before = [await rowsOf('memory_slots'), await rowsOf('memory_items')] as const;
    service.setTime(at + 1000);
    await write({ slot_name: 'stays', scope_key, data: 2 });
    expect([await rowsOf('memory_slots'), await rowsOf('memory_items')]).toEqual([
      before[0] - 5,
      before[1] - 15,
    ]);
    const tenantId = await tenantOf(stay.slot_id);
    const expired = { tenantId, by: 'expires_at', before: at + 1001 } as const;
    expect([
      await deleteSlots(service.storage, expired, 10),
      await deleteSlots(service.storage, expired, 10),
      await deleteSlots(service.storage, expired, 10),
      await deleteSlots(service.storage, expired, 10),
    ]).toEqual([10, 10, 8, 0]);
    expect([await rowsOf('memory_slots'), await rowsOf('memory_items')]).toEqual([
      before[0] - 12,
      before[1] - 36,
    ]);
    service.setTime(undefined);
    expect(await dataOf(scope_key)).toEqual([2]);
  });

  test('a long list that is over goes in small steps, and is a list meanwhile', async () => {
    const scope_key = newScope();
    service.setTime(EARLY);
    const slot = { slot_name: 'l', scope_key, memory_type: 'list' } as const;
    const data = Array.from({ length: 25 }, (_, i) => i);
    const { slot_id } = await write({ ...slot, data });
    service.setTime(EARLY + 1000);
    await write({ slot_name: 'later', scope_key, data: 'later' });
    const old = { tenantId: await tenantOf(slot_id), by: 'updated_at', before: EARLY + 1 } as const;
    const left = async () => {
      const found = (await read(scope_key)).find(({ id }) => id === slot_id);
      return [found?.data, found?.item_count, found?.size_bytes];
    };
    expect(await deleteSlots(service.storage, old, 10)).toBe(10);
    expect(await left()).toEqual([data.slice(10), 15, 30]);
    expect(await deleteSlots(service.storage, old, 14)).toBe(14);
    expect(await left()).toEqual([[24], 1, 2]);
    await write({ ...slot, data: 'again' });
    expect(await deleteSlots(service.storage, old, 14)).toBe(0);
    expect(await left()).toEqual([[24, 'again'], 2, 9]);
    const all = { ...old, before: EARLY + 1001 };
    expect([
      await deleteSlots(service.storage, all, 14),
      await deleteSlots(service.storage, all, 14),
    ]).toEqual([4, 0]);
    expect(await read(scope_key)).toEqual([]);
    service.setTime(undefined);
  });

  test('what is written while it is deleted is there afterwards', async () => {
    const scope_key = newScope();
    service.setTime(EARLY);
    const slot = { slot_name: 'l', scope_key, memory_type: 'list' } as const;
    const { slot_id } = await write({ ...slot, data: 'old' });
    const old = { tenantId: await tenantOf(slot_id), by: 'updated_at', before: EARLY + 1 } as const;
    service.setTime(EARLY + 1000);
    await Promise.all([
      ...['a', 'b', 'c'].map((data) => write({ ...slot, data })),
      deleteSlots(service.storage, old, 250),
      deleteSlots(service.storage, old, 250),
    ]);
    service.setTime(undefined);
    const [items] = (await dataOf(scope_key)) as string[][];
    expect(items?.filter((item) => item !== 'old').sort()).toEqual(['a', 'b', 'c']);
  });

  test('a fact is stored, and updated in place under its key', async () => {
    const scope_key = newScope();
    service.setTime(at);
    const fact = { slot_name: 'facts', scope_key, fact_key: 'home' };
    const first = await learn({
      ...fact,
      content: 'Ada lives in Ulm',
      tags: ['city'],
      source_tool: 'crm',
      metadata: { sure: 0.5 },
    });
    expect(first).toEqual({
      status: 'ok',
      slot_id: expect.stringMatching(/^mem_/) as string,
      created: true,
    });
    service.setTime(at + 1000);
    const content = 'Ada lives in Köln';
    expect(await learn({ ...fact, content, importance: 1 })).toEqual({ ...first, created: false });
    service.setTime(undefined);
    expect(await read(scope_key)).toEqual([
      {
        id: first.slot_id,
        type: 'semantic',
        memory_type: null,
        scope_key,
        slot_name: 'facts',
        run_id: Number(run_id),
        preview: content,
        size_bytes: 18,
        item_count: null,
        max_items: null,
        importance: 1,
        tags: [],
        fact_key: 'home',
        source_tool: null,
        created_at: iso(at),
        updated_at: iso(at + 1000),
        expires_at: null,
        data: null,
        truncated: false,
        content,
        metadata: null,
      },
    ]);
  });

  test('a key is of one slot and scope; without a key each fact is its own', async () => {
    const [scope, other] = [newScope(), newScope()];
    const places = [
      { slot_name: 'a', scope_key: scope, fact_key: 'k' },
      { slot_name: 'b', scope_key: scope, fact_key: 'k' },
      { slot_name: 'a', scope_key: other, fact_key: 'k' },
      { slot_name: 'a', scope_key: scope },
      { slot_name: 'a', scope_key: scope, fact_key: '' },
      { slot_name: 'a', scope_key: scope, fact_key: null },
      { slot_name: 'a', scope_key: scope, fact_key: 'k' },
    ];
    const created = [];
    for (const place of places) created.push((await learn({ ...place, content: 'x' })).created);
    expect(created).toEqual([true, true, true, true, true, true, false]);
    expect((await read(scope)).map(({ importance }) => importance)).toEqual(
      Array.from({ length: 5 }, () => 0.7),
    );
  });

  test('one key at the same time is one fact', async () => {
    const scope_key = newScope();
    const written = await Promise.all(
      Array.from({ length: 20 }, (_, i) =>
        learn({ slot_name: 'f', scope_key, fact_key: 'k', content: `version ${i}` }),
      ),
    );
    expect(written.filter(({ created }) => created)).toHaveLength(1);
    expect(await read(scope_key)).toHaveLength(1);
  });

  test.each(['', ' \n\t '])('a fact without text (%j) does nothing', async (content) => {
    const scope_key = newScope();
    const fact = { slot_name: 'f', scope_key, fact_key: 'k' };
    await learn({ ...fact, content: 'stays' });
    expect(await learn({ ...fact, content })).toEqual({
      status: 'ok',
      slot_id: null,
      created: false,
    });
    expect(await read(scope_key)).toMatchObject([{ content: 'stays' }]);
  });

  const slot = { slot_name: 's', scope_key: 'limits' };
  const fact = { ...slot, content: 'x', content_embedding: embedding(0) };

  test.each<[string, unknown]>([
    ['data', slot],
    ['data', { ...slot, data: 'x'.repeat(262_143) }],
    // Half as many letters, each of two bytes.
    ['data', { ...slot, data: ['ü'.repeat(131_072)] }],
    ['slot_name', { scope_key: 'x', data: 1 }],
    ['slot_name', { slot_name: '', scope_key: 'x', data: 1 }],
    ['scope_key', { slot_name: 'x', data: 1 }],
    ['scope_key', { slot_name: 'x', scope_key: 'x'.repeat(501), data: 1 }],
    ['memory_type', { ...slot, memory_type: 'set', data: 1 }],
    ['ttl_seconds', { ...slot, data: 1, ttl_seconds: 0 }],
    ['ttl_seconds', { ...slot, data: 1, ttl_seconds: 1.5 }],
    ['ttl_seconds', { ...slot, data: 1, ttl_seconds: 1e15 }],
    ['max_items', { ...slot, data: 1, max_items: 0 }],
    ['max_items', { ...slot, data: 1, max_items: 10_001 }],
    ['body', [1]],
  ])('an episodic write is refused for its %s', async (field, body) => {
    const refused = write(body as Episodic);
    await expect(refused).rejects.toMatchObject({ status: 400 });
    await expect(refused).rejects.toThrow(field);
  });

  test.each<[string, unknown]>([
    ['content', slot],
    ['content', { ...fact, content: 'x'.repeat(8193) }],
    ['content', { ...fact, content: 'ü'.repeat(4097) }],
    ['content_embedding', { ...fact, content_embedding: undefined }],
    ['content_embedding', { ...fact, content_embedding: embedding(0).slice(1) }],
    ['content_embedding', { ...fact, content_embedding: [...embedding(0), 0] }],
    ['content_embedding[3]', { ...fact, content_embedding: embedding(0).with(3, null as never) }],
    ['importance', { ...fact, importance: 1.1 }],
    ['importance', { ...fact, importance: -0.1 }],
    ['tags[0]', { ...fact, tags: [1] }],
    ['metadata', { ...fact, metadata: ['x'] }],
    ['metadata', { ...fact, metadata: { x: 'x'.repeat(65_536) } }],
    ['fact_key', { ...fact, fact_key: 7 }],
  ])('a semantic write is refused for its %s', async (field, body) => {
    const refused = learn(body as Semantic);
    await expect(refused).rejects.toMatchObject({ status: 400 });
    await expect(refused).rejects.toThrow(field);
  });

  test('the largest that is allowed is stored whole', async () => {
    const scope_key = 'x'.repeat(500);
    const data = 'ü'.repeat(131_071);
    await write({ slot_name: '🐘'.repeat(100), scope_key, data });
    const content = 'ü'.repeat(4096);
    await learn({ slot_name: 'f', scope_key, content, fact_key: '🐘'.repeat(250) });
    const [stored, kept] = await read(scope_key);
    expect([stored?.content === content, kept?.data === data]).toEqual([true, true]);
  });

  test.each(['999999', 'x', '0'])(
    'of the unknown run %s nothing is remembered',
    async (unknown) => {
      const body = { slot_name: 's', scope_key: newScope(), data: 1 };
      await expect(write(body, unknown)).rejects.toMatchObject({ status: 404 });
      for (const content of ['x', ''])
        await expect(learn({ ...body, content }, unknown)).rejects.toMatchObject({ status: 404 });
      expect(await read(body.scope_key)).toEqual([]);
    },
  );

  const search = (body: RouteRequest<typeof contract.memory.searchMemory>['body']) =>
    service.one.byKey.memory.searchMemory({ body });

  test('facts are found by similarity and importance, with both values, and by slot and tags', async () => {
    const scope_key = newScope();
    const facts = [
      { content: 'near', content_embedding: embedding(0), importance: 0.2, tags: ['a'] },
      {
        content: 'leaning',
        content_embedding: embedding(0, 0.4),
        importance: 0.9,
        tags: ['a', 'b'],
      },
      { content: 'far', content_embedding: embedding(9), importance: 1, slot_name: 'other' },
      { content: 'against', content_embedding: embedding(0).map((n) => -5 * n), importance: 1 },
    ];
    for (const one of facts) await learn({ slot_name: 'f', scope_key, ...one });
    await learn({ slot_name: 'f', scope_key: newScope(), content: 'elsewhere' });
    await write({ slot_name: 'f', scope_key, data: 'not a fact' });
    const ask = { scope_key, embedding: embedding(0).map((n) => n * 7) };
    const found = await search(ask);
    expect(found).toMatchObject({ searched: 4, complete: true });
    const cosine = 0.6 / Math.hypot(0.6, 0.4);
    const expected = [
      ['near', 1, 0.2, 0.84],
      ['leaning', cosine, 0.9, 0.8 * cosine + 0.18],
      ['far', 0, 1, 0.2],
      ['against', -1, 1, -0.6],
    ] as const;
    expect(found.results).toHaveLength(4);
    for (const [index, [content, similarity, importance, score]] of expected
      .toSorted((a, b) => b[3] - a[3])
      .entries())
      expect(found.results[index]).toMatchObject({
        content,
        importance,
        similarity: expect.closeTo(similarity, 5) as number,
        score: expect.closeTo(score, 5) as number,
      });
    const contents = async (body: object) =>
      (await search({ ...ask, ...body })).results.map(({ content }) => content);
    expect([
      await contents({ limit: 1 }),
      await contents({ slot_name: 'other' }),
      await contents({ tags: ['a', 'b'] }),
      await contents({ tags: ['a', 'c'] }),
      await contents({ scope_key: 'nowhere' }),
    ]).toEqual([[found.results[0]?.content], ['far'], ['leaning'], [], []]);
    for (const bad of [{ embedding: [1] }, { scope_key: undefined }, { limit: 0 }])
      await expect(search({ ...ask, ...(bad as object) })).rejects.toMatchObject({ status: 400 });
  });

  test('a scope of hundreds of facts is searched whole', async () => {
    const scope_key = newScope();
    const contents = Array.from({ length: 260 }, (_, i) => `fact ${i}`);
    for (const [index, content] of contents.entries())
      await learn({ slot_name: 'f', scope_key, content, content_embedding: embedding(index) });
    // The oldest is the last to be looked at.
    const found = await search({ scope_key, embedding: embedding(0), limit: 2 });
    expect(found.searched).toBe(260);
    expect(found.results[0]).toMatchObject({ content: 'fact 0' });

    const { db } = service.storage;
    const { tenant_id: tenantId } = await db
      .selectFrom('memory_slots')
      .select('tenant_id')
      .where('scope_key', '=', scope_key)
      .limit(1)
      .executeTakeFirstOrThrow();
    const question = { embedding: embedding(0), tags: [], limit: 1 };
    const bounded = await recall(db, { tenantId, scope_key, slot_name: undefined }, question, 200);
    expect(bounded).toMatchObject({
      searched: 200,
      complete: false,
      ranked: [{ similarity: expect.closeTo(0, 5) as number }],
    });
  });

  test('pages show each slot once, newest first, under any filter', async () => {
    const scope_key = newScope();
    const ids: string[] = [];
    for (let i = 0; i < 11; i += 1) {
      const place = { slot_name: `s${i % 2}`, scope_key };
      const written =
        i % 3 ? await learn({ ...place, content: 'x' }) : await write({ ...place, data: i });
      if (written.created) ids.unshift(written.slot_id ?? '');
    }
    const { memory } = service.one.byOwner;
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 12 }), async (limit) => {
        const seen: string[] = [];
        for (let offset = 0; ; offset += limit) {
          const page = await memory.listMemory({ query: { scope_key, limit, offset } });
          expect(page.count).toBe(ids.length);
          seen.push(...page.results.map(({ id }) => id));
          if (!page.next) break;
        }
        expect(seen).toEqual(ids);
      }),
      { numRuns: 12 },
    );
    const count = async (query: object) => (await memory.listMemory({ query })).count;
    const facts = await count({ scope_key, type: 'semantic' });
    const slots = await count({ scope_key, type: 'episodic' });
    expect([
      facts + slots,
      (await count({ scope_key, slot_name: 's0' })) + (await count({ scope_key, slot_name: 's1' })),
      await count({ scope_key, run_id }),
      await count({ scope_key, run_id: '999999' }),
      await count({ scope_key, slot_name: '' }),
      (await count({ scope_key: '', run_id })) - (await count({ run_id })),
      await count({ scope_key: 'nowhere' }),
    ]).toEqual([ids.length, ids.length, ids.length, 0, ids.length, 0, 0]);
    const [shown] = (await memory.listMemory({ query: { scope_key } })).results;
    expect(Object.keys(shown ?? {})).not.toContain('embedding');
    await expect(count({ type: 'both' })).rejects.toThrow('type');
    await expect(count({ run_id: 'x' })).rejects.toThrow('run_id');
  });

  test('a list shows what slots hold where it is short, as a run’s detail does', async () => {
    const scope_key = newScope();
    const { run_id: run } = await service.one.byKey.recording.startRun({
      body: { agent_name: 'lists' },
    });
    const long = 'x'.repeat(10_001);
    const slots: Episodic[] = [
      { slot_name: 'dict', scope_key, data: { a: [1, null] } },
      { slot_name: 'null', scope_key, memory_type: 'value', data: null },
      { slot_name: 'list', scope_key, memory_type: 'list', data: [1, { b: 2 }, 'three'] },
      { slot_name: 'other list', scope_key, memory_type: 'list', data: [] },
      { slot_name: 'long', scope_key, data: { long } },
      { slot_name: 'long list', scope_key, memory_type: 'list', data: [long, 1] },
    ];
    for (const slot of slots) await write(slot, run);
    await write({ slot_name: 'list', scope_key, memory_type: 'list', data: 4 }, run);
    await learn({ slot_name: 'fact', scope_key, content: 'It rains', metadata: { by: 'x' } }, run);
    await learn({ slot_name: 'wordy', scope_key, content: 'y', metadata: { long } }, run);
    const none = { data: null, content: null, metadata: null };
    const expected = [
      { slot_name: 'wordy', ...none, truncated: true },
      { ...none, slot_name: 'fact', content: 'It rains', metadata: { by: 'x' }, truncated: false },
      { slot_name: 'long list', ...none, truncated: true },
      { slot_name: 'long', ...none, truncated: true },
      { ...none, slot_name: 'other list', data: [], truncated: false },
      { ...none, slot_name: 'list', data: [1, { b: 2 }, 'three', 4], truncated: false },
      { slot_name: 'null', ...none, truncated: false },
      { ...none, slot_name: 'dict', data: { a: [1, null] }, truncated: false },
    ];
    const { memory, runs } = service.one.byOwner;
    const { results } = await memory.listMemory({ query: { scope_key } });
    expect(results).toMatchObject(expected);
    expect((await runs.getRun({ params: { id: run } })).memory).toEqual(results);
    for (const { id, data } of results.filter(({ truncated }) => !truncated))
      expect((await get(id)).data).toEqual(data);
  });

  test('an answer stays small, and following it shows everything once', async () => {
    const scope_key = newScope();
    const big = 'x'.repeat(262_100);
    for (let i = 0; i < 18; i += 1) await write({ slot_name: `s${i}`, scope_key, data: [i, big] });
    const seen: number[] = [];
    let pages = 0;
    for (let offset: number | undefined = 0; offset !== undefined; pages += 1) {
      const query = { scope_key, limit: 100, offset };
      const page = await service.one.byKey.memory.readMemory({ query });
      expect(page.count).toBe(18);
      seen.push(...page.results.map(({ data }) => (data as [number])[0]));
      const next: string | null | undefined =
        page.next && new URL(page.next).searchParams.get('offset');
      offset = next ? Number(next) : undefined;
    }
    expect(pages).toBe(2);
    expect(seen.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 18 }, (_, i) => i));
  });

  test('of a list too large for one answer the newest items come first', async () => {
    const scope_key = newScope();
    const list = { slot_name: 'l', scope_key, memory_type: 'list' } as const;
    for (let i = 0; i < 18; i += 1) await write({ ...list, data: `${i} ${'x'.repeat(262_100)}` });
    const [slot] = await read(scope_key);
    const numbers = (data: unknown) => (data as string[]).map((text) => Number.parseInt(text, 10));
    expect(slot).toMatchObject({ item_count: 18, truncated: true });
    const newest = numbers(slot?.data);
    const rest = await get(slot?.id ?? '', newest.length);
    expect(rest.truncated).toBe(false);
    expect([...numbers(rest.data), ...newest]).toEqual(Array.from({ length: 18 }, (_, i) => i));
  });

  test('a slot is forgotten with its items, and then it is not there', async () => {
    const scope_key = newScope();
    const items = await rowsOf('memory_items');
    const { slot_id: id } = await write({
      slot_name: 's',
      scope_key,
      memory_type: 'list',
      data: [1, 2],
    });
    const remove = () => service.one.byOwner.memory.deleteMemory({ params: { id } });
    expect(await remove()).toBeUndefined();
    await expect(remove()).rejects.toMatchObject({ status: 404 });
    await expect(get(id)).rejects.toMatchObject({ status: 404 });
    expect([await dataOf(scope_key), await rowsOf('memory_items')]).toEqual([[], items]);
  });

  const setMasking = (keys: { key: string; type: string }[], enabled = true) =>
    service.one.byOwner.settings.putRecordingSettings({
      body: { retention_days: null, masking: { enabled, builtin: ['EMAIL'], keys, patterns: [] } },
    });

  test('what is remembered is masked before it is stored', async () => {
    const scope_key = newScope();
    await setMasking([{ key: 'phone', type: 'PHONE' }]);
    const data = { turns: ['by ada@example.com'], phone: '12' };
    await write({ slot_name: 'd', scope_key, data });
    await write({ slot_name: 'l', scope_key, memory_type: 'list', data: [data] });
    const metadata = { phone: '12', from: 'ada@example.com' };
    await learn({ slot_name: 'f', scope_key, content: 'Ask ada@example.com', metadata });
    await learn({ slot_name: 'f', scope_key, content: 'Nothing to mask' });
    await setMasking([], false);
    const masked = { turns: ['by ##EMAIL##'], phone: '##PHONE##' };
    const stored = (await read(scope_key)).toReversed();
    expect(stored.map(({ data, content, metadata }) => [data, content, metadata])).toEqual([
      [masked, null, null],
      [[masked], null, null],
      [null, 'Ask ##EMAIL##', { phone: '##PHONE##', from: '##EMAIL##' }],
      [null, 'Nothing to mask', null],
    ]);
    expect(JSON.stringify(stored)).not.toContain('ada@');
  });

  test('a tenant sees nothing of another, and cannot tell that it is there', async () => {
    const scope_key = newScope();
    const { slot_id: id } = await write({ slot_name: 's', scope_key, data: 'mine' });
    await learn({ slot_name: 'f', scope_key, fact_key: 'k', content: 'mine' });
    const { byKey, byOwner } = service.other;
    const foreign = [
      () => byOwner.memory.getMemory({ params: { id }, query: {} }),
      () => byOwner.memory.deleteMemory({ params: { id } }),
      () =>
        byKey.memory.writeEpisodic({
          params: { run_id },
          body: { slot_name: 's', scope_key, data: 'theirs' },
        }),
    ];
    for (const ask of foreign) await expect(ask()).rejects.toMatchObject({ status: 404 });
    const empty = { results: [], count: 0, next: null, previous: null };
    expect([
      await byKey.memory.readMemory({ query: { scope_key } }),
      await byOwner.memory.listMemory({ query: { scope_key } }),
      await byKey.memory.searchMemory({ body: { scope_key, embedding: embedding(0) } }),
    ]).toEqual([empty, empty, { results: [], searched: 0, complete: true }]);
    const theirs = await byKey.recording.startRun({ body: { agent_name: 'b' } });
    const params = { run_id: theirs.run_id };
    await byKey.memory.writeEpisodic({
      params,
      body: { slot_name: 's', scope_key, data: 'theirs' },
    });
    await byKey.memory.writeSemantic({
      params,
      body: { ...fact, scope_key, slot_name: 'f', fact_key: 'k', content: 'theirs' },
    });
    const contents = (await read(scope_key)).map(({ data, content }) => data ?? content);
    expect(contents).toEqual(['mine', 'mine']);
  });
});
