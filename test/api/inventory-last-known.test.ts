import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestControlPlane, type TestControlPlane } from '../support/control-plane.ts';
import { databases } from '../support/databases.ts';
import { appOf } from '../support/device-reports.ts';
import { enrollDevice, type TestDevice } from '../support/device.ts';
import { PATIENCE_MS } from '../support/time-limits.ts';

const patient = { timeout: PATIENCE_MS };
const FILE = '/home/ada/.claude.json';

describe.each(databases)('apps of files that were not read on %s', (kind) => {
  let service: TestControlPlane;
  let device: TestDevice;
  let hour = 0;
  beforeAll(async () => {
    service = await startTestControlPlane(kind);
    device = await enrollDevice(service, 'hardware-ada');
    await rule();
  });
  afterAll(() => service.stop());

  type Report = Parameters<TestDevice['client']['device']['reportInventory']>[0]['body'];
  const scan = async (apps: Report['apps'], not_read?: Report['not_read']) => {
    const at = Date.now() + (hour += 1) * 3_600_000;
    service.setTime(at);
    const body = { batch_id: `scan-number-${hour}`, apps, ...(not_read && { not_read }) };
    await device.client.device.reportInventory({ body });
    service.setTime(undefined);
    return at;
  };
  let name = 0;
  const server = (path = FILE) =>
    appOf(`evil-${name}`, {
      kind: 'mcp_server',
      version: null,
      path,
      evidence: [`in ${FILE} for /home/ada/p, read by Claude Code`, `stdio: npx evil-${name}-mcp`],
    });
  const rule = () =>
    service.byOwner.inventoryRules.createInventoryRule({
      body: {
        name: 'No evil',
        condition: { type: 'listed', kinds: ['mcp_server'], apps: ['*evil-*'] },
        action: 'block',
      },
    });
  const state = async () => {
    const { results } = await service.byOwner.incidents.listIncidents({
      query: { source: 'inventory' },
    });
    const [own] = results.filter(({ app_name }) => app_name?.includes(`evil-${name}-mcp`));
    const { inventory_blocks } = await service.byOwner.guard.resolveGuard({
      query: { device: device.id },
    });
    const [app] = await listed();
    return [own?.status, inventory_blocks.length, app?.present];
  };
  const listed = async () =>
    (
      await service.byOwner.inventory.listApps({
        query: { kind: 'mcp_server', search: `evil-${name}` },
      })
    ).results;

  test.each<[string, NonNullable<Report['not_read']>[number], string | undefined]>([
    ['its file', { kind: null, path: FILE, reason: 'is not valid JSON' }, '/home/ada/p'],
    ['its file, whose path is its own', { kind: null, path: FILE, reason: 'is a pipe' }, FILE],
    ['a folder', { kind: null, path: '/home/ada/', reason: 'may not be read' }, FILE],
    ['a part of its kind', { kind: 'mcp_server', path: null, reason: 'full' }, FILE],
    ['everything', { kind: null, path: null, reason: 'full' }, FILE],
  ])('incident and block stay if %s was not read', async (_, source, path) => {
    name += 1;
    const seen = await scan([server(path)]);
    await expect.poll(state, patient).toEqual(['open', 1, true]);
    await scan([appOf('filler')], [source]);
    await scan([appOf('filler')], [source]);
    const [app] = await listed();
    expect(app).toMatchObject({ present: true, last_seen: new Date(seen).toISOString() });
    expect(app?.last_known).toBe(source.path ? `${source.path}: ${source.reason}` : 'full');
    expect(app?.evidence.filter((line) => line.startsWith('last known'))).toHaveLength(1);
    // Nothing has changed: a change would have been processed before that of the next scan.
    expect(await state()).toEqual(['open', 1, true]);
    await scan([server(path)]);
    expect((await listed())[0]).toMatchObject({ present: true, last_known: null });
    await scan([appOf('filler')], [{ kind: null, path: '/home/ada/.other', reason: 'x' }]);
    await expect.poll(state, patient).toEqual(['resolved', 0, false]);
    await expect.poll(listed).toMatchObject([{ last_known: null }]);
  });

  test('a report of an agent that does not list omissions counts as incomplete at 5,000 apps', async () => {
    name += 1;
    await scan([server()]);
    await expect.poll(state, patient).toEqual(['open', 1, true]);
    await scan(Array.from({ length: 5000 }, (_, i) => appOf(`filler-${i}`)));
    expect(await listed()).toMatchObject([{ present: true, last_known: 'the report was full' }]);
    expect(await state()).toEqual(['open', 1, true]);
  });
});
