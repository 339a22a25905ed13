import 'reflect-metadata';
import { describe, expect, test } from 'vitest';
import { databases } from '../support/databases.ts';
import { description } from '../support/device.ts';
import { setUpEnrollment } from '../support/enrollment.ts';

const loopback = /^(127\.0\.0\.1|::1)$/;
/** What the device reports about itself. */
const { hostname, user } = description;

describe.each(databases)('enrollment on %s', (kind) => {
  const world = setUpEnrollment(kind);
  const { admin, newComputer, enroll, lastEntryOf, errorLineOf } = world;

  test('the audit log contains decisions about a device with their author and reason', async () => {
    const { id } = await enroll(await newComputer('hardware-audited'));
    await admin().revokeDevice({ params: { id }, body: { reason: 'stolen' } });
    expect(await lastEntryOf(id)).toMatchObject({
      action: 'device.revoke',
      metadata: { reason: 'stolen', before: { status: 'active' }, after: { status: 'revoked' } },
    });
  });

  test('the audit log contains enrollments and the device that took over an identity', async () => {
    const first = await newComputer('hardware-logged');
    const { id } = await enroll(first);
    const { results } = await world.service.byOwner.identity.listApiKeys();
    const used = results.filter(({ last_used_at }) => last_used_at !== null).map((key) => key.id);
    const ip = expect.stringMatching(loopback) as string;
    const entry = { action: 'device.enroll', resource_type: 'device', resource_id: id, ip };
    const shown = { id, hostname, user, status: 'active' };
    const key = expect.stringMatching(/^[0-9a-f]{64}$/) as string;
    const enrolled = await lastEntryOf(id);
    expect(enrolled).toMatchObject({
      ...entry,
      actor_type: 'agent',
      metadata: { key, after: shown },
    });
    expect(enrolled?.metadata).not.toHaveProperty('before');
    expect(used).toContain(enrolled?.actor_id);
    // Enrolling with the same key again adds no entry.
    await enroll(first);
    expect((await lastEntryOf(id))?.id).toBe(enrolled?.id);
    await enroll({
      ...(await newComputer('hardware-logged')),
      descriptionOverrides: { hostname: 'kali', user: 'eve' },
    });
    const taken = await lastEntryOf(id);
    expect(taken).toMatchObject({
      ...entry,
      metadata: {
        key,
        key_before: enrolled?.metadata.key,
        before: shown,
        after: { ...shown, hostname: 'kali', user: 'eve' },
      },
    });
    expect(taken?.metadata.key).not.toBe(enrolled?.metadata.key);
  });

  test('only admins decide about devices', async () => {
    const { id, client } = await enroll(await newComputer('hardware-decided'));
    const email = 'viewer@example.test';
    const password = 'a long enough pass phrase';
    await world.service.byOwner.identity.createUser({
      body: { email, password, role: 'viewer', must_change_password: false },
    });
    const { token } = await world.service.by({}).identity.login({ body: { email, password } });
    const viewer = world.service.by({ Authorization: `Bearer ${token}` });
    const byProfile = world.service.by({ 'X-Svc-Key': world.profile.apiKey });
    const refused = [viewer, byProfile].map((by) =>
      errorLineOf(by.enrollment.revokeDevice({ params: { id }, body: {} })),
    );
    expect(await Promise.all(refused)).toEqual([
      expect.stringMatching(/^403/) as string,
      expect.stringMatching(/^403/) as string,
    ]);
    await client.getConfig();
  });

  test('a device of another tenant is not found', async () => {
    const { id, client } = await enroll(await newComputer('hardware-of-ours'));
    const body = { name: 'Elsewhere' };
    const { api_key } = await world.service.byKey.subTenants.createSubTenant({ body });
    const { enrollment } = world.service.by({ 'X-Svc-Key': api_key });
    const params = { id };
    const refused = await Promise.all([
      errorLineOf(enrollment.approveDevice({ params, body: {} })),
      errorLineOf(enrollment.revokeDevice({ params, body: {} })),
      errorLineOf(enrollment.restoreDevice({ params, body: {} })),
    ]);
    expect(refused).toEqual(Array.from({ length: 3 }, () => `404 there is no device ${id}`));
    await client.getConfig();
  });
});
