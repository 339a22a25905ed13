import type { Context } from '../../context.ts';
import type { DeviceCaller } from '../../http/caller.ts';
import { atTime } from './at-time.ts';
import { eachTenant } from './each-tenant.ts';
import { batchQueue, keyBatchQueue } from '../../lib/batch-queue.ts';
import { keyOf, type DeviceConnection, connectionRegistry } from './device-connection.ts';
import { type PresenceUpdate, storePresence } from './presence.ts';
import { pushConfigs } from './push.ts';
import type { DeviceStatus } from './delivery-queries.ts';
import { filterAuthorized } from './authorized-connections.ts';

/** A change and those that follow it quickly are told together. */
const GATHER_CHANGES_MS = 200;
const GATHER_DOUBTS_MS = 10;
const GATHER_ANSWERS_MS = 50;
/** However many revocations are told of, lines are looked up no more often than this. */
const REST_OF_DOUBTS_MS = 200;

export interface Delivery {
  linesOf(device: DeviceCaller): Iterable<DeviceConnection>;
  opened(line: DeviceConnection): void;
  /** This version is in force on the device. */
  acknowledged(line: DeviceConnection, version: number): void;
  closed(line: DeviceConnection): void;
  /** Every device counts as gone from now on. */
  stop(): Promise<void>;
}

/**
 * Brings configurations to the devices that this process has a line to, and stores what they answer.
 * Changes, acknowledgements and revocations are worked off in lots: ten quick changes are one
 * delivery, and two thousand answers a few statements.
 */
export function startDelivery(context: Context): Delivery {
  const lines = connectionRegistry();
  const onError = (error: unknown) => context.log.warn({ err: error }, 'device channel');
  const gatherLines = (
    pace: { ms: number; restMs?: number },
    work: (
      context: Context,
      tenantId: string,
      lines: readonly DeviceConnection[],
    ) => Promise<unknown>,
  ) =>
    keyBatchQueue<DeviceConnection>({
      ...pace,
      work: (of) => eachTenant(of, ofConnection, (tenantId, its) => work(context, tenantId, its)),
      onError,
    });
  const due = gatherLines({ ms: GATHER_CHANGES_MS }, pushConfigs);
  const doubted = gatherLines(
    { ms: GATHER_DOUBTS_MS, restMs: REST_OF_DOUBTS_MS },
    filterAuthorized,
  );
  const sightings = batchQueue<string, PresenceUpdate>({
    ms: GATHER_ANSWERS_MS,
    merge: (waiting, { line, seen }) => ({ line, seen: { ...waiting.seen, ...seen } }),
    work: (lot) =>
      eachTenant([...lot.values()], ofPresence, (tenantId, of) =>
        storePresence(context, tenantId, of),
      ),
    onError,
  });
  const expiries = new Map<DeviceConnection, () => void>();
  const see = (line: DeviceConnection, seen: DeviceStatus): void =>
    sightings.add(keyOf(line.device), { line, seen });
  const unsubscribe = context.storage.signals.subscribe((signal) => {
    const { topic, tenant_id: tenantId, device_id: deviceId } = signal;
    if (topic === 'guard')
      addAll(due, deviceId ? lines.ofDevice({ tenantId, deviceId }) : lines.ofTenant(tenantId));
    // Whoever is suspended takes all below it along.
    if (topic === 'tenants') addAll(doubted, lines.all());
    // What was revoked is cut off now, not with the next message.
    if (topic === 'identities' && deviceId) addAll(doubted, lines.ofDevice({ tenantId, deviceId }));
  });
  return {
    linesOf: (device) => lines.ofDevice(device),
    opened(line) {
      lines.add(line);
      see(line, { disconnected_at: null });
      due.add(line);
      expiries.set(
        line,
        atTime(
          line.expiry,
          () => context.now(),
          () => doubted.add(line),
        ),
      );
    },
    acknowledged: (line, version) => see(line, { applied_version: version }),
    closed(line) {
      expiries.get(line)?.();
      expiries.delete(line);
      // The silence begins now; a report after this moment makes the device online again.
      if (!lines.remove(line)) see(line, { disconnected_at: context.now() });
    },
    async stop() {
      unsubscribe();
      for (const callOff of expiries.values()) callOff();
      for (const line of lines.all()) see(line, { disconnected_at: context.now() });
      await Promise.all([due, doubted, sightings].map((gathering) => gathering.stop()));
    },
  };
}

const ofConnection = ({ device }: DeviceConnection): string => device.tenantId;
const ofPresence = ({ line }: PresenceUpdate): string => ofConnection(line);

function addAll(
  to: { add(line: DeviceConnection): void },
  lines: Iterable<DeviceConnection>,
): void {
  for (const line of lines) to.add(line);
}
