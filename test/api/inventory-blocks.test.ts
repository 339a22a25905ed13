import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestControlPlane, type TestControlPlane } from '../support/control-plane.ts';
import { databases } from '../support/databases.ts';
import { openChannel } from '../support/device-channel.ts';
import { appOf } from '../support/device-reports.ts';
import { enrollDevice, type TestDevice } from '../support/device.ts';
import { PATIENCE_MS } from '../support/time-limits.ts';

const patient = { timeout: PATIENCE_MS };
/** More than a device can block, but few enough for a busy machine to evaluate during the test. */
const SERVERS = 700;

describe.each(databases)('a device with more to block than it takes, on %s', (kind) => {
  let service: TestControlPlane;
  let noisy: TestDevice;
  let quiet: TestDevice;
  beforeAll(async () => {
    service = await startTestControlPlane(kind);
    noisy = await enrollDevice(service, 'hardware-noisy');
    quiet = await enrollDevice(service, 'hardware-quiet');
  });
  afterAll(() => service.stop());

  const server = (name: string) =>
    appOf(name, {
      kind: 'mcp_server',
      version: null,
      path: '/home/ada/.claude.json',
      evidence: [`stdio: npx ${name}`],
    });
  const rule = (name: string, listed?: string) => {
    const kinds = ['mcp_server' as const];
    const condition = listed
      ? { type: 'listed' as const, kinds, apps: [listed] }
      : { type: 'not_allowed' as const, kinds, allowed: ['known-mcp'] };
    const body = { name, condition, action: 'block' as const };
    return service.byOwner.inventoryRules.createInventoryRule({ body });
  };
  const report = ({ client }: TestDevice, batch_id: string, names: readonly string[]) =>
    client.device.reportInventory({ body: { batch_id, apps: names.map(server) } });
  const ruleOf = (id: string) =>
    service.byOwner.inventoryRules.getInventoryRule({ params: { id } });
  const done = async (id: string, patience = patient) => {
    await expect.poll(async () => (await ruleOf(id)).evaluating, patience).toBe(false);
  };

  test('unblocked matches are reported, and other devices neither wait nor get pushes', async () => {
    const all = await rule('Only known MCP servers');
    const one = await rule('No zzz', 'zzz-mcp');
    await done(all.id);
    await done(one.id);
    const line = await openChannel(service.urls.device, quiet.tls);
    const { version: before } = await line.waitForVersion(0);
    const began = performance.now();
    await report(noisy, 'scan-of-noisy', [
      ...Array.from({ length: SERVERS }, (_, i) => `a${i}-mcp`),
      'zzz-mcp',
    ]);
    expect((await ruleOf(all.id)).evaluating).toBe(true);
    // A single change among thousands.
    await report(quiet, 'scan-of-quiet', ['quiet-mcp']);
    await expect.poll(() => line.pushes.at(-1)?.blocked_processes, patient).toEqual(['quiet-mcp']);
    expect((await ruleOf(all.id)).evaluating).toBe(true);
    // The flood takes about 15 seconds on an idle machine.
    await done(all.id, { timeout: 4 * PATIENCE_MS });

    const seconds = (performance.now() - began) / 1000;
    const { effective, inventory_blocks, version } = await service.byOwner.guard.resolveGuard({
      query: { device: noisy.id },
    });
    expect(effective.blocked_processes).toHaveLength(500);
    expect(effective.blocked_processes).toContain('zzz-mcp');
    const left = inventory_blocks.filter(({ not_in_force }) => not_in_force.length > 0);
    expect(left).toHaveLength(SERVERS - 499);
    expect(await ruleOf(all.id)).toMatchObject({ blocks_not_in_force: SERVERS - 499 });
    expect(await ruleOf(one.id)).toMatchObject({ blocks_not_in_force: 0 });
    const [block] = left;
    const { results } = await service.byOwner.incidents.listIncidents({
      query: { device_id: noisy.id, policy_id: all.id, limit: 100 },
    });
    expect(results.some(({ not_in_force }) => not_in_force?.length === 1)).toBe(true);
    expect(block?.not_in_force).toEqual(block?.blocked_processes);
    // There is at most one version per second, and the device gets only those that affect it.
    expect(version - before).toBeGreaterThan(0);
    expect(version - before).toBeLessThanOrEqual(seconds + 2);
    const pushed = line.pushes.filter((config) => config.version > before);
    expect(new Set(pushed.map((config) => config.blocked_processes.join()))).toEqual(
      new Set(['quiet-mcp']),
    );
    expect(pushed).toHaveLength(1);

    // A rule that blocks only what is already blocked creates no new version.
    const same = await rule('Again', 'quiet-mcp');
    await done(same.id);
    const now = await service.byOwner.guard.resolveGuard({ query: { device: quiet.id } });
    expect(now.inventory_blocks).toHaveLength(2);
    expect(now.version).toBe(version);
    line.socket.close();
  });
});
