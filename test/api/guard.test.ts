import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { GuardConfig, GuardLevel } from '#contract/guard.ts';
import { startTestControlPlane, type TestControlPlane } from '../support/control-plane.ts';
import { databases } from '../support/databases.ts';
import { enrollDevice } from '../support/device.ts';
import { startTwoTenants, type TwoTenants } from '../support/two-tenants.ts';

const [claude, openai, gemini] = ['claude.ai', 'api.openai.com', 'gemini.google.com'] as const;

interface Refused {
  status: number;
  message: string;
}
const refusal = (response: Promise<unknown>) =>
  response.then(
    () => 'done',
    ({ status, message }: Refused) => `${status} ${message}`,
  );

describe.each(databases)('the cascade on %s', (kind) => {
  let service: TestControlPlane;
  beforeAll(async () => {
    service = await startTestControlPlane(kind);
  });
  afterAll(() => service.stop());

  const put = (layer: GuardLevel, scope: string | null, config: GuardConfig) =>
    service.byOwner.guard.putLayer({ body: { layer, scope, config } });

  test('returns the value of every field with its level and layer', async () => {
    const { id: device } = await enrollDevice(service, 'hardware-cascade', {
      userGroup: 'finance',
      hosts: openai,
    });
    const global = await put('global', null, {
      blocked_hosts: ['x.example'],
      enforce_policies: true,
    });
    const group = await put('user_group', 'finance', { intercept_hosts: [claude] });
    const app = await put('app_type', 'cli', { blocked_processes: ['telnet'] });
    const own = await put('device', device, { intercept_processes: ['Cursor'] });
    await put('user_group', 'others', { capture_enabled: false });
    const query = { device, app_type: 'cli' };
    const reference = ({ id, layer, scope }: typeof global) => ({ id, layer, scope });
    expect(await service.byOwner.guard.resolveGuard({ query })).toEqual({
      effective: {
        capture_enabled: true,
        intercept_hosts: [claude],
        intercept_processes: ['Cursor'],
        blocked_hosts: ['x.example'],
        blocked_processes: ['telnet'],
        enforce_policies: true,
        pause_minutes: 0,
        coding_agents: 'off',
        tool_checks: 'off',
      },
      sources: {
        capture_enabled: 'profile',
        intercept_hosts: 'user_group',
        intercept_processes: 'device',
        blocked_hosts: 'global',
        blocked_processes: 'app_type',
        enforce_policies: 'global',
        pause_minutes: 'default',
        coding_agents: 'default',
        tool_checks: 'default',
      },
      layers: {
        capture_enabled: null,
        intercept_hosts: reference(group),
        intercept_processes: reference(own),
        blocked_hosts: reference(global),
        blocked_processes: reference(app),
        enforce_policies: reference(global),
        pause_minutes: null,
        coding_agents: null,
        tool_checks: null,
      },
      inventory_blocks: [],
      version: expect.any(Number) as number,
    });
    const { effective_config } = await service.byOwner.devices.getDevice({
      params: { id: device },
    });
    expect(effective_config).toMatchObject({ intercept_hosts: [claude], blocked_processes: [] });
  });

  test('a device layer for one host follows later changes of all others', async () => {
    const { id: device } = await enrollDevice(service, 'hardware-one-host', {
      userGroup: 'one-host',
      hosts: openai,
    });
    const hosts = async () => {
      const { effective } = await service.byOwner.guard.resolveGuard({ query: { device } });
      return effective.intercept_hosts;
    };
    const own = await put('device', device, { host_overrides: { 'Gemini.google.com.': true } });
    expect(own.config).toEqual({ host_overrides: { [gemini]: true } });
    expect(await hosts()).toEqual([openai, gemini].toSorted());
    await put('user_group', 'one-host', { host_overrides: { [claude]: true } });
    expect(await hosts()).toEqual([openai, claude, gemini].toSorted());
    await put('user_group', 'one-host', { host_overrides: { [openai]: false } });
    expect(await hosts()).toEqual([gemini]);
    const inherited = await service.byOwner.guard.resolveGuard({
      query: { device, without: 'device' },
    });
    expect(inherited).toMatchObject({
      effective: { capture_enabled: false, intercept_hosts: [] },
      sources: { intercept_hosts: 'user_group' },
    });
    const { effective_config } = await service.byOwner.devices.getDevice({
      params: { id: device },
    });
    expect(effective_config.intercept_hosts).toEqual([gemini]);
  });

  test('the profiles of a group together are the base of its layer', async () => {
    await enrollDevice(service, 'hardware-base-1', { userGroup: 'base', hosts: openai });
    await enrollDevice(service, 'hardware-base-2', { userGroup: 'base', hosts: claude });
    const query = { user_group: 'base', without: 'user_group', profiles: 'true' } as const;
    const { effective, sources } = await service.byOwner.guard.resolveGuard({ query });
    expect(effective.intercept_hosts).toEqual([openai, claude].toSorted());
    expect(sources['intercept_hosts']).toBe('profile');
  });

  test('a preview names the hosts that change and counts the devices', async () => {
    const [first, second] = [
      await enrollDevice(service, 'hardware-seen-1', { userGroup: 'seen', hosts: openai }),
      await enrollDevice(service, 'hardware-seen-2', { userGroup: 'seen', hosts: openai }),
    ];
    await put('device', second.id, { host_overrides: { [openai]: false, [claude]: true } });
    const preview = (config: GuardConfig | null, scope = 'seen') =>
      service.byOwner.guard.previewLayer({ body: { layer: 'user_group', scope, config } });
    const layersBefore = await service.byOwner.guard.listLayers();
    expect(
      await preview({ pause_minutes: 30, host_overrides: { [openai]: false, [gemini]: true } }),
    ).toEqual({
      device_count: 2,
      changed_count: 2,
      changed_devices: expect.arrayContaining([
        { id: first.id, hostname: 'macbook-ada' },
        { id: second.id, hostname: 'macbook-ada' },
      ]) as unknown[],
      hosts: [
        { host: openai, on: false, device_count: 1 },
        { host: gemini, on: true, device_count: 2 },
      ],
      // Enforcement is on globally, so pauses stay forbidden.
      settings: [],
    });
    expect(await preview({ capture_enabled: false })).toMatchObject({
      changed_count: 2,
      hosts: [
        { host: openai, on: false, device_count: 1 },
        { host: claude, on: false, device_count: 1 },
      ],
      settings: [{ field: 'capture_enabled', before: true, after: false, device_count: 2 }],
    });
    expect(await preview({ host_overrides: { [openai]: true } })).toMatchObject({
      changed_count: 0,
      hosts: [],
    });
    expect(await preview(null)).toMatchObject({ device_count: 2, changed_count: 0 });
    expect(await preview({}, 'no-such-group')).toMatchObject({ device_count: 0 });
    expect(await service.byOwner.guard.listLayers()).toEqual(layersBefore);
    // With capture off, an additional host changes nothing.
    await put('device', second.id, { capture_enabled: false });
    expect(await preview({ host_overrides: { [gemini]: true } })).toMatchObject({
      changed_count: 1,
      changed_devices: [{ id: first.id }],
      hosts: [{ host: gemini, on: true, device_count: 1 }],
    });
    expect(await refusal(preview({ host_overrides: { 'mail.google.com': true } }))).toMatch(
      /^400 host_overrides: capture is never allowed for mail\.google\.com/,
    );
  });

  test('a misspelled target is an error that names it', async () => {
    const query = { user_group: 'finance', devcie: 'dev_1' };
    expect(await refusal(service.byOwner.guard.resolveGuard({ query }))).toBe(
      '400 query: Unrecognized key: "devcie"',
    );
  });

  test('hosts are normalized and stored once; banks may be blocked', async () => {
    const blocked_hosts = ['Www.BankOfAmerica.com.', 'api.deepseek.com', 'API.deepseek.com'];
    const stored = await put('app_type', 'named', {
      intercept_hosts: ['Claude.ai.', claude],
      blocked_hosts,
    });
    expect(stored.config).toEqual({
      intercept_hosts: [claude],
      blocked_hosts: ['api.deepseek.com', 'www.bankofamerica.com'],
    });
    const changed = await service.byOwner.guard.updateLayer({
      params: { id: stored.id },
      body: { config: { blocked_hosts: ['xn--bcher-kva.Example'] } },
    });
    expect(changed.config).toEqual({ blocked_hosts: ['xn--bcher-kva.example'] });
  });

  test.each([
    'not a host',
    '*.example.com',
    'https://a.example',
    'a.example:443',
    'localhost',
    '10.0.0.1',
    '::1',
    'bücher.example',
    '-a.example',
    `${'a'.repeat(64)}.example`,
  ])('%s is not a host name that can be blocked', async (host) => {
    const config = { blocked_hosts: ['paypal.com', host] };
    const line = `400 blocked_hosts: not a host name: ${host}`;
    expect(await refusal(put('agent', 'refused', config))).toBe(line);
    const { id } = await put('agent', 'kept', { blocked_hosts: ['paypal.com'] });
    const update = service.byOwner.guard.updateLayer({ params: { id }, body: { config } });
    expect(await refusal(update)).toBe(line);
  });

  test('the catalog contains regions and related hosts', async () => {
    const { version, hosts } = await service.byOwner.guard.listCatalog();
    const find = (name: string) => hosts.find(({ host }) => host === name);
    expect(version).toMatch(/^\d{4}\.\d+\.\d+$/);
    expect(hosts.length).toBeGreaterThan(60);
    expect(find(claude)).toMatchObject({ provider: 'Anthropic', aliases: ['api.anthropic.com'] });
    expect(find('bedrock-runtime.eu-central-1.amazonaws.com')?.region).toBe('eu-central-1');
  });

  test('concurrent changes all get a version and an entry in the history', async () => {
    const scopes = Array.from({ length: 8 }, (_, i) => `team-${i}`);
    const layers = await Promise.all(
      scopes.map((scope) => put('user_group', scope, { capture_enabled: false })),
    );
    const { results } = await service.byOwner.guard.listGuardHistory({ query: { limit: 8 } });
    const versions = (of: readonly { version: number }[]) =>
      of.map(({ version }) => version).sort((a, b) => a - b);
    expect(new Set(versions(layers)).size).toBe(8);
    expect(versions(results)).toEqual(versions(layers));
  });
});

