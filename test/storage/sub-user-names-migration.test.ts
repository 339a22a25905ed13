import { expect, test } from 'vitest';
import { namesOfSubUsers } from '#control-plane/storage/migrations/029-names-of-sub-users.ts';
import { openStorage } from '#control-plane/storage/open.ts';
import { databases, newDatabase } from '../support/databases.ts';

test.each(databases)('on %s tokens of before keep what they were issued with', async (kind) => {
  const database = await newDatabase(kind);
  const storage = await openStorage({ ...database, onProblem: () => undefined });
  const columns = ['known_roles', 'known_permissions'] as const;
  for (const column of columns)
    await storage.db.schema.alterTable('sub_user_sessions').dropColumn(column).execute();
  const before = { roles: '["viewer"]', permissions: '["record","admin"]' };
  const row = {
    tenant_id: 'tnt_1',
    id: 'sus_1',
    sub_user_id: 'ada',
    issued_by: 'key_1',
    ...before,
  };
  await storage.db
    .insertInto('sub_user_sessions')
    .values({ ...row, created_at: 1, expires_at: 2 } as never)
    .execute();
  await namesOfSubUsers.up(storage.db);
  expect(
    await storage.db.selectFrom('sub_user_sessions').select(columns).executeTakeFirst(),
  ).toEqual({ known_roles: before.roles, known_permissions: before.permissions });
  await storage.close();
  await database.remove();
});
