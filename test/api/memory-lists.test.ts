import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { databases } from '../support/databases.ts';
import { embedding, setUpMemory, type Episodic } from '../support/agent-memory.ts';

describe.each(databases)('memory on %s', (kind) => {
  const world = setUpMemory(kind);
  const { newScope, write, writeFact, read, dataOf, get, rowsOf, fact } = world;

  test('paging shows each slot once, newest first, with any filter', async () => {
    const scope_key = newScope();
    const ids: string[] = [];
    for (let i = 0; i < 11; i += 1) {
      const place = { slot_name: `s${i % 2}`, scope_key };
      const written =
        i % 3 ? await writeFact({ ...place, content: 'x' }) : await write({ ...place, data: i });
      if (written.created) ids.unshift(written.slot_id ?? '');
    }
    const { memory } = world.service.one.byOwner;
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
      await count({ scope_key, run_id: world.run_id }),
      await count({ scope_key, run_id: '999999' }),
      await count({ scope_key, slot_name: '' }),
      (await count({ scope_key: '', run_id: world.run_id })) -
        (await count({ run_id: world.run_id })),
      await count({ scope_key: 'nowhere' }),
    ]).toEqual([ids.length, ids.length, ids.length, 0, ids.length, 0, 0]);
    const [shown] = (await memory.listMemory({ query: { scope_key } })).results;
    expect(Object.keys(shown ?? {})).not.toContain('embedding');
    await expect(count({ type: 'both' })).rejects.toThrow('type');
    await expect(count({ run_id: 'x' })).rejects.toThrow('run_id');
  });

  test("a list shows the contents of slots if they are short, like a run's detail", async () => {
    const scope_key = newScope();
    const { run_id: run } = await world.service.one.byKey.recording.startRun({
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
    await writeFact(
      { slot_name: 'fact', scope_key, content: 'It rains', metadata: { by: 'x' } },
      run,
    );
    await writeFact({ slot_name: 'wordy', scope_key, content: 'y', metadata: { long } }, run);
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
    const { memory, runs } = world.service.one.byOwner;
    const { results } = await memory.listMemory({ query: { scope_key } });
    expect(results).toMatchObject(expected);
    expect((await runs.getRun({ params: { id: run } })).memory).toEqual(results);
    for (const { id, data } of results.filter(({ truncated }) => !truncated))
      expect((await get(id)).data).toEqual(data);
  });

  test('a response stays small, and all pages together show everything once', async () => {
    const scope_key = newScope();
    const big = 'x'.repeat(262_100);
    for (let i = 0; i < 18; i += 1) await write({ slot_name: `s${i}`, scope_key, data: [i, big] });
    const seen: number[] = [];
    let pages = 0;
    for (let offset: number | undefined = 0; offset !== undefined; pages += 1) {
      const query = { scope_key, limit: 100, offset };
      const page = await world.service.one.byKey.memory.readMemory({ query });
      expect(page.count).toBe(18);
      seen.push(...page.results.map(({ data }) => (data as [number])[0]));
      const next: string | null | undefined =
        page.next && new URL(page.next).searchParams.get('offset');
      offset = next ? Number(next) : undefined;
    }
    expect(pages).toBe(2);
    expect(seen.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 18 }, (_, i) => i));
  });

  test('if a list is too large for one response, its newest items come first', async () => {
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

  test('a slot is deleted with its items and is then not found', async () => {
    const scope_key = newScope();
    const items = await rowsOf('memory_items');
    const { slot_id: id } = await write({
      slot_name: 's',
      scope_key,
      memory_type: 'list',
      data: [1, 2],
    });
    const remove = () => world.service.one.byOwner.memory.deleteMemory({ params: { id } });
    expect(await remove()).toBeUndefined();
    await expect(remove()).rejects.toMatchObject({ status: 404 });
    await expect(get(id)).rejects.toMatchObject({ status: 404 });
    expect([await dataOf(scope_key), await rowsOf('memory_items')]).toEqual([[], items]);
  });

  const setMasking = (keys: { key: string; type: string }[], enabled = true) =>
    world.service.one.byOwner.settings.putRecordingSettings({
      body: { retention_days: null, masking: { enabled, builtin: ['EMAIL'], keys, patterns: [] } },
    });

  test('memory is masked before it is stored', async () => {
    const scope_key = newScope();
    await setMasking([{ key: 'phone', type: 'PHONE' }]);
    const data = { turns: ['by ada@example.com'], phone: '12' };
    await write({ slot_name: 'd', scope_key, data });
    await write({ slot_name: 'l', scope_key, memory_type: 'list', data: [data] });
    const metadata = { phone: '12', from: 'ada@example.com' };
    await writeFact({ slot_name: 'f', scope_key, content: 'Ask ada@example.com', metadata });
    await writeFact({ slot_name: 'f', scope_key, content: 'Nothing to mask' });
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

  test('a tenant does not see memory of another, nor whether it exists', async () => {
    const scope_key = newScope();
    const { slot_id: id } = await write({ slot_name: 's', scope_key, data: 'mine' });
    await writeFact({ slot_name: 'f', scope_key, fact_key: 'k', content: 'mine' });
    const { byKey, byOwner } = world.service.other;
    const foreign = [
      () => byOwner.memory.getMemory({ params: { id }, query: {} }),
      () => byOwner.memory.deleteMemory({ params: { id } }),
      () =>
        byKey.memory.writeEpisodic({
          params: { run_id: world.run_id },
          body: { slot_name: 's', scope_key, data: 'theirs' },
        }),
    ];
    for (const request of foreign) await expect(request()).rejects.toMatchObject({ status: 404 });
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
