import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Masking, RecordingSettings } from '#contract/settings.ts';
import { maskers } from '#control-plane/settings/masking/masker.ts';
import { recordingSettingsOf } from '#control-plane/settings/queries.ts';
import { OWNER } from '../support/control-plane.ts';
import { databases } from '../support/databases.ts';
import { pollUntil } from '../support/processes.ts';
import { startTwoTenants, type TwoTenants } from '../support/two-tenants.ts';

const defaults: RecordingSettings = {
  retention_days: null,
  capture_retention_days: null,
  masking: { enabled: false, builtin: [], keys: [], patterns: [] },
};

const masking: Masking = {
  enabled: true,
  builtin: ['EMAIL', 'CREDIT_CARD'],
  keys: [{ key: 'metadata.customer.*', type: 'CUSTOMER' }],
  patterns: [{ name: 'EMPLOYEE_ID', pattern: '(?i)\\bemp-\\d{4}\\b' }],
};
const settings: RecordingSettings = { retention_days: 30, capture_retention_days: 7, masking };

const pattern = (source: string, name = 'X') => ({ name, pattern: source });
const key = (name: string, type = 'X') => ({ key: name, type });
const many = <T>(count: number, of: (index: number) => T) =>
  Array.from({ length: count }, (_, i) => of(i));

const refused: [string, object, RegExp][] = [
  ['an unknown field', { ...settings, colour: 'red' }, /colour/],
  [
    'an unknown field of masking',
    { ...settings, masking: { ...masking, mode: 1 } },
    /^masking: .*mode/,
  ],
  ['no masking', { retention_days: 1 }, /^masking: /],
  ['no day', { ...settings, retention_days: 0 }, /^retention_days: /],
  ['too many days', { ...settings, retention_days: 3651 }, /^retention_days: /],
  ['half a day', { ...settings, retention_days: 1.5 }, /^retention_days: /],
  ['days as text', { ...settings, retention_days: '7' }, /^retention_days: /],
];

const refusedRules: [string, Partial<Record<keyof Masking, unknown>>, RegExp][] = [
  ['enabled as text', { enabled: 'yes' }, /^masking\.enabled: /],
  ['an unknown type', { builtin: ['EMAIL', 'SHOE_SIZE'] }, /^masking\.builtin\[1\]: /],
  [
    'a type twice',
    { builtin: ['EMAIL', 'EMAIL'] },
    /^masking\.builtin\[1\]: duplicate name "EMAIL"/,
  ],
  ['an empty key', { keys: [key('')] }, /^masking\.keys\[0\]\.key: /],
  ['an empty part of a key', { keys: [key('a..b')] }, /^masking\.keys\[0\]\.key: .*single dots/],
  ['a key twice', { keys: [key('a'), key('A')] }, /^masking\.keys\[1\]: duplicate name "a"/],
  ['a type in small letters', { keys: [key('a', 'pass')] }, /^masking\.keys\[0\]\.type: .*A-Z/],
  ['51 keys', { keys: many(51, (i) => key(`k${i}`)) }, /^masking\.keys: expected at most 50/],
  [
    '51 patterns',
    { patterns: many(51, (i) => pattern('x', `P${i}`)) },
    /^masking\.patterns: expected at most 50/,
  ],
  [
    'a name twice',
    { patterns: [pattern('a'), pattern('b')] },
    /^masking\.patterns\[1\]: duplicate name "X"/,
  ],
  [
    'a pattern of 501',
    { patterns: [pattern('a'.repeat(501))] },
    /^masking\.patterns\[0\]\.pattern: /,
  ],
  ['no pattern', { patterns: [pattern('')] }, /^masking\.patterns\[0\]\.pattern: /],
  [
    'a broken pattern',
    { patterns: [pattern('a', 'A'), pattern('(b', 'B')] },
    /^masking\.patterns\[1\]\.pattern: B missing closing \): `\(b`$/,
  ],
  [
    'a look-ahead',
    { patterns: [pattern('(?=a)b')] },
    /^masking\.patterns\[0\]\.pattern: X invalid/,
  ],
  ['a match of nothing', { patterns: [pattern('a*')] }, /X matches the empty string$/],
  [
    'patterns too large together',
    { patterns: many(20, (i) => pattern('\\d{150}', `P${i}`)) },
    /^masking\.patterns: all patterns together are too complex: \d+ steps, at most 2000$/,
  ],
];

