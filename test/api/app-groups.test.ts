import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestControlPlane, type TestControlPlane } from '../support/control-plane.ts';
import { databases } from '../support/databases.ts';
import { appOf } from '../support/device-reports.ts';
import { enrollDevice, type TestDevice } from '../support/device.ts';
import { PATIENCE_MS } from '../support/time-limits.ts';

const HOUR = 3_600_000;
const patient = { timeout: PATIENCE_MS };

describe.each(databases)('apps across the fleet on %s', (kind) => {
  let service: TestControlPlane;
  let first: TestDevice;
  let second: TestDevice;
  let batch = 0;
  beforeAll(async () => {
    service = await startTestControlPlane(kind);
    first = await enrollDevice(service, 'hardware-first');
    second = await enrollDevice(service, 'hardware-second');
  });
  afterAll(() => service.stop());

  type Apps = Parameters<TestDevice['client']['device']['reportInventory']>[0]['body']['apps'];
  const scan = ({ client }: TestDevice, ...apps: Apps) =>
    client.device.reportInventory({ body: { batch_id: `scan-number-${(batch += 1)}`, apps } });
  const cli = (version: string | null, more: object = {}) =>
    appOf('Claude Code', { catalog_id: 'claude-code', version, ...more });
  const server = (name: string, reached: string, more: object = {}) =>
    appOf(name, { kind: 'mcp_server', evidence: [`stdio: ${reached}`], version: null, ...more });

  const list = async (query: object = {}) => {
    const { results } = await service.byOwner.inventory.listAppGroups({ query });
    return results;
  };
  const namesOf = async (query: object) => (await list(query)).map(({ name }) => name);
  const groupOf = async (name: string) => {
    const [group] = await list({ search: name });
    const { id = '' } = group ?? {};
    return service.byOwner.inventory.getAppGroup({ params: { id } });
  };

  test('an app on several devices is one row with versions, devices, users, flags and first seen', async () => {
    await scan(first, cli('1.9.0', { risk_flags: ['bypass_permissions'] }), appOf('aider'));
    await scan(
      second,
      cli('1.10.0-beta.1', { user: 'bob', risk_flags: ['bypass_permissions', 'hidden_unicode'] }),
      cli('1.10.0', { user: 'bob', path: '/opt/claude' }),
      server('files', 'npx @acme/files@1.2.3'),
    );
    await expect
      .poll(() => namesOf({ sort: 'name' }), patient)
      .toEqual(['Claude Code', 'aider', 'npm:@acme/files']);
    await expect.poll(async () => (await groupOf('claude')).device_count, patient).toBe(2);
    const { first_seen, last_seen, id, ...group } = await groupOf('claude');
    expect(group).toEqual({
      kind: 'cli',
      name: 'Claude Code',
      catalog_id: 'claude-code',
      device_count: 2,
      gone_count: 0,
      user_count: 2,
      version_count: 3,
      oldest_version: '1.9.0',
      newest_version: '1.10.0',
      versions: ['1.10.0', '1.10.0-beta.1', '1.9.0'].map((version) => ({
        version,
        device_count: 1,
      })),
      risk_flags: [
        { flag: 'bypass_permissions', device_count: 2 },
        { flag: 'hidden_unicode', device_count: 1 },
      ],
    });
    expect(Date.parse(first_seen)).toBeLessThanOrEqual(Date.parse(last_seen));
    const query = { group: id };
    const { results, count } = await service.byOwner.inventory.listApps({ query });
    expect(count).toBe(3);
    expect(
      results.map(({ hostname, user, version, path, present }) => [
        hostname.length > 0,
        user,
        version,
        path,
        present,
      ]),
    ).toEqual(
      expect.arrayContaining([
        [true, 'ada', '1.9.0', '/usr/local/bin/Claude Code', true],
        [true, 'bob', '1.10.0', '/opt/claude', true],
      ]),
    );
  });

  test.each([
    [{ kind: 'mcp_server' }, ['npm:@acme/files']],
    [{ search: 'CLAUDE-c' }, ['Claude Code']],
    [{ risk_flag: 'hidden_unicode' }, ['Claude Code']],
    [{ risk_flag: 'hidden' }, []],
    [{ version_below: '1.9.1', sort: 'name' }, ['Claude Code', 'aider']],
    [{ version_below: '1.0.0' }, []],
    [{ present: 'false' }, []],
    [{ sort: '-device_count', limit: '1' }, ['Claude Code']],
    [{ sort: '-name', limit: '1', offset: '1' }, ['aider']],
  ])('the filter %j finds the apps %j', async (query, names) => {
    expect(await namesOf(query)).toEqual(names);
  });

  test.each([
    [{ version_below: 'latest' }, /version_below: expected a version/],
    [{ new_since: 'yesterday' }, /new_since: expected an ISO 8601/],
    [{ kind: 'toaster' }, /kind: /],
    [{ sort: 'risk' }, /sort: /],
  ])('%j is rejected', async (query, error) => {
    await expect(list(query)).rejects.toMatchObject({
      status: 400,
      message: expect.stringMatching(error),
    });
  });

  test('removed apps are marked, and counted again when they return', async () => {
    service.setTime(Date.now() + HOUR);
    await scan(first, appOf('aider'));
    await expect
      .poll(() => groupOf('claude'), patient)
      .toMatchObject({
        device_count: 1,
        gone_count: 1,
        version_count: 2,
        oldest_version: '1.10.0-beta.1',
      });
    const { id } = await groupOf('claude');
    const there = async (present: 'true' | 'false') =>
      (await service.byOwner.inventory.listApps({ query: { group: id, present } })).count;
    expect([await there('true'), await there('false')]).toEqual([2, 1]);
    service.setTime(Date.now() + 2 * HOUR);
    await scan(first, appOf('aider'), cli('1.11.0'));
    await expect
      .poll(() => groupOf('claude'), patient)
      .toMatchObject({ device_count: 2, gone_count: 0, newest_version: '1.11.0' });
    service.setTime(Date.now() + 3 * HOUR);
    await scan(second);
    await expect.poll(() => namesOf({ present: 'false' }), patient).toEqual(['npm:@acme/files']);
    service.setTime(undefined);
  });

  test('an app is new since a time if no device of the fleet had it before', async () => {
    service.setTime(Date.now() + 4 * HOUR);
    const new_since = new Date(Date.now() + 3.5 * HOUR).toISOString();
    await scan(first, appOf('aider'), cli('1.11.0', { path: '/elsewhere' }), appOf('brand-new'));
    await expect.poll(() => namesOf({ new_since }), patient).toEqual(['brand-new']);
    service.setTime(undefined);
  });

  test('an unknown app returns 404', async () => {
    const params = { id: 'apg_none' };
    await expect(service.byOwner.inventory.getAppGroup({ params })).rejects.toMatchObject({
      status: 404,
      message: expect.stringMatching(/there is no app apg_none/),
    });
  });
});
