import { X509Certificate } from 'node:crypto';
import { parse } from 'plist';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openStorage } from '#control-plane/storage/open.ts';
import { DAY_MS } from '#lib/time-units.ts';
import type { Dictionary } from '#profile-builder/testing/apple-schema/rule.ts';
import { startTestControlPlane, type TestControlPlane } from '../support/control-plane.ts';
import { databases, newDatabase, type TestDatabase } from '../support/databases.ts';

describe.each(databases)('the roots of the profile on %s', (kind) => {
  let database: TestDatabase;
  let env: Record<string, string>;
  let service: TestControlPlane | undefined;
  beforeAll(async () => {
    database = await newDatabase(kind);
    const { dataDir, databaseUrl = '' } = database;
    env = { DATA_DIR: dataDir, DATABASE_URL: databaseUrl, LOG_LEVEL: 'silent' };
    service = await startTestControlPlane(kind, env);
  });
  afterAll(async () => {
    await service?.stop();
    await database.remove();
  });

  const fetched = async (): Promise<string[]> => {
    const xml = await service?.byKey.deployment.getMdmProfile({ query: {} });
    return (parse(xml ?? '') as unknown as { PayloadContent: Dictionary[] }).PayloadContent.filter(
      ({ PayloadType }) => PayloadType === 'com.apple.security.root',
    ).map(({ PayloadContent }) => new X509Certificate(PayloadContent as never).fingerprint256);
  };

  test('are those that are valid: one that expired before it was retired is left out', async () => {
    const start = Date.now();
    expect(await fetched()).toHaveLength(1);
    service?.setTime(start + 365 * DAY_MS);
    const next = await service?.byKey.authorities.rotateAuthority({ body: {} });
    expect(await fetched()).toHaveLength(2);
    service?.setTime(start + 3651 * DAY_MS);
    expect(await fetched()).toEqual([next?.fingerprint]);
    service?.setTime(start + 4100 * DAY_MS);
    await expect(fetched()).rejects.toMatchObject({
      status: 409,
      message: 'every root of this tenant has expired: create and activate the next root first',
    });
    service?.setTime(undefined);
  });

  test('must exist: without a root there is no profile, and the control plane does not start', async () => {
    const { databaseUrl, dataDir } = database;
    const storage = await openStorage({ databaseUrl, dataDir, onProblem: () => undefined });
    await storage.db.deleteFrom('authorities').execute();
    await storage.close();
    const keys = await service?.byKey.identity.listApiKeys();
    await expect(fetched()).rejects.toMatchObject({
      status: 409,
      message: 'this tenant has no certificate authority, which the profile requires',
    });
    expect(await service?.byKey.identity.listApiKeys()).toEqual(keys);
    await service?.stop();
    service = undefined;
    await expect(startTestControlPlane(kind, env)).rejects.toThrow(
      /^tenant tnt_\w+ has no certificate authority: restore the rows of the table authorities from a backup$/,
    );
  });
});
