import { describe, expect, test } from 'vitest';
import type { RouteRequest } from '#contract/route.ts';
import type { contract } from '#contract/index.ts';
import { recall } from '#control-plane/memory/recall.ts';
import { databases } from '../support/databases.ts';
import { embedding, setUpMemory, type Episodic, type Semantic } from '../support/agent-memory.ts';

const at = Date.parse('2026-03-01T10:00:00.000Z');
const iso = (ms: number): string => new Date(ms).toISOString();

describe.each(databases)('memory on %s', (kind) => {
  const world = setUpMemory(kind);
  const { newScope, write, writeFact, read, slot, fact } = world;

  test('a fact is stored, and updated in place by its key', async () => {
    const scope_key = newScope();
    world.service.setTime(at);
    const fact = { slot_name: 'facts', scope_key, fact_key: 'home' };
    const first = await writeFact({
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
    world.service.setTime(at + 1000);
    const content = 'Ada lives in Köln';
    expect(await writeFact({ ...fact, content, importance: 1 })).toEqual({
      ...first,
      created: false,
    });
    world.service.setTime(undefined);
    expect(await read(scope_key)).toEqual([
      {
        id: first.slot_id,
        type: 'semantic',
        memory_type: null,
        scope_key,
        slot_name: 'facts',
        run_id: Number(world.run_id),
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

  test('a key belongs to one slot and scope; without a key, each fact is separate', async () => {
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
    for (const place of places) created.push((await writeFact({ ...place, content: 'x' })).created);
    expect(created).toEqual([true, true, true, true, true, true, false]);
    expect((await read(scope)).map(({ importance }) => importance)).toEqual(
      Array.from({ length: 5 }, () => 0.7),
    );
  });

  test('concurrent writes with one key result in one fact', async () => {
    const scope_key = newScope();
    const written = await Promise.all(
      Array.from({ length: 20 }, (_, i) =>
        writeFact({ slot_name: 'f', scope_key, fact_key: 'k', content: `version ${i}` }),
      ),
    );
    expect(written.filter(({ created }) => created)).toHaveLength(1);
    expect(await read(scope_key)).toHaveLength(1);
  });

  test.each(['', ' \n\t '])('a fact without text (%j) changes nothing', async (content) => {
    const scope_key = newScope();
    const fact = { slot_name: 'f', scope_key, fact_key: 'k' };
    await writeFact({ ...fact, content: 'stays' });
    expect(await writeFact({ ...fact, content })).toEqual({
      status: 'ok',
      slot_id: null,
      created: false,
    });
    expect(await read(scope_key)).toMatchObject([{ content: 'stays' }]);
  });

  test.each<[string, unknown]>([
    ['data', slot],
    ['data', { ...slot, data: 'x'.repeat(262_143) }],
    // Half as many characters, of two bytes each.
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
  ])('an episodic write is rejected for its %s', async (field, body) => {
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
  ])('a semantic write is rejected for its %s', async (field, body) => {
    const refused = writeFact(body as Semantic);
    await expect(refused).rejects.toMatchObject({ status: 400 });
    await expect(refused).rejects.toThrow(field);
  });

  test('values of the maximum size are stored in full', async () => {
    const scope_key = 'x'.repeat(500);
    const data = 'ü'.repeat(131_071);
    await write({ slot_name: '🐘'.repeat(100), scope_key, data });
    const content = 'ü'.repeat(4096);
    await writeFact({ slot_name: 'f', scope_key, content, fact_key: '🐘'.repeat(250) });
    const [stored, kept] = await read(scope_key);
    expect([stored?.content === content, kept?.data === data]).toEqual([true, true]);
  });

  test.each(['999999', 'x', '0'])(
    'nothing is stored for the unknown run id %s',
    async (unknown) => {
      const body = { slot_name: 's', scope_key: newScope(), data: 1 };
      await expect(write(body, unknown)).rejects.toMatchObject({ status: 404 });
      for (const content of ['x', ''])
        await expect(writeFact({ ...body, content }, unknown)).rejects.toMatchObject({
          status: 404,
        });
      expect(await read(body.scope_key)).toEqual([]);
    },
  );

  const search = (body: RouteRequest<typeof contract.memory.searchMemory>['body']) =>
    world.service.one.byKey.memory.searchMemory({ body });

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
    for (const one of facts) await writeFact({ slot_name: 'f', scope_key, ...one });
    await writeFact({ slot_name: 'f', scope_key: newScope(), content: 'elsewhere' });
    await write({ slot_name: 'f', scope_key, data: 'not a fact' });
    const query = { scope_key, embedding: embedding(0).map((n) => n * 7) };
    const found = await search(query);
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
      (await search({ ...query, ...body })).results.map(({ content }) => content);
    expect([
      await contents({ limit: 1 }),
      await contents({ slot_name: 'other' }),
      await contents({ tags: ['a', 'b'] }),
      await contents({ tags: ['a', 'c'] }),
      await contents({ scope_key: 'nowhere' }),
    ]).toEqual([[found.results[0]?.content], ['far'], ['leaning'], [], []]);
    for (const bad of [{ embedding: [1] }, { scope_key: undefined }, { limit: 0 }])
      await expect(search({ ...query, ...(bad as object) })).rejects.toMatchObject({ status: 400 });
  });

  test('a scope with hundreds of facts is searched completely', async () => {
    const scope_key = newScope();
    const contents = Array.from({ length: 260 }, (_, i) => `fact ${i}`);
    for (const [index, content] of contents.entries())
      await writeFact({ slot_name: 'f', scope_key, content, content_embedding: embedding(index) });
    // The oldest fact is examined last.
    const found = await search({ scope_key, embedding: embedding(0), limit: 2 });
    expect(found.searched).toBe(260);
    expect(found.results[0]).toMatchObject({ content: 'fact 0' });

    const { db } = world.service.storage;
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
});
