import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from '../support/processes.ts';

const write = /\bdb\s*\.(insertInto|updateTable|deleteFrom)\(/;

/** Returns the declarations of a module that write with a connection passed as a `Db`. */
const writersOn = (text: string): string[] =>
  text
    .split(/^(?=(?:export )?(?:async )?(?:function|const) \w+)/m)
    .filter((declaration) => /\bdb: Db\b/.test(declaration) && write.test(declaration))
    .map((declaration) => /(?:function|const) (\w+)/.exec(declaration)![1]!);

test('a function that writes with a Db is found', () => {
  const text = [
    "export const read = (db: Db) => db.selectFrom('runs').execute();",
    "export async function write(db: Db) {\n  await db\n    .updateTable('runs')\n}",
    "const insert = (tx: Tx) => tx.db.insertInto('runs');",
  ].join('\n\n');
  expect(writersOn(text)).toEqual(['write']);
});

test('functions that write take a transaction, not a connection', () => {
  const files = globSync('control-plane/**/*.ts', { cwd: root }).filter(
    (file) => !/\.test\.ts$|\/(console|dist|testing|migrations)\//.test(file),
  );
  expect(files.length).toBeGreaterThan(500);
  const found = files.flatMap((file) =>
    writersOn(readFileSync(join(root, file), 'utf8')).map((name) => `${file}: ${name}`),
  );
  expect(found).toEqual([]);
});
