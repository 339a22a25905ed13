import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { verifyPassword } from '#control-plane/identity/password/passwords.ts';
import { openStorage } from '#control-plane/storage/open.ts';
import { OWNER, startTestControlPlane, type TestControlPlane } from '../support/control-plane.ts';
import { databases, newDatabase, type TestDatabase } from '../support/databases.ts';
import { root } from '../support/processes.ts';

// The command runs in a separate process, which hashes at the real cost.
vi.unmock('#control-plane/identity/password/scrypt-cost.ts');

async function users(env: Record<string, string>, ...args: string[]): Promise<[number, string]> {
  const child = spawn(
    process.execPath,
    [join(root, 'control-plane/identity/command.ts'), ...args],
    {
      env: { PATH: process.env.PATH, ...env },
    },
  );
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const [code] = (await once(child, 'close')) as [number];
  return [code, output];
}

const RESET =
  /^owner@example\.test {3}([\w-]{20})\nThis password is shown only once and must be changed at the next sign-in\.\n$/;

/** SQLite belongs to one process; PostgreSQL can be shared with a control plane that runs. */
const WHILE_IT_RUNS = {
  sqlite: [1, /^users: DATA_DIR=\S+: another control plane .*; stop it first\n$/],
  postgres: [0, RESET],
} as const;

describe.each(databases)('the users command on %s', (kind) => {
  let database: TestDatabase;
  let service: TestControlPlane;
  let env: Record<string, string>;
  beforeAll(async () => {
    database = await newDatabase(kind);
    env = { DATA_DIR: database.dataDir, DATABASE_URL: database.databaseUrl ?? '' };
    service = await startTestControlPlane(kind, env);
  });
  afterAll(() => database.remove());

  test('resets a password when the control plane is stopped, and while it runs if the database allows that', async () => {
    const [code, line] = WHILE_IT_RUNS[kind];
    expect(await users(env, 'reset-password', OWNER.email)).toEqual([
      code,
      expect.stringMatching(line),
    ]);
    await service.stop();
    const [done, output] = await users(env, 'reset-password', OWNER.email);
    expect([done, output]).toEqual([0, expect.stringMatching(RESET)]);
    const storage = await openStorage({ ...database, onProblem: () => undefined });
    const user = await storage.db.selectFrom('users').selectAll().executeTakeFirstOrThrow();
    const open = await storage.db
      .selectFrom('sessions')
      .select('id')
      .where('revoked_at', 'is', null)
      .execute();
    const entry = await storage.db
      .selectFrom('audit_entries')
      .select(['actor_type', 'actor_id', 'action', 'resource_id', 'ip'])
      .orderBy('sequence', 'desc')
      .limit(1)
      .executeTakeFirst();
    await storage.close();
    expect(await verifyPassword(RESET.exec(output)?.[1] ?? '', user.password_hash)).toBe(true);
    expect([user.must_change_password, open]).toEqual([1, []]);
    expect(entry).toEqual({
      actor_type: 'system',
      actor_id: 'users command',
      action: 'user.reset_password',
      resource_id: user.id,
      ip: null,
    });
  });

  test('changes nothing without the key of the control plane', async () => {
    const SECRET_KEY = 'another key of at least thirty-two characters';
    expect(await users({ ...env, SECRET_KEY }, 'reset-password', OWNER.email)).toEqual([
      1,
      expect.stringMatching(/^users: SECRET_KEY: not the key that this database was created with/),
    ]);
    rmSync(join(database.dataDir, 'secret.key'));
    expect(await users(env, 'reset-password', OWNER.email)).toEqual([
      1,
      expect.stringMatching(
        /^users: SECRET_KEY: not set, and there is no secret\.key in DATA_DIR=/,
      ),
    ]);
  });

  test('rejects an unknown user', async () => {
    const SECRET_KEY = 'another key of at least thirty-two characters';
    expect(await users({ ...env, SECRET_KEY }, 'reset-password', 'unknown@example.test')).toEqual([
      1,
      'users: there is no user with the email unknown@example.test\n',
    ]);
  });
});

test.each([
  [[], /^usage: /],
  [['reset-password'], /^usage: /],
  [['reset-password', 'a@example.test', 'b@example.test'], /^usage: /],
  [['reset-password', '--force'], /^Unknown option '--force'/],
  [['reset-password', 'a@example.test'], /^users: DATA_DIR=\/nowhere: there is no database/],
])('users %j is rejected', async (args, line) => {
  expect(await users({ DATA_DIR: '/nowhere' }, ...args)).toEqual([1, expect.stringMatching(line)]);
});
