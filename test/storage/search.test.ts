import { rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { listCalls } from '#control-plane/llm-calls/queries.ts';
import { phrasesOf } from '#control-plane/storage/search/word-rules.ts';
import { openStorage, type Storage } from '#control-plane/storage/open.ts';
import type { Tx } from '#control-plane/storage/transaction.ts';
import { databases, newDatabase, type TestDatabase } from '../support/databases.ts';
import { storeCalls, misindexedCalls } from '../support/searched-calls.ts';

interface Texts {
  model?: string;
  task?: string | null;
  prompt_preview?: string;
  response_preview?: string;
}

const store = async (storage: Storage, tenantId: string, texts: Texts[]): Promise<number[]> =>
  (await storeCalls(storage, tenantId, texts)).map(({ id }) => id);

/** Returns the ids of the calls that a search finds, oldest first. */
async function search(storage: Storage, tenantId: string, query: string): Promise<number[]> {
  while (!(await storage.search.catchUp(tenantId)));
  const phrases = phrasesOf(query);
  if (phrases.length === 0) return [];
  const sort = { by: 'created_at', direction: 'asc' } as const;
  const list = { phrases, sort, limit: 100, offset: 0 };
  const { rows, aggregates } = await listCalls(storage, tenantId, list);
  expect(aggregates.total_calls).toBe(rows.length);
  return rows.map((row) => row.id);
}

const corpus: Texts[] = [
  { model: 'gpt-4o', task: 'Refund', prompt_preview: 'Where is my order? Ada’s order #7' },
  { model: 'gpt-4o-mini', prompt_preview: 'The refund order form', response_preview: 'Done.' },
  { model: 'claude', task: 'snake_case_task', response_preview: 'ada.lovelace@example.com' },
  { model: 'own', prompt_preview: 'Ça va bien, ÑANDÚ', response_preview: '東京タワーは高い' },
  { model: 'own', prompt_preview: 'ends with refund', response_preview: 'order begins' },
  { model: 'own', prompt_preview: 'party 🎉 time', response_preview: 'สวัสดีครับ हिन्दी' },
  { model: 'own', prompt_preview: `${'the the cat '.repeat(600)}needle in hay` },
  { model: 'own', prompt_preview: `${'x '.repeat(30_000)}beyond` },
];

const queries: [string, number[]][] = [
  ['refund', [0, 1, 4]],
  ['REFUND Order', [0, 1, 4]],
  ['"refund order"', [1]],
  ['“refund order”', [1]],
  ['"order refund"', []],
  ['ord*', [0, 1, 4]],
  ['"refund ord*"', [1]],
  ['refund ord* form', [1]],
  ['gpt-4o', [0, 1]],
  ['gpt-4o-m*', [1]],
  ['4o', [0, 1]],
  ['gpt-4', []],
  ['ada', [0, 2]],
  ['ada.lovelace@example.com', [2]],
  ['lovelace@example.c*', [2]],
  ['example.com lovelace', [2]],
  ['snake_case_task', [2]],
  ['case_task', [2]],
  ['ca va', [3]],
  ['Nandú', [3]],
  ['東京', [3]],
  ['京東', []],
  ['タワー', [3]],
  ['🎉', [5]],
  ['สวัสดี', [5]],
  ['हिन्दी', [5]],
  ['"the cat needle"', [6]],
  ['"the the cat the the cat needle in"', [6]],
  ['"cat cat"', []],
  ['beyond', []],
  ['#7', [0]],
  ['refund AND order', []],
  ['refund -order', [0, 1, 4]],
  ['model:gpt', []],
  ['"unbalanced', []],
  ['"form', [1]],
  ["ada's", [0]],
  ["ada't", []],
  ["' OR 1=1 --", []],
  ['NEAR(refund order)', []],
  ['refund*', [0, 1, 4]],
  ['*refund', [0, 1, 4]],
  ['(refund)', [0, 1, 4]],
  ['^refund', [0, 1, 4]],
  ['!!!', []],
];

describe.each(databases)('search on %s', (kind) => {
  let database: TestDatabase;
  let storage: Storage;
  let ids: number[];
  const problems: string[] = [];
  const open = () => openStorage({ ...database, onProblem: (line) => problems.push(line) });
  beforeAll(async () => {
    database = await newDatabase(kind);
    storage = await open();
    ids = await store(storage, 'tnt_1', corpus);
    await store(storage, 'tnt_2', [{ prompt_preview: 'refund order of another tenant' }]);
  });
  afterAll(async () => {
    await storage.close();
    await database.remove();
  });

  test.each(queries)('%j', async (query, expected) => {
    const found = await search(storage, 'tnt_1', query);
    expect(found.map((id) => ids.indexOf(id))).toEqual(expected);
  });

  test('a tenant finds only its own calls', async () => {
    expect(await search(storage, 'tnt_2', 'refund')).toHaveLength(1);
    expect(await search(storage, 'tnt_3', 'refund')).toEqual([]);
  });

  test('no string causes an error', async () => {
    const part = fc.constantFrom(
      ...Array.from('"*-:()^{}+\\\'%_,;.~&|!<> '),
      'a',
      'NEAR',
      'AND',
      'OR',
      '東',
      '🎉',
    );
    const query = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.array(part).map((parts) => parts.join('')),
    );
    await fc.assert(
      fc.asyncProperty(query, async (text) => {
        await search(storage, 'tnt_1', text);
      }),
      { numRuns: 200 },
    );
  });

  test('any text is found by its words, and deleted calls are not found', async () => {
    const text = fc.string({ unit: fc.constantFrom(...Array.from('abcé ,東🎉-_')), minLength: 1 });
    await fc.assert(
      fc.asyncProperty(fc.array(text, { minLength: 1, maxLength: 5 }), async (texts) => {
        const tenant = `tnt_${Math.random()}`;
        const stored = await store(
          storage,
          tenant,
          texts.map((prompt_preview) => ({ prompt_preview })),
        );
        const first = texts[0] as string;
        const found = await search(storage, tenant, `"${first}"`);
        expect(found.includes(stored[0] ?? 0)).toBe(phrasesOf(first).length > 0);
        await storage.transaction(async (tx) => {
          await tx.db.deleteFrom('llm_calls').where('tenant_id', '=', tenant).execute();
          await storage.search.changed(tx, tenant, stored);
        });
        expect(await search(storage, tenant, `"${first}"`)).toEqual([]);
      }),
      { numRuns: 25 },
    );
  });

  test('searching many calls gives the same results as searching few', async () => {
    const texts = Array.from({ length: 3000 }, (_, i) => ({
      model: `m${i % 3}`,
      prompt_preview: `common ${i % 2 ? 'odd' : 'even'} n${i}`,
    }));
    await store(storage, 'tnt_many', texts);
    while (!(await storage.search.catchUp('tnt_many')));
    const sort = { by: 'created_at', direction: 'desc' } as const;
    const list = (query: string, model?: string[]) =>
      listCalls(storage, 'tnt_many', {
        phrases: phrasesOf(query),
        model,
        sort,
        limit: 2,
        offset: 0,
      });
    const common = await list('common');
    expect(common.aggregates).toMatchObject({ total_calls: 3000, models_used: ['m0', 'm1', 'm2'] });
    expect(common.rows.map((row) => row.prompt_preview)).toEqual([
      'common odd n2999',
      'common even n2998',
    ]);
    expect((await list('common odd', ['m1'])).aggregates.total_calls).toBe(500);
    expect((await list('n17')).aggregates.total_calls).toBe(1);
  });

  // A SQLite database belongs to one process.
  test.runIf(kind === 'postgres')(
    'two processes index concurrently, and each finds the calls of the other',
    async () => {
      const other = await open();
      const words = Array.from({ length: 20 }, (_, i) => `twin${i}`);
      await Promise.all(
        words.map(async (word, i) => {
          const [one, two] = i % 2 ? [storage, other] : [other, storage];
          await store(one, 'tnt_twin', [{ prompt_preview: word }]);
          expect(await search(two, 'tnt_twin', word)).toHaveLength(1);
        }),
      );
      await other.close();
    },
  );

  test('calls that were recorded but not indexed are found after a restart', async () => {
    const first = await open();
    const [id] = await store(first, 'tnt_late', [{ prompt_preview: 'late' }]);
    await first.close();
    expect(await search(storage, 'tnt_late', 'late')).toEqual([id]);
  });

  test('the queue becomes empty, and no words without a call remain', async () => {
    const [gone = 0] = await store(storage, 'tnt_1', [{ prompt_preview: 'gone' }]);
    expect(await search(storage, 'tnt_1', 'gone')).toEqual([gone]);
    await storage.transaction((tx) => remove(tx, gone));
    await expect.poll(() => misindexedCalls(storage, kind)).toEqual([]);
    expect(problems).toEqual([]);
  });

  test('a call whose deletion was rolled back stays in the index', async () => {
    const other = await open();
    const [kept = 0] = await store(other, 'tnt_1', [{ prompt_preview: 'spared' }]);
    expect(await search(other, 'tnt_1', 'spared')).toEqual([kept]);
    const failing = other.transaction(async (tx) => {
      await remove(tx, kept, other);
      throw new Error('on purpose');
    });
    await expect(failing).rejects.toThrow('on purpose');
    // Closing performs postponed work.
    await other.close();
    expect(await search(storage, 'tnt_1', 'spared')).toEqual([kept]);
  });

  const remove = async (tx: Tx, id: number, by = storage): Promise<void> => {
    await tx.db.deleteFrom('llm_calls').where('id', '=', id).execute();
    await by.search.changed(tx, 'tnt_1', [id]);
  };
});

