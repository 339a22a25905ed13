import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { startOn } from '../support/control-plane.ts';
import { databases, newDatabase } from '../support/databases.ts';

const GENERATED = {
  BOOTSTRAP_API_KEY: '',
  BOOTSTRAP_ADMIN_EMAIL: '',
  BOOTSTRAP_ADMIN_PASSWORD: '',
};

describe.each(databases)('the first credentials on %s', (kind) => {
  test('are shown again by the next start until they have been shown', async () => {
    const database = await newDatabase(kind);
    const firstOf = async (shown: boolean) => {
      const { controlPlane } = await startOn(database, GENERATED);
      if (shown) controlPlane.credentialsShown();
      await controlPlane.close();
      return controlPlane.firstCredentials;
    };
    const made = await firstOf(false);
    expect(made).toEqual({
      email: 'owner@gatehouse.local',
      password: expect.stringMatching(/^[\w-]{16}$/) as string,
      apiKey: expect.stringMatching(/^svc_sk_/) as string,
    });
    expect(await firstOf(true)).toEqual(made);
    expect(await firstOf(false)).toBeNull();
    expect(existsSync(join(database.dataDir, 'first-credentials.json'))).toBe(false);
    await database.remove();
  });

  test('that the operator provided are not stored', async () => {
    const database = await newDatabase(kind);
    const { controlPlane } = await startOn(database);
    expect(existsSync(join(database.dataDir, 'first-credentials.json'))).toBe(false);
    await controlPlane.close();
    await database.remove();
  });

  test('of another database are not shown for this one', async () => {
    const [one, other] = [await newDatabase(kind), await newDatabase(kind)];
    await (await startOn(other)).controlPlane.close();
    const first = await startOn(one, GENERATED);
    await first.controlPlane.close();
    // The data folder of one database together with the other database.
    const name = 'first-credentials.json';
    writeFileSync(join(other.dataDir, name), readFileSync(join(one.dataDir, name)));
    const next = await startOn(other);
    expect(next.controlPlane.firstCredentials).toBeNull();
    await next.controlPlane.close();
    await one.remove();
    await other.remove();
  });
});
