import { vi } from 'vitest';
import type { TestControlPlane } from './control-plane.ts';
import { enrollDevice } from './device.ts';
import { appOf, captureOf, flowOf } from './device-reports.ts';
import { MARK } from './marked-tenant.ts';
import { PATIENCE_MS } from './time-limits.ts';

/** Creates a device of the tenant that has sent one report of each kind; returns their ids. */
export async function fillDevice(service: Pick<TestControlPlane, 'urls' | 'byKey' | 'byOwner'>) {
  const { id, client } = await enrollDevice(service, `hardware-${MARK}`, {
    hosts: 'claude.ai',
    userGroup: `${MARK}-people`,
  });
  await client.device.reportFlows({
    body: { batch_id: `flows-${MARK}`, flows: [flowOf(`${MARK}-flow`, { process: MARK })] },
  });
  await client.device.reportInventory({
    body: { batch_id: `scan-${MARK}`, apps: [appOf(`${MARK}-app`)] },
  });
  // The service replaces a time in the future with that of the report, when the hosts of the
  // profile are captured.
  const soon = new Date(Date.now() + 60_000).toISOString();
  const exchange = captureOf(MARK, soon, { host: 'claude.ai', path: `/${MARK}` });
  await client.device.reportCaptures({
    body: { batch_id: `captures-${MARK}`, captures: [exchange] },
  });
  const pause = { id: `${MARK}-pause`, user: MARK, started_at: soon, minutes: 30 };
  await client.device.heartbeat({
    body: {
      agent_version: '1',
      applied_version: 0,
      queued: 0,
      dropped: 0,
      problems: [],
      pauses: [
        {
          ...pause,
          ended_at: null,
          ended_by: null,
        },
      ],
    },
  });
  await service.byOwner.captures.putCaptureAgent({
    body: { device_id: id, app: `${MARK}-app`, agent_name: `${MARK}-agent` },
  });
  const { results } = await service.byOwner.captures.listCaptures({ query: {} });
  const rule = await service.byOwner.inventoryRules.createInventoryRule({
    body: { name: `${MARK}-rule`, condition: { type: 'listed', apps: [`${MARK}-app`] } },
  });
  const groups = () => service.byOwner.inventory.listAppGroups({ query: {} });
  await vi.waitUntil(async () => (await groups()).count === 1, { timeout: PATIENCE_MS });
  return {
    device: id,
    capture: results[0]?.id ?? '',
    appGroup: (await groups()).results[0]?.id ?? '',
    inventoryRule: rule.id,
  };
}
