import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { RouteRequest } from '#contract/route.ts';
import type { contract } from '#contract/index.ts';
import { startTestControlPlane, type TestControlPlane } from '../support/control-plane.ts';
import { databases } from '../support/databases.ts';
import { openChannel } from '../support/device-channel.ts';
import { appOf } from '../support/device-reports.ts';
import { enrollDevice, type TestDevice } from '../support/device.ts';
import { PATIENCE_MS } from '../support/time-limits.ts';

const patient = { timeout: PATIENCE_MS };
type RuleBody = RouteRequest<(typeof contract)['inventoryRules']['createInventoryRule']>['body'];

describe.each(databases)('inventory rules on %s', (kind) => {
  let service: TestControlPlane;
  let finance: TestDevice;
  let sales: TestDevice;
  let batch = 0;
  let hour = 0;
  beforeAll(async () => {
    service = await startTestControlPlane(kind);
    finance = await enrollDevice(service, 'hardware-finance', { userGroup: 'finance' });
    sales = await enrollDevice(service, 'hardware-sales', { userGroup: 'sales' });
  });
  afterAll(() => service.stop());

  type Apps = Parameters<TestDevice['client']['device']['reportInventory']>[0]['body']['apps'];
  /** Reports a scan an hour after the previous one. Apps that it does not contain are removed. */
  const scan = async ({ client }: TestDevice, ...apps: Apps) => {
    service.setTime(Date.now() + (hour += 1) * 3_600_000);
    await client.device.reportInventory({
      body: { batch_id: `scan-number-${(batch += 1)}`, apps },
    });
    service.setTime(undefined);
  };
  const claude = (version: string) => appOf('Claude Code', { catalog_id: 'claude-code', version });
  const server = (name: string, reached: string) =>
    appOf(name, {
      kind: 'mcp_server',
      evidence: [`stdio: ${reached}`],
      version: null,
      path: `/home/ada/${name}`,
    });
  const instructions = (...risk_flags: string[]) =>
    appOf('CLAUDE.md', {
      kind: 'instruction_file',
      version: null,
      risk_flags,
      path: '/home/ada/CLAUDE.md',
    });

  const rules = () => service.byOwner.inventoryRules;
  const create = (body: RuleBody) => rules().createInventoryRule({ body });
  const remove = (id: string) => rules().deleteInventoryRule({ params: { id } });
  const incidentsOf = async (policy_id: string) => {
    const query = { policy_id, source: 'inventory' as const };
    return (await service.byOwner.incidents.listIncidents({ query })).results;
  };
  const policyIncidents = async (id: string) =>
    (await incidentsOf(id))
      .map(({ device_id, app_name, status, reason }) => [
        device_id === finance.id ? 'finance' : 'sales',
        app_name,
        status,
        reason,
      ])
      .sort(([a], [b]) => String(a).localeCompare(String(b)));
  const evaluated = async (id: string) => {
    await expect
      .poll(async () => (await rules().getInventoryRule({ params: { id } })).evaluating, patient)
      .toBe(false);
  };
  const resolved = (device: TestDevice) =>
    service.byOwner.guard.resolveGuard({ query: { device: device.id } });

  test('an MCP server that is not allowed opens one incident on each device that has it', async () => {
    await scan(finance, server('github', 'npx @acme/files@1.0.0'), server('x', 'uvx evil-mcp'));
    await scan(sales, server('github', 'npx evil-mcp@2.0.0'), claude('2.0.0'));
    const { id } = await create({
      name: 'Only known MCP servers',
      condition: { type: 'not_allowed', kinds: ['mcp_server'], allowed: ['@ACME/*', 'mcp-git'] },
    });
    // A server that calls itself `github` does not match the allowed one.
    const reason = (name: string) => `${name} is not on the list of allowed apps`;
    await expect
      .poll(() => policyIncidents(id), patient)
      .toEqual([
        ['finance', 'pypi:evil-mcp', 'open', reason('pypi:evil-mcp')],
        ['sales', 'npm:evil-mcp', 'open', reason('npm:evil-mcp')],
      ]);
    const [incident] = await incidentsOf(id);
    expect(incident).toMatchObject({
      source: 'inventory',
      run_id: null,
      policy_id: id,
      policy_name: 'Only known MCP servers',
      category: 'inventory',
      action: 'warn',
      hostname: 'macbook-ada',
      metadata: { kind: 'mcp_server', version: null, user: 'ada', risk_flags: [] },
    });
    await evaluated(id);
    expect((await rules().getInventoryRule({ params: { id } })).open_incidents).toBe(2);
    await remove(id);
    await expect
      .poll(async () => (await policyIncidents(id)).map(([, , status]) => status), patient)
      .toEqual(['resolved', 'resolved']);
    await expect
      .poll(async () => (await incidentsOf(id)).map(({ note }) => note), patient)
      .toEqual(Array(2).fill('Resolved automatically: the rule no longer finds the app.'));
  });

  test('an incident about an outdated tool is resolved by an update or removal, and reopened when it returns', async () => {
    await scan(finance, claude('1.9.0'));
    await scan(sales, claude('2.0.0'));
    const { id } = await create({
      name: 'Claude Code of this year',
      condition: { type: 'version_below', apps: ['claude-code'], version: '1.10' },
    });
    const reason = 'Claude Code 1.9.0 is older than 1.10';
    const statusAfter = async (status: string, more: object = {}) => {
      await expect
        .poll(() => incidentsOf(id), patient)
        .toEqual([expect.objectContaining({ status, device_id: finance.id, ...more })]);
    };
    await statusAfter('open', { reason, occurrences: 1 });
    await scan(finance, claude('1.10.0'));
    await statusAfter('resolved', {
      note: 'Resolved automatically: the rule no longer finds the app.',
    });
    await scan(finance, claude('1.9.5'));
    await statusAfter('open', { reason: reason.replace('1.9.0', '1.9.5'), occurrences: 2 });
    await scan(finance);
    await statusAfter('resolved', {
      note: [
        'Resolved automatically: the rule no longer finds the app.',
        'Resolved automatically: the app is gone from the device.',
      ].join('\n'),
    });
    await remove(id);
  });

  test('an incident resolved by a user stays so while the app is present, and is reopened when it returns', async () => {
    await scan(finance, instructions('mcp_shell_exec'));
    const { id } = await create({
      name: 'No file that runs commands',
      condition: { type: 'risk_flags', kinds: ['instruction_file'], flags: ['mcp_shell_exec'] },
    });
    const status = async () => (await incidentsOf(id)).map((incident) => incident.status);
    await expect.poll(status, patient).toEqual(['open']);
    const [incident] = await incidentsOf(id);
    await service.byOwner.incidents.updateIncident({
      params: { id: incident?.id ?? '' },
      body: { status: 'resolved', note: 'looked at' },
    });
    await scan(finance, instructions('mcp_shell_exec', 'hidden_unicode'));
    await expect
      .poll(async () => (await incidentsOf(id))[0]?.metadata.risk_flags, patient)
      .toEqual(['mcp_shell_exec', 'hidden_unicode']);
    expect(await status()).toEqual(['resolved']);
    await scan(finance, instructions());
    // If both scans arrived at once, the app would not have changed.
    const flags = async () => {
      const query = { search: 'CLAUDE.md' };
      return (await service.byOwner.inventory.listAppGroups({ query })).results[0]?.risk_flags;
    };
    await expect.poll(flags, patient).toEqual([]);
    await scan(finance, instructions('mcp_shell_exec'));
    await expect.poll(status, patient).toEqual(['open']);
    expect((await incidentsOf(id))[0]).toMatchObject({ note: 'looked at', occurrences: 2 });
    await remove(id);
  });

  test('a block applies only to the affected devices, arrives live, and is shown with its source', async () => {
    await scan(finance, claude('1.0.0'), appOf('own-tool', { path: '/opt/own-tool' }));
    await scan(sales, claude('1.0.0'));
    await service.byOwner.guard.putLayer({
      body: { layer: 'global', config: { blocked_processes: ['ollama'] } },
    });
    const line = await openChannel(service.urls.device, finance.tls);
    const { version: before } = await line.waitForVersion(1);
    const { id } = await create({
      name: 'No agents in finance',
      condition: { type: 'listed', kinds: ['cli'], apps: ['claude-code', 'own-*'] },
      scope: { user_groups: ['finance'] },
      action: 'block',
    });
    const pushed = await line.waitForVersion(before + 1);
    const blocked = ['ollama', '/opt/own-tool', 'claude-code'];
    await expect
      .poll(() => line.pushes.at(-1)?.blocked_processes.toSorted(), patient)
      .toEqual(blocked.toSorted());
    expect(pushed.version).toBeGreaterThan(before);
    await evaluated(id);
    const { effective, sources, inventory_blocks } = await resolved(finance);
    expect(effective.blocked_processes.toSorted()).toEqual(blocked.toSorted());
    expect(sources.blocked_processes).toBe('global');
    const [first, second] = inventory_blocks;
    expect([first, second].map((block) => [block?.app_name, block?.blocked_processes])).toEqual([
      ['Claude Code', ['claude-code']],
      ['own-tool', ['/opt/own-tool']],
    ]);
    expect(first).toMatchObject({
      source: 'inventory rule No agents in finance',
      rule_id: id,
      rule_name: 'No agents in finance',
    });
    expect(await resolved(sales)).toMatchObject({
      effective: { blocked_processes: ['ollama'] },
      inventory_blocks: [],
    });
    expect(await finance.client.device.getConfig()).toMatchObject({
      blocked_processes: effective.blocked_processes,
    });
    expect((await incidentsOf(id)).map(({ action }) => action)).toEqual(['block', 'block']);

    await scan(finance, claude('1.0.0'));
    await expect
      .poll(() => line.pushes.at(-1)?.blocked_processes, patient)
      .toEqual(['ollama', 'claude-code']);
    // Disabling the rule removes the block at once, before the fleet is evaluated again.
    const { name, condition, scope } = await rules().getInventoryRule({ params: { id } });
    await rules().replaceInventoryRule({
      params: { id },
      body: { name, condition, scope, action: 'block', enabled: false },
    });
    expect((await resolved(finance)).effective.blocked_processes).toEqual(['ollama']);
    await expect.poll(() => line.pushes.at(-1)?.blocked_processes, patient).toEqual(['ollama']);
    await remove(id);
    line.socket.close();
  });

  test('the incident and the preview of a block say what devices cannot block', async () => {
    const remote = appOf('remote', {
      kind: 'mcp_server',
      evidence: ['http: https://mcp.evil.example'],
      version: null,
      path: '/home/ada/remote',
    });
    await scan(finance, remote, server('local', 'npx evil-mcp'));
    const body = {
      condition: { type: 'not_allowed' as const, kinds: ['mcp_server' as const], allowed: [] },
      scope: { devices: [finance.id] },
      action: 'block' as const,
    };
    const listed = 'is not on the list of allowed apps';
    const expected = [
      [
        `https://mcp.evil.example ${listed}; it is not blocked: devices cannot recognize a process of it`,
      ],
      [`npm:evil-mcp ${listed}`, 'evil-mcp'],
    ];
    const previewed = async () => {
      const { findings } = await rules().previewInventoryRule({ body });
      return findings
        .map(({ reason, processes }) => [reason, ...processes])
        .sort(([a = ''], [b = '']) => a.localeCompare(b));
    };
    await expect.poll(previewed, patient).toEqual(expected);
    const { id } = await create({ name: 'No MCP servers', ...body });
    await evaluated(id);
    const reasons = (await incidentsOf(id)).map(({ reason }) => reason);
    expect(reasons.sort()).toEqual(expected.map(([reason]) => reason));
    const { inventory_blocks } = await resolved(finance);
    expect(inventory_blocks.map(({ app_name }) => app_name)).toEqual(['npm:evil-mcp']);
    await remove(id);
  });

  test('a preview shows what a rule would match, without any change', async () => {
    await scan(finance, claude('1.0.0'), server('x', 'npx evil-mcp'));
    await scan(sales, claude('3.0.0'));
    const body = {
      condition: {
        type: 'version_below' as const,
        kinds: ['cli' as const],
        apps: ['claude*'],
        version: '2',
      },
      action: 'block' as const,
    };
    const preview = () => rules().previewInventoryRule({ body });
    await expect.poll(async () => (await preview()).finding_count, patient).toBe(1);
    expect(await preview()).toEqual({
      app_count: 1,
      device_count: 1,
      finding_count: 1,
      complete: true,
      findings: [
        {
          group_id: expect.stringMatching(/^apg_/),
          kind: 'cli',
          name: 'Claude Code',
          device_id: finance.id,
          hostname: 'macbook-ada',
          user: 'ada',
          version: '1.0.0',
          reason: 'Claude Code 1.0.0 is older than 2',
          processes: ['claude-code'],
        },
      ],
    });
    expect((await resolved(finance)).inventory_blocks).toEqual([]);
  });

  const condition = { type: 'listed' as const, apps: ['x'] };
  test.each([
    [{ condition: { type: 'odd' } }, /condition.type: expected a `type`: listed, not_allowed/],
    [{ condition: { type: 'listed', apps: [] } }, /condition.apps: expected at least one app/],
    [{ condition: { ...condition, kinds: ['toaster'] } }, /condition.kinds\[0\]: /],
    [
      { condition: { type: 'not_allowed', kinds: [], allowed: [] } },
      /condition.kinds: expected at least one kind/,
    ],
    [
      { condition: { type: 'version_below', apps: ['x'], version: 'latest' } },
      /condition.version: expected a version, with at least one digit/,
    ],
    [
      { condition: { type: 'risk_flags', flags: [] } },
      /condition.flags: expected at least one flag/,
    ],
    [{ condition: { ...condition, flags: ['x'] } }, /condition: .*flags/],
    [{ condition, scope: { groups: [] } }, /scope: .*groups/],
    [{ condition, severity: 'high' }, /severity/],
    [{ condition, name: '' }, /name: expected 1 to 200/],
    [
      { condition: { ...condition, kinds: ['cli', 'instruction_file'] }, action: 'block' },
      /^condition.kinds: instruction_file cannot be blocked: expected only desktop_app, cli, mcp_server, local_model_server$/,
    ],
    [{ condition, action: 'block' }, /condition.kinds: .*skill.* cannot be blocked/],
  ])('%j is rejected with 400', async (more, error) => {
    const body = { name: 'Refused', ...more } as never;
    await expect(create(body)).rejects.toMatchObject({
      status: 400,
      message: expect.stringMatching(error),
    });
  });

  test('names are unique, and available again after a rule is deleted', async () => {
    const { id } = await create({ name: 'Twice', condition });
    await expect(create({ name: 'Twice', condition })).rejects.toMatchObject({
      status: 409,
      message: expect.stringMatching(/name: an inventory rule "Twice" already exists/),
    });
    await remove(id);
    const again = await create({ name: 'Twice', condition });
    const { results } = await rules().listInventoryRules({ query: {} });
    expect(results.map(({ name }) => name)).toContain('Twice');
    await expect(rules().getInventoryRule({ params: { id } })).rejects.toMatchObject({
      status: 404,
    });
    await remove(again.id);
  });
});
