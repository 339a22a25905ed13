import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { deleteSlots } from '#control-plane/memory/retention-queries.ts';
import { databases } from '../support/databases.ts';
import { setUpMemory } from '../support/agent-memory.ts';

const at = Date.parse('2026-03-01T10:00:00.000Z');
/** Earlier than all other data in this file. */
const EARLY = at - 24 * 3_600_000;
const iso = (ms: number): string => new Date(ms).toISOString();

describe.each(databases)('memory on %s', (kind) => {
  const world = setUpMemory(kind);
  const { newScope, write, read, dataOf, get, rowsOf } = world;

  const tenantOf = async (id: string): Promise<string> => {
    const slots = world.service.storage.db.selectFrom('memory_slots').select('tenant_id');
    return (await slots.where('id', '=', id).executeTakeFirstOrThrow()).tenant_id;
  };

  test('a dict is written, replaced and read back as sent', async () => {
    const scope_key = newScope();
    world.service.setTime(at);
    const slot = { slot_name: 'state', scope_key };
    const first = await write({ ...slot, data: { mood: 'gut ☺', n: [1, null] } });
    expect(first).toEqual({
      status: 'ok',
      slot_id: expect.stringMatching(/^mem_/) as string,
      created: true,
      item_count: null,
      expires_at: null,
    });
    world.service.setTime(at + 5000);
    expect(await write({ ...slot, data: 'now a text' })).toEqual({ ...first, created: false });
    world.service.setTime(undefined);
    const expected = {
      id: first.slot_id,
      type: 'episodic',
      memory_type: 'dict',
      scope_key,
      slot_name: 'state',
      run_id: Number(world.run_id),
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
      // The list keeps its limit.
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

  test('after any appends, a list has the newest items and their total size', async () => {
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
        // JSON has no -0.
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

  test('concurrent appends lose nothing', async () => {
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

  test('concurrent writes of different types leave one consistent slot', async () => {
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

  test('another memory_type creates a new slot', async () => {
    const scope_key = newScope();
    const slot = { slot_name: 's', scope_key };
    const list = await write({ ...slot, memory_type: 'list', data: [1, 2] });
    const value = await write({ ...slot, memory_type: 'value', data: 3 });
    const again = await write({ ...slot, memory_type: 'list', data: 4 });
    expect([list, value, again].map(({ created }) => created)).toEqual([true, true, true]);
    expect(await dataOf(scope_key)).toEqual([[4]]);
    await expect(get(list.slot_id)).rejects.toMatchObject({ status: 404 });
  });

  test('an expired slot disappears everywhere at once, and its name can be used again', async () => {
    const scope_key = newScope();
    const slot = { slot_name: 's', scope_key, memory_type: 'list' } as const;
    world.service.setTime(at);
    const first = await write({ ...slot, data: 'old', ttl_seconds: 60 });
    expect(first.expires_at).toBe(iso(at + 60_000));
    world.service.setTime(at + 59_999);
    expect(await dataOf(scope_key)).toEqual([['old']]);
    world.service.setTime(at + 60_000);
    const { memory } = world.service.one.byOwner;
    const run = { query: { run_id: world.run_id, scope_key } };
    expect([await dataOf(scope_key), (await memory.listMemory(run)).count]).toEqual([[], 0]);
    const params = { id: first.slot_id };
    await expect(get(first.slot_id)).rejects.toMatchObject({ status: 404 });
    await expect(memory.deleteMemory({ params })).rejects.toMatchObject({ status: 404 });
    const second = await write({ ...slot, data: 'new' });
    expect(second).toMatchObject({ created: true, item_count: 1, expires_at: null });
    expect(second.slot_id).not.toBe(first.slot_id);
    world.service.setTime(undefined);
  });

  test('replacing resets the expiry; appending keeps it unless it sets a new one', async () => {
    world.service.setTime(at);
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
    world.service.setTime(undefined);
    expect(expiries).toEqual([60_000, 60_000, 120_000, 60_000, null]);
  });

  test('expired slots are removed in small batches, with their items', async () => {
    const scope_key = newScope();
    world.service.setTime(at);
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
    world.service.setTime(at + 1000);
    await write({ slot_name: 'stays', scope_key, data: 2 });
    expect([await rowsOf('memory_slots'), await rowsOf('memory_items')]).toEqual([
      before[0] - 5,
      before[1] - 15,
    ]);
    const tenantId = await tenantOf(stay.slot_id);
    const expired = { tenantId, by: 'expires_at', before: at + 1001 } as const;
    expect([
      await deleteSlots(world.service.storage, expired, 10),
      await deleteSlots(world.service.storage, expired, 10),
      await deleteSlots(world.service.storage, expired, 10),
      await deleteSlots(world.service.storage, expired, 10),
    ]).toEqual([10, 10, 8, 0]);
    expect([await rowsOf('memory_slots'), await rowsOf('memory_items')]).toEqual([
      before[0] - 12,
      before[1] - 36,
    ]);
    world.service.setTime(undefined);
    expect(await dataOf(scope_key)).toEqual([2]);
  });

  test('a long expired list is removed in small batches, and is still a list meanwhile', async () => {
    const scope_key = newScope();
    world.service.setTime(EARLY);
    const slot = { slot_name: 'l', scope_key, memory_type: 'list' } as const;
    const data = Array.from({ length: 25 }, (_, i) => i);
    const { slot_id } = await write({ ...slot, data });
    world.service.setTime(EARLY + 1000);
    await write({ slot_name: 'later', scope_key, data: 'later' });
    const old = { tenantId: await tenantOf(slot_id), by: 'updated_at', before: EARLY + 1 } as const;
    const left = async () => {
      const found = (await read(scope_key)).find(({ id }) => id === slot_id);
      return [found?.data, found?.item_count, found?.size_bytes];
    };
    expect(await deleteSlots(world.service.storage, old, 10)).toBe(10);
    expect(await left()).toEqual([data.slice(10), 15, 30]);
    expect(await deleteSlots(world.service.storage, old, 14)).toBe(14);
    expect(await left()).toEqual([[24], 1, 2]);
    await write({ ...slot, data: 'again' });
    expect(await deleteSlots(world.service.storage, old, 14)).toBe(0);
    expect(await left()).toEqual([[24, 'again'], 2, 9]);
    const all = { ...old, before: EARLY + 1001 };
    expect([
      await deleteSlots(world.service.storage, all, 14),
      await deleteSlots(world.service.storage, all, 14),
    ]).toEqual([4, 0]);
    expect(await read(scope_key)).toEqual([]);
    world.service.setTime(undefined);
  });

  test('a slot that is written during its deletion exists afterwards', async () => {
    const scope_key = newScope();
    world.service.setTime(EARLY);
    const slot = { slot_name: 'l', scope_key, memory_type: 'list' } as const;
    const { slot_id } = await write({ ...slot, data: 'old' });
    const old = { tenantId: await tenantOf(slot_id), by: 'updated_at', before: EARLY + 1 } as const;
    world.service.setTime(EARLY + 1000);
    await Promise.all([
      ...['a', 'b', 'c'].map((data) => write({ ...slot, data })),
      deleteSlots(world.service.storage, old, 250),
      deleteSlots(world.service.storage, old, 250),
    ]);
    world.service.setTime(undefined);
    const [items] = (await dataOf(scope_key)) as string[][];
    expect(items?.filter((item) => item !== 'old').sort()).toEqual(['a', 'b', 'c']);
  });
});
