/**
 * The first schema is the result of the development migrations; `first-schema/` contains the schema
 * read at that time.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openStorage } from '#control-plane/storage/open.ts';
import { databases, newDatabase } from '../support/databases.ts';
import { firstMigration } from '../support/migrations.ts';
import { readSchema } from './read-schema.ts';
import { schemaLines } from './schema.ts';

test.each(databases)('the first schema on %s', async (kind) => {
  const database = await newDatabase(kind, { isEmpty: true });
  const onProblem = (line: string) => expect.fail(line);
  await (await openStorage({ ...database, migrations: firstMigration, onProblem })).close();
  const found = schemaLines(await readSchema(database));
  const file = join(import.meta.dirname, 'first-schema', `${kind}.txt`);
  expect(found.join('\n')).toBe(readFileSync(file, 'utf8').trimEnd());
  await database.remove();
});