describe.each(databases)('recording settings on %s', (kind) => {
  let service: TwoTenants;
  beforeAll(async () => {
    service = await startTwoTenants(kind);
  });
  afterAll(() => service.stop());

  const mine = () => service.one.byOwner.settings;
  const tenantId = async () => (await service.one.byOwner.identity.me()).tenant.id;
  const rowOf = async () =>
    service.storage.db
      .selectFrom('tenant_settings')
      .select(['updated_at', 'updated_by'])
      .where('tenant_id', '=', await tenantId())
      .executeTakeFirst();

  test('by default nothing is masked or deleted', async () => {
    expect(await service.other.byOwner.settings.getRecordingSettings()).toEqual(defaults);
    expect(await recordingSettingsOf(service.storage.db, 'tnt_none')).toEqual(defaults);
  });

  test('settings are stored completely, for this tenant only', async () => {
    const now = Date.now() + 1000;
    service.setTime(now);
    expect(await mine().putRecordingSettings({ body: settings })).toEqual(settings);
    service.setTime(undefined);
    expect(await mine().getRecordingSettings()).toEqual(settings);
    expect(await rowOf()).toEqual({ updated_at: now, updated_by: OWNER.email });
    expect(await service.other.byOwner.settings.getRecordingSettings()).toEqual(defaults);
    await mine().putRecordingSettings({ body: defaults });
    expect(await mine().getRecordingSettings()).toEqual(defaults);
  });

  test.each(refused)('%s is rejected by name, and changes nothing', async (_, body, message) => {
    const before = await mine().getRecordingSettings();
    await expect(mine().putRecordingSettings({ body: body as never })).rejects.toMatchObject({
      status: 400,
      message: expect.stringMatching(message) as string,
    });
    expect(await mine().getRecordingSettings()).toEqual(before);
  });

  test.each(refusedRules)('%s is rejected when saved and when tried', async (_, rules, message) => {
    const given = { ...masking, ...rules } as Masking;
    const refusal = { status: 400, message: expect.stringMatching(message) as string };
    const put = mine().putRecordingSettings({ body: { ...settings, masking: given } });
    await expect(put).rejects.toMatchObject(refusal);
    const tried = mine().tryMasking({ body: { masking: given, sample: 'x' } });
    await expect(tried).rejects.toMatchObject(refusal);
  });

  test('rules are tried on a sample, enabled or not, and nothing is stored', async () => {
    const before = await mine().getRecordingSettings();
    const sample = {
      prompt_preview: 'Emp-1234 wrote to a@b.io',
      metadata: { customer: { name: 'A', age: 40 }, n: 1.5, ok: true, none: null },
      inputs: ['{"to": "a@b.io"}', '4111 1111 1111 1111'],
    };
    for (const enabled of [true, false])
      expect(
        await mine().tryMasking({ body: { masking: { ...masking, enabled }, sample } }),
      ).toEqual({
        masked: {
          prompt_preview: '##EMPLOYEE_ID## wrote to ##EMAIL##',
          metadata: {
            customer: { name: '##CUSTOMER##', age: '##CUSTOMER##' },
            n: 1.5,
            ok: true,
            none: null,
          },
          inputs: ['{"to": "##EMAIL##"}', '##CREDIT_CARD##'],
        },
        counts: { EMPLOYEE_ID: 1, EMAIL: 2, CUSTOMER: 2, CREDIT_CARD: 1 },
      });
    expect(await mine().getRecordingSettings()).toEqual(before);
  });

  test.each(['text', 7, true, null, [], {}])('the sample may be %j', async (sample) => {
    const answer = await mine().tryMasking({ body: { masking, sample } });
    expect(answer).toEqual({ masked: sample, counts: {} });
  });

  test('without a sample the request is rejected', async () => {
    const body = { masking } as never;
    await expect(mine().tryMasking({ body })).rejects.toMatchObject({
      status: 400,
      message: expect.stringMatching(/^sample: /) as string,
    });
  });

  test.each([
    ['viewer', [200, 403, 403]],
    ['analyst', [200, 200, 403]],
    ['admin', [200, 200, 200]],
  ] as const)('a %s has the permissions of the role', async (role, statuses) => {
    const setRole = async (to: typeof role | 'owner') =>
      service.storage.db
        .updateTable('users')
        .set({ role: to })
        .where('tenant_id', '=', await tenantId())
        .execute();
    const statusOf = (call: Promise<unknown>) =>
      call.then(
        () => 200,
        (error: { status: number }) => error.status,
      );
    await setRole(role);
    const met = [
      await statusOf(mine().getRecordingSettings()),
      await statusOf(mine().tryMasking({ body: { masking, sample: 1 } })),
      await statusOf(mine().putRecordingSettings({ body: settings })),
    ];
    await setRole('owner');
    expect(met).toEqual(statuses);
  });

  test('an API key cannot replace a session', async () => {
    const { settings: byKey } = service.one.byKey;
    for (const call of [
      () => byKey.getRecordingSettings(),
      () => byKey.putRecordingSettings({ body: settings }),
      () => byKey.tryMasking({ body: { masking, sample: 1 } }),
    ])
      await expect(call()).rejects.toMatchObject({ status: 401 });
  });

  test('the masker of a tenant uses the saved rules and notices changes', async () => {
    const { storage } = service;
    const [one, two] = [await tenantId(), 'tnt_other'];
    await mine().putRecordingSettings({ body: settings });
    const maskerOf = maskers(storage);
    const mask = async (id: string) => (await maskerOf(id)).mask({ prompt_preview: 'a@b.io' });
    const masker = await maskerOf(one);
    expect([await mask(one), await mask(two)]).toEqual([
      { prompt_preview: '##EMAIL##' },
      { prompt_preview: 'a@b.io' },
    ]);
    storage.signals.publish({ tenant_id: one, topic: 'settings' });
    expect(await maskerOf(one)).toBe(masker);
    await mine().putRecordingSettings({ body: defaults });
    storage.signals.publish({ tenant_id: one, topic: 'settings' });
    await pollUntil(
      () => maskerOf(one),
      ({ active }) => !active,
    );
    expect(await mask(one)).toEqual({ prompt_preview: 'a@b.io' });
  });
});
