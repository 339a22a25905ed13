import { runAt } from './run-at.ts';
import type { Context } from '../../context.ts';
import type { DeviceCaller } from '../../http/caller.ts';
import { batchQueue, keyBatchQueue } from '../../lib/batch-queue.ts';
import { keyOf, type DeviceConnection, connectionRegistry } from './device-connection.ts';
import { type PresenceUpdate, storePresence } from './presence.ts';
import { pushConfigs } from './push.ts';
import type { DeviceStatus } from './delivery-queries.ts';
import { closeUnauthorized } from './authorized-connections.ts';

/** The interval in which changes are combined into one push. */
const CHANGES_DEBOUNCE_MS = 200;
const RECHECK_DEBOUNCE_MS = 10;
const STATUS_DEBOUNCE_MS = 50;
/** The minimum interval between checks of connections, however many revocations are signaled. */
const RECHECK_GAP_MS = 200;

export interface Delivery {
  connectionsOf(device: DeviceCaller): Iterable<DeviceConnection>;
  opened(connection: DeviceConnection): void;
  /** Reports that the device has applied this version. */
  acknowledged(connection: DeviceConnection, version: number): void;
  closed(connection: DeviceConnection): void;
  /** Marks every device as disconnected. */
  stop(): Promise<void>;
}

/**
 * Pushes configurations to the devices connected to this process, and stores their acknowledgments.
 * Changes, acknowledgments and revocations are batched, so that ten quick changes are one push, and
 * two thousand acknowledgments take a few statements.
 */
export function startDelivery(context: Context): Delivery {
  const connections = connectionRegistry();
  const onError = (error: unknown) => context.log.warn({ err: error }, 'device channel');
  const batchConnections = (
    pace: { ms: number; minGapMs?: number },
    work: (
      context: Context,
      tenantId: string,
      connections: readonly DeviceConnection[],
    ) => Promise<unknown>,
  ) =>
    keyBatchQueue<DeviceConnection>({
      ...pace,
      work: (of) => eachTenant(of, ofConnection, (tenantId, its) => work(context, tenantId, its)),
      onError,
    });
  const toPush = batchConnections({ ms: CHANGES_DEBOUNCE_MS }, pushConfigs);
  const toRecheck = batchConnections(
    { ms: RECHECK_DEBOUNCE_MS, minGapMs: RECHECK_GAP_MS },
    closeUnauthorized,
  );
  const presenceUpdates = batchQueue<string, PresenceUpdate>({
    ms: STATUS_DEBOUNCE_MS,
    merge: (waiting, { connection, status }) => ({
      connection,
      status: { ...waiting.status, ...status },
    }),
    work: (batch) =>
      eachTenant([...batch.values()], ofPresence, (tenantId, of) =>
        storePresence(context, tenantId, of),
      ),
    onError,
  });
  const expiries = new Map<DeviceConnection, () => void>();
  const updateStatus = (connection: DeviceConnection, status: DeviceStatus): void =>
    presenceUpdates.add(keyOf(connection.device), { connection, status });
  const unsubscribe = context.storage.signals.subscribe((signal) => {
    const { topic, tenant_id: tenantId, device_id: deviceId } = signal;
    if (topic === 'guard')
      addAll(
        toPush,
        deviceId ? connections.ofDevice({ tenantId, deviceId }) : connections.ofTenant(tenantId),
      );
    // Suspending a tenant also suspends its descendants.
    if (topic === 'tenants') addAll(toRecheck, connections.all());
    // Revoked connections are closed now, and not only when their next message arrives.
    if (topic === 'identities' && deviceId)
      addAll(toRecheck, connections.ofDevice({ tenantId, deviceId }));
  });
  return {
    connectionsOf: (device) => connections.ofDevice(device),
    opened(connection) {
      connections.add(connection);
      updateStatus(connection, { disconnected_at: null });
      toPush.add(connection);
      expiries.set(
        connection,
        runAt(
          connection.expiry,
          () => context.now(),
          () => toRecheck.add(connection),
        ),
      );
    },
    acknowledged: (connection, version) => updateStatus(connection, { applied_version: version }),
    closed(connection) {
      expiries.get(connection)?.();
      expiries.delete(connection);
      // The device is offline from now on. A later report makes it online again.
      if (!connections.remove(connection))
        updateStatus(connection, { disconnected_at: context.now() });
    },
    async stop() {
      unsubscribe();
      for (const cancel of expiries.values()) cancel();
      for (const connection of connections.all())
        updateStatus(connection, { disconnected_at: context.now() });
      await Promise.all([toPush, toRecheck, presenceUpdates].map((queue) => queue.stop()));
    },
  };
}

const ofConnection = ({ device }: DeviceConnection): string => device.tenantId;
const ofPresence = ({ connection }: PresenceUpdate): string => ofConnection(connection);

function addAll(
  to: { add(connection: DeviceConnection): void },
  connections: Iterable<DeviceConnection>,
): void {
  for (const connection of connections) to.add(connection);
}

/**
 * Runs work for every tenant concurrently, with the tenant's own items. A failure for one tenant
 * does not affect the others.
 *
 * @throws the first error, after all have finished
 */
export async function eachTenant<T>(
  items: readonly T[],
  tenantOf: (item: T) => string,
  work: (tenantId: string, items: readonly T[]) => Promise<unknown>,
): Promise<void> {
  const works = [...Map.groupBy(items, tenantOf)].map(([tenantId, of]) => work(tenantId, of));
  for (const result of await Promise.allSettled(works))
    if (result.status === 'rejected') throw result.reason;
}