describe.each(databases)('the history on %s', (kind) => {
  let tenants: TwoTenants;
  beforeAll(async () => {
    tenants = await startTwoTenants(kind);
  });
  afterAll(() => tenants.stop());

  const guard = () => tenants.one.byOwner.guard;
  const put = (scope: string, config: GuardConfig) =>
    guard().putLayer({ body: { layer: 'user_group', scope, config } });
  const history = async (scope: string) =>
    (await guard().listGuardHistory({ query: { layer: 'user_group', scope } })).results;
  const revert = (id: string, to: 'before' | 'after' = 'before') =>
    guard().revertGuardChange({ params: { id }, body: { to } });
  const layerOf = async (scope: string) =>
    (await guard().listLayers()).results.find((layer) => layer.scope === scope);

  test('keeps every change with author, time, states before and after, and version', async () => {
    const first = { capture_enabled: true, intercept_hosts: [claude] };
    const second = { capture_enabled: false };
    const { id } = await put('kept', first);
    const updated = await guard().updateLayer({ params: { id }, body: { config: second } });
    await guard().deleteLayer({ params: { id } });
    const [gone, changed, made] = await history('kept');
    const common = {
      layer: 'user_group',
      scope: 'kept',
      layer_id: id,
      reverts: null,
      changed_by: 'owner@example.test',
    };
    expect(made).toMatchObject({ ...common, change: 'create', before: null, after: first });
    expect(changed).toMatchObject({ ...common, change: 'update', before: first, after: second });
    expect(gone).toMatchObject({ ...common, change: 'delete', before: second, after: null });
    expect(changed).toMatchObject({ version: updated.version, changed_at: updated.updated_at });
    expect(gone?.version).toBe(updated.version + 1);
  });

  test('is paged, newest first, and filtered by level and scope', async () => {
    for (const capture_enabled of [true, false, true]) await put('paged', { capture_enabled });
    const query = { layer: 'user_group', scope: 'paged', limit: 2 } as const;
    const page = await guard().listGuardHistory({ query });
    expect(page.count).toBe(3);
    expect(page.results.map(({ after }) => after?.capture_enabled)).toEqual([true, false]);
    expect(page.next).toMatch(/guard\/history\/\?.*offset=2/);
    const all = await guard().listGuardHistory({ query: { layer: 'device' } });
    expect(all.count).toBe(0);
  });

  test('reverts a change as a new change, and reverts that again', async () => {
    const [first, second] = [{ intercept_hosts: [claude] }, { intercept_hosts: [gemini] }];
    await put('undone', first);
    const { version } = await put('undone', second);
    const [latest] = await history('undone');
    const back = await revert(latest?.id ?? '');
    expect(back).toMatchObject({
      change: 'revert',
      reverts: latest?.id,
      before: second,
      after: first,
      version: version + 1,
    });
    expect(await layerOf('undone')).toMatchObject({ config: first, version: version + 1 });
    await revert(latest?.id ?? '', 'after');
    expect(await layerOf('undone')).toMatchObject({ config: second, version: version + 2 });
    const { entries } = await tenants.one.byKey.audit.listAuditEntries({
      query: { action: 'guard_layer.revert' },
    });
    expect(entries).toHaveLength(2);
  });

  test('restores a deleted layer with its id; reverting its creation deletes it', async () => {
    const { id } = await put('back', { capture_enabled: false });
    await guard().deleteLayer({ params: { id } });
    const [deletion, creation] = await history('back');
    await revert(deletion?.id ?? '');
    expect(await layerOf('back')).toMatchObject({ id, config: { capture_enabled: false } });
    expect(await revert(creation?.id ?? '')).toMatchObject({ after: null, change: 'revert' });
    expect(await layerOf('back')).toBeUndefined();
  });

  test('rejects reverting to the current state or to hosts that the catalog no longer contains', async () => {
    await put('stale', { intercept_hosts: [claude] });
    const [made] = await history('stale');
    const id = made?.id ?? '';
    expect(await refusal(revert(id, 'after'))).toBe('409 the layer already has this state');
    const after = JSON.stringify({ intercept_hosts: ['api.gone.example', claude] });
    await tenants.storage.db
      .updateTable('guard_changes')
      .set({ after })
      .where('id', '=', id)
      .execute();
    expect(await refusal(revert(id, 'after'))).toBe(
      '409 intercept_hosts: not in the catalog of AI hosts: api.gone.example',
    );
    expect(await history('stale')).toHaveLength(1);
  });

  test('is separate for each tenant', async () => {
    await put('own', { capture_enabled: false });
    const [made] = await history('own');
    const { guard: stranger } = tenants.other.byOwner;
    expect((await stranger.listGuardHistory({ query: {} })).results).toEqual([]);
    const response = stranger.revertGuardChange({ params: { id: made?.id ?? '' }, body: {} });
    expect(await refusal(response)).toBe(`404 no Guard layer change has the id ${made?.id}`);
  });

  test('can be read but not changed by a viewer', async () => {
    const { byOwner } = tenants.one;
    const user = { email: 'viewer@example.test', password: 'correct horse battery' };
    await byOwner.identity.createUser({
      body: { ...user, role: 'viewer', must_change_password: false },
    });
    const { token } = await byOwner.identity.login({ body: user });
    const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
    const path = `${tenants.urls.public}/api/v1/endpoint/guard/history/`;
    expect((await fetch(path, { headers })).status).toBe(200);
    const revertPath = `${path}gch_any/revert/`;
    expect((await fetch(revertPath, { method: 'POST', headers, body: '{}' })).status).toBe(403);
  });
});
