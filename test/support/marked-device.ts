import { vi } from 'vitest';
import type { TestControlPlane } from './control-plane.ts';
import { enrollDevice } from './device.ts';
import { appOf, captureOf, flowOf } from './device-reports.ts';
import { TENANT_MARKER } from './marked-tenant.ts';
import { PATIENCE_MS } from './time-limits.ts';

/** Creates a device of the tenant that has sent one report of each kind; returns their ids. */
export async function createMarkedDevice(
  service: Pick<TestControlPlane, 'urls' | 'byKey' | 'byOwner'>,
) {
  const { id, client } = await enrollDevice(service, `hardware-${TENANT_MARKER}`, {
    hosts: 'claude.ai',
    userGroup: `${TENANT_MARKER}-people`,
  });
  await client.device.reportFlows({
    body: {
      batch_id: `flows-${TENANT_MARKER}`,
      flows: [flowOf(`${TENANT_MARKER}-flow`, { process: TENANT_MARKER })],
    },
  });
  await client.device.reportInventory({
    body: { batch_id: `scan-${TENANT_MARKER}`, apps: [appOf(`${TENANT_MARKER}-app`)] },
  });
  // The service replaces a time in the future with that of the report, when the hosts of the
  // profile are captured.
  const soon = new Date(Date.now() + 60_000).toISOString();
  const exchange = captureOf(TENANT_MARKER, soon, { host: 'claude.ai', path: `/${TENANT_MARKER}` });
  await client.device.reportCaptures({
    body: { batch_id: `captures-${TENANT_MARKER}`, captures: [exchange] },
  });
  const pause = {
    id: `${TENANT_MARKER}-pause`,
    user: TENANT_MARKER,
    started_at: soon,
    minutes: 30,
  };
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
    body: { device_id: id, app: `${TENANT_MARKER}-app`, agent_name: `${TENANT_MARKER}-agent` },
  });
  const { results } = await service.byOwner.captures.listCaptures({ query: {} });
  const rule = await service.byOwner.inventoryRules.createInventoryRule({
    body: {
      name: `${TENANT_MARKER}-rule`,
      condition: { type: 'listed', apps: [`${TENANT_MARKER}-app`] },
    },
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
