import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { openStorage } from '#control-plane/storage/open.ts';
import { OWNER, startTestControlPlane, type TestControlPlane } from '../support/control-plane.ts';
import { databases } from '../support/databases.ts';
import { appOf, captureOf, flowOf } from '../support/device-reports.ts';
import { enrollDevice, type TestDevice } from '../support/device.ts';
import { pollUntil } from '../support/processes.ts';
import { startTwoTenants } from '../support/two-tenants.ts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

describe.each(databases)('captures on %s', (kind) => {
  let service: TestControlPlane;
  let dataDir: string;
  let strict: TestDevice;
  const start = Date.now();
  beforeAll(async () => {
    dataDir = mkdtempSync(join(tmpdir(), 'gatehouse-captures-'));
    service = await startTestControlPlane(kind, { DATA_DIR: dataDir });
    strict = await enrollDevice(service, 'hardware-strict');
  });
  afterEach(() => service.setTime(undefined));
  afterAll(async () => {
    await service.stop();
    rmSync(dataDir, { recursive: true, force: true });
  });

  const iso = (minutes: number): string => new Date(start + minutes * MINUTE).toISOString();
  const setMinute = (minutes: number): void => service.setTime(start + minutes * MINUTE);
  const enable = (
    hosts: string[],
    place: { layer: 'global' | 'device' | 'user_group'; scope: string | null },
  ) =>
    service.byOwner.guard.putLayer({
      body: { ...place, config: { capture_enabled: hosts.length > 0, intercept_hosts: hosts } },
    });
  let batches = 0;
  const report = ({ client }: TestDevice, ...captures: ReturnType<typeof captureOf>[]) =>
    client.device.reportCaptures({
      body: { batch_id: `batch-${(batches += 1)}-capture`, captures },
    });
  const list = (query: object = {}) => service.byOwner.captures.listCaptures({ query });

  test('a capture from an enabled host is listed and shown with its bodies', async () => {
    const device = await enrollDevice(service, 'hardware-capture');
    await enable(['api.openai.com'], { layer: 'device', scope: device.id });
    service.setTime(Date.now() + MINUTE);
    const sent = captureOf('exchange-1', new Date(Date.now() + 1000).toISOString());
    expect(await report(device, sent)).toEqual({ accepted: 1, duplicate: false, refused: [] });
    service.setTime(undefined);
    const { results, count, count_exact } = await list({ device: device.id });
    const { id: _, request_body, response_body, ...shown } = sent;
    expect([count, count_exact]).toEqual([1, true]);
    expect(results).toEqual([
      {
        ...shown,
        id: expect.stringMatching(/^cap_[0-9a-f]{26}$/) as string,
        device_id: device.id,
        hostname: 'macbook-ada',
        received_at: expect.any(String) as string,
      },
    ]);
    const params = { id: results[0]?.id ?? '' };
    expect(await service.byOwner.captures.getCapture({ params })).toEqual({
      ...results[0],
      request_body,
      response_body,
      run_id: expect.any(Number) as number,
    });
  });

  test('captures from disabled hosts are refused by id, the rest is stored, and resending changes nothing', async () => {
    const device = await enrollDevice(service, 'hardware-refused');
    await enable(['api.openai.com'], { layer: 'device', scope: device.id });
    service.setTime(Date.now() + MINUTE);
    const now = new Date(Date.now() + 1000).toISOString();
    const captures = [
      captureOf('good', now, { host: 'API.openai.com' }),
      captureOf('off', now, { host: 'claude.ai' }),
      captureOf('bank', now, { host: 'bankofamerica.com' }),
      captureOf('below', now, { host: 'x.api.openai.com' }),
    ];
    const body = { batch_id: 'batch-refusing', captures };
    const answer = await device.client.device.reportCaptures({ body });
    const again = await device.client.device.reportCaptures({ body });
    service.setTime(undefined);
    const why = (host: string) => `capture was not enabled for ${host} on this device at ${now}`;
    expect(answer).toEqual({
      accepted: 1,
      duplicate: false,
      refused: [
        { id: 'off', reason: why('claude.ai') },
        { id: 'bank', reason: why('bankofamerica.com') },
        { id: 'below', reason: why('x.api.openai.com') },
      ],
    });
    expect(again).toEqual({ accepted: 0, duplicate: true, refused: [] });
    expect((await list({ device: device.id })).results.map(({ host }) => host)).toEqual([
      'api.openai.com',
    ]);
  });

  test('the configuration at the start of an exchange applies', async () => {
    setMinute(0);
    const device = await enrollDevice(service, 'hardware-then');
    const other = await enrollDevice(service, 'hardware-other');
    const place = { layer: 'device', scope: device.id } as const;
    setMinute(10);
    const layer = await enable(['api.openai.com'], place);
    setMinute(20);
    await enable(['api.openai.com', 'claude.ai'], place);
    setMinute(22);
    await enable(['claude.ai'], place);
    setMinute(30);
    await service.byOwner.guard.deleteLayer({ params: { id: layer.id } });
    setMinute(40);
    const hosts = ['api.openai.com', 'claude.ai'];
    const times = [9, 11, 21, 25, 35];
    const captures = times.flatMap((minute) =>
      hosts.map((host) => captureOf(`${minute} ${host}`, iso(minute), { host })),
    );
    const { refused, accepted } = await report(device, ...captures);
    const ofOther = await report(other, ...captures);
    // With a fast clock, the exchange counts as starting now, when no host is enabled.
    const future = await report(device, captureOf('future', iso(90)));
    expect(accepted).toBe(4);
    expect(refused.map(({ id }) => id)).toEqual([
      '9 api.openai.com',
      '9 claude.ai',
      '11 claude.ai',
      '25 api.openai.com',
      '35 api.openai.com',
      '35 claude.ai',
    ]);
    expect([ofOther.accepted, future.accepted]).toEqual([0, 0]);
  });

  test("hosts from the device's profile and from its user group are accepted", async () => {
    setMinute(0);
    const hosts = 'api.anthropic.com';
    const device = await enrollDevice(service, 'hardware-group', { hosts, userGroup: 'writers' });
    setMinute(5);
    await enable(['gemini.google.com'], { layer: 'user_group', scope: 'writers' });
    setMinute(10);
    const at = (minute: number, host: string) =>
      captureOf(`${minute} ${host}`, iso(minute), { host });
    const { refused } = await report(
      device,
      at(-1, 'api.anthropic.com'),
      at(1, 'api.anthropic.com'),
      at(6, 'api.anthropic.com'),
      at(6, 'gemini.google.com'),
    );
    // Before it enrolled it had no profile; after the change only the group's list applies.
    expect(refused.map(({ id }) => id)).toEqual(['-1 api.anthropic.com', '6 api.anthropic.com']);
  });

  test.each([
    [{ cookies: 'a=b' }, 'captures[0]: Unrecognized key: "cookies"'],
    [{ path: '/v1?api_key=secret' }, 'captures[0].path'],
    [{ path: 'v1' }, 'captures[0].path'],
    [{ path: '/v1#part' }, 'captures[0].path'],
    [{ method: 'POST / HTTP/1.1' }, 'captures[0].method'],
    [{ request_body: 'x'.repeat(262_145) }, 'captures[0].request_body'],
    [{ response_body: 'x'.repeat(262_145) }, 'captures[0].response_body'],
    [{ redactions: { 'ada@example.com': 1 } }, 'captures[0].redactions'],
    [{ redactions: { EMAIL: -1 } }, 'captures[0].redactions.EMAIL'],
    [{ status: 99 }, 'captures[0].status'],
    [{ tokens_in: 1e300 }, 'captures[0].tokens_in'],
    [{ started_at: '1999-12-31T23:59:59Z' }, 'captures[0].started_at'],
  ])('the whole batch is rejected for %j', async (wrong, line) => {
    const refused = await report(strict, captureOf('x', iso(0), wrong)).then(
      () => '200',
      (error: { status: number; message: string }) => `${error.status} ${error.message}`,
    );
    expect(refused.slice(0, line.length + 4)).toBe(`400 ${line}`);
  });

  test('bodies of the maximum length are stored in full, and one exchange is counted once', async () => {
    const device = await enrollDevice(service, 'hardware-long');
    await enable(['api.openai.com'], { layer: 'device', scope: device.id });
    service.setTime(Date.now() + MINUTE);
    const long = 'ä'.repeat(262_144);
    const at = new Date(Date.now() + 1000).toISOString();
    const first = captureOf('long', at, { request_body: long });
    const answers = [
      await report(device, first, captureOf('long', at)),
      await report(device, captureOf('long', at, { request_body: 'another' })),
      await report(device, captureOf('long', at), captureOf('short', at, { path: '/short' })),
    ];
    expect(answers.map(({ accepted }) => accepted)).toEqual([1, 0, 1]);
    service.setTime(undefined);
    const { results } = await list({ device: device.id });
    const longest = results.filter(({ path }) => path !== '/short');
    const params = { id: longest[0]?.id ?? '' };
    const { request_body } = await service.byOwner.captures.getCapture({ params });
    expect([results.length, longest.length, request_body === long]).toEqual([2, 1, true]);
  });

  test('captures are found by device, host, app and time', async () => {
    const device = await enrollDevice(service, 'hardware-filters');
    setMinute(100);
    await enable(['api.openai.com', 'claude.ai'], { layer: 'device', scope: device.id });
    setMinute(110);
    const [codex, claude] = [{ app_id: 'codex' }, { app_id: 'claude-desktop', host: 'claude.ai' }];
    await report(
      device,
      captureOf('1', iso(101), codex),
      captureOf('2', iso(102), claude),
      captureOf('3', iso(103), claude),
    );
    service.setTime(undefined);
    const times = async (query: object) =>
      (await list({ device: device.id, ...query })).results.map(({ started_at }) => started_at);
    const [one, two, three] = [iso(101), iso(102), iso(103)];
    expect(await times({})).toEqual([three, two, one]);
    expect(await times({ host: 'Claude.ai' })).toEqual([three, two]);
    expect(await times({ app: 'codex' })).toEqual([one]);
    expect(await times({ start: two, end: three })).toEqual([two]);
    expect(await times({ limit: 1, offset: 1 })).toEqual([two]);
    await expect(list({ start: three, end: two })).rejects.toMatchObject({ status: 400 });
  });

  test('captures are shown to analysts but not to viewers', async () => {
    const as = async (role: 'viewer' | 'analyst') => {
      const user = { email: `${role}@captures.test`, password: OWNER.password };
      await service.byOwner.identity.createUser({
        body: { ...user, role, must_change_password: false },
      });
      const { token } = await service.by({}).identity.login({ body: user });
      return service.by({ Authorization: `Bearer ${token}` }).captures;
    };
    const [viewer, analyst] = [await as('viewer'), await as('analyst')];
    const { results } = await analyst.listCaptures({ query: { limit: 1 } });
    const params = { id: results[0]?.id ?? '' };
    expect((await analyst.getCapture({ params })).id).toBe(params.id);
    await expect(viewer.listCaptures({ query: {} })).rejects.toMatchObject({ status: 403 });
    await expect(viewer.getCapture({ params })).rejects.toMatchObject({ status: 403 });
    await expect(analyst.getCapture({ params: { id: 'cap_none' } })).rejects.toMatchObject({
      status: 404,
      message: 'there is no capture cap_none',
    });
  });

  /** Returns everything that is stored of captures; for SQLite the content of the files. */
  async function stored(): Promise<string> {
    if (!service.databaseUrl)
      return readdirSync(dataDir, { encoding: 'utf8' })
        .filter((name) => name.startsWith('gatehouse'))
        .map((name) => readFileSync(join(dataDir, name), 'latin1'))
        .join();
    const { databaseUrl } = service;
    const storage = await openStorage({ databaseUrl, dataDir, onProblem: () => undefined });
    const rows = [];
    for (const table of ['captures', 'runs', 'llm_calls', 'spans'] as const)
      rows.push(await storage.db.selectFrom(table).selectAll().execute());
    await storage.close();
    return JSON.stringify(rows);
  }

  test('a secret that the tenant masks never reaches the database', async () => {
    const device = await enrollDevice(service, 'hardware-masked');
    await enable(['api.openai.com'], { layer: 'device', scope: device.id });
    const masking = {
      enabled: true,
      builtin: ['EMAIL', 'API_KEY'] as const,
      keys: [{ key: 'password', type: 'PASSWORD' }],
      patterns: [{ name: 'EMPLOYEE_ID', pattern: String.raw`EMP-\d{6}` }],
    };
    const body = { retention_days: null, masking: { ...masking, builtin: [...masking.builtin] } };
    await service.byOwner.settings.putRecordingSettings({ body });
    service.setTime(Date.now() + MINUTE);
    const word = fc.stringMatching(/^[a-z]{12}$/);
    const secret = fc.oneof(
      word.map((name) => `${name}@secret.example`),
      fc.stringMatching(/^EMP-[0-9]{6}$/),
      fc.stringMatching(/^[A-Za-z0-9]{36}$/).map((rest) => `ghp_${rest}`),
    );
    const inside = fc.constantFrom(
      (text: string) => text,
      (text: string) => JSON.stringify({ messages: [{ content: `it is ${text}, you see` }] }),
      (text: string) => `data: ${JSON.stringify({ delta: text })}\n\ndata: [DONE]\n`,
      (text: string) => JSON.stringify({ arguments: JSON.stringify({ note: text }) }),
    );
    const secrets: string[] = [];
    let exchanges = 0;
    await fc.assert(
      fc.asyncProperty(secret, word, inside, async (found, password, within) => {
        secrets.push(found, password);
        const at = new Date(Date.now() + 1000).toISOString();
        const { accepted } = await report(
          device,
          captureOf(`masked-${(exchanges += 1)}`, at, {
            path: `/users/${encodeURI(found)}`,
            request_body: within(found),
            response_body: JSON.stringify({ password, text: found }),
          }),
        );
        expect(accepted).toBe(1);
      }),
      { numRuns: 30 },
    );
    const text = await stored();
    expect(text).toContain('##EMAIL##');
    expect(secrets.filter((one) => text.includes(one))).toEqual([]);
    const off = { enabled: false, builtin: [], keys: [], patterns: [] };
    await service.byOwner.settings.putRecordingSettings({
      body: { retention_days: null, masking: off },
    });
  });

  test('captures older than the retention period are deleted, with flows and apps', async () => {
    const mine = await enrollDevice(service, 'hardware-retention');
    service.setTime(start - 50 * DAY);
    await enable(['api.openai.com'], { layer: 'device', scope: mine.id });
    service.setTime(undefined);
    const days = (ago: number) => new Date(start - ago * DAY).toISOString();
    await report(mine, ...[40, 35, 5, 1].map((ago) => captureOf(`${ago}`, days(ago))));
    const flows = [40, 5].map((ago) => flowOf(`${ago}`, { started_at: days(ago) }));
    await mine.client.device.reportFlows({ body: { batch_id: 'batch-keep', flows } });
    for (const [ago, name] of [
      [40, 'old'],
      [5, 'young'],
    ] as const) {
      service.setTime(start - ago * DAY);
      const body = { batch_id: `scan-${name}`, apps: [appOf(name)] };
      await mine.client.device.reportInventory({ body });
    }
    service.setTime(undefined);
    const { masking } = await service.byOwner.settings.getRecordingSettings();
    const keep = (retention_days: number | null) =>
      service.byOwner.settings.putRecordingSettings({ body: { retention_days, masking } });
    await keep(30);
    const left = await pollUntil(
      () => list({ device: mine.id }),
      ({ results }) => results.length === 2,
    );
    expect(left.results.map(({ started_at }) => started_at)).toEqual([days(1), days(5)]);
    const shown = await pollUntil(
      () => service.byOwner.devices.getDevice({ params: { id: mine.id } }),
      ({ flow_count, app_count }) => flow_count + app_count <= 2,
    );
    expect([shown.flow_count, shown.app_count]).toEqual([1, 1]);
  });

  test('captures can have a separate retention period, which clients that omit it do not change', async () => {
    const mine = await enrollDevice(service, 'hardware-own-retention');
    service.setTime(start - 50 * DAY);
    await enable(['api.openai.com'], { layer: 'device', scope: mine.id });
    service.setTime(undefined);
    const days = (ago: number) => new Date(start - ago * DAY).toISOString();
    await report(mine, ...[40, 25, 1].map((ago) => captureOf(`own-${ago}`, days(ago))));
    const { masking } = await service.byOwner.settings.getRecordingSettings();
    const { putRecordingSettings } = service.byOwner.settings;
    const left = async () => (await list({ device: mine.id })).results.map((one) => one.started_at);
    await putRecordingSettings({
      body: { retention_days: 20, capture_retention_days: 30, masking },
    });
    await pollUntil(left, ({ length }) => length === 2);
    expect(await left()).toEqual([days(1), days(25)]);
    const body = { retention_days: null, masking };
    expect(await putRecordingSettings({ body })).toMatchObject({ capture_retention_days: 30 });
    await putRecordingSettings({ body: { ...body, capture_retention_days: 10 } });
    await pollUntil(left, ({ length }) => length === 1);
    await putRecordingSettings({ body: { ...body, capture_retention_days: null } });
  });

  test('captures of another tenant are not found', async () => {
    const tenants = await startTwoTenants(kind);
    const { one, other, urls } = tenants;
    const first = { ...one, urls } as unknown as TestControlPlane;
    const device = await enrollDevice(first, 'hardware-tenants');
    await one.byOwner.guard.putLayer({
      body: {
        layer: 'device',
        scope: device.id,
        config: { capture_enabled: true, intercept_hosts: ['api.openai.com'] },
      },
    });
    const enabled = Date.now();
    const at = await pollUntil(Date.now, (now) => now > enabled);
    const theirs = captureOf('theirs', new Date(at).toISOString());
    expect((await report(device, theirs)).accepted).toBe(1);
    const { results } = await one.byOwner.captures.listCaptures({ query: {} });
    const params = { id: results[0]?.id ?? '' };
    expect(results).toHaveLength(1);
    expect((await other.byOwner.captures.listCaptures({ query: {} })).count).toBe(0);
    const query = { device: device.id };
    expect((await other.byOwner.captures.listCaptures({ query })).count).toBe(0);
    await expect(other.byOwner.captures.getCapture({ params })).rejects.toMatchObject({
      status: 404,
    });
    await tenants.stop();
  });
});