describe('the search index file', () => {
  const withDatabase = async (
    work: (open: () => Promise<Storage>, file: string) => Promise<void>,
  ) => {
    const database = await newDatabase('sqlite');
    const problems: string[] = [];
    const file = join(database.dataDir, 'gatehouse-search.db');
    await work(() => openStorage({ ...database, onProblem: (line) => problems.push(line) }), file);
    await database.remove();
    expect(problems).toEqual([]);
  };
  const texts = [{ prompt_preview: 'kept' }, { prompt_preview: 'gone' }];
  const removeFile = (file: string) => {
    for (const part of ['', '-wal', '-shm']) rmSync(file + part, { force: true });
  };

  test.each<[string, (file: string) => void]>([
    ['that is gone', removeFile],
    [
      'that is damaged',
      (file) => {
        removeFile(file);
        writeFileSync(file, 'no database '.repeat(1000));
      },
    ],
  ])('%s is rebuilt', (_name, harm) =>
    withDatabase(async (open, file) => {
      const first = await open();
      const [id] = await store(first, 'tnt_1', texts);
      expect(await search(first, 'tnt_1', 'kept')).toEqual([id]);
      await first.close();
      expect(statSync(file).mode & 0o777).toBe(0o600);
      harm(file);
      const second = await open();
      expect(await search(second, 'tnt_1', 'kept')).toEqual([id]);
      await second.close();
    }),
  );

  test('that is ahead of a restored database is rebuilt', () =>
    withDatabase(async (open) => {
      const first = await open();
      await store(first, 'tnt_1', texts);
      expect(await search(first, 'tnt_1', 'gone')).toHaveLength(1);
      await sql`delete from llm_calls`.execute(first.db);
      await sql`delete from sqlite_sequence where name = 'llm_calls'`.execute(first.db);
      await first.close();
      const second = await open();
      const [id] = await store(second, 'tnt_1', [{ prompt_preview: 'new' }]);
      expect(await search(second, 'tnt_1', 'new')).toEqual([id]);
      expect(await search(second, 'tnt_1', 'kept')).toEqual([]);
      await second.close();
    }));
});
