import type { Db } from '../storage/open.ts';
import { blocksNotInForce } from '../guard/blocks-not-in-force.ts';

interface OfApp {
  action: string;
  policy_id: string;
  device_id: string | null;
  app_group_id: string | null;
}

const keyOf = (...parts: (string | null)[]): string => parts.join(' ');

/** Incidents with what their rules block and their devices do not, where there is any. */
export async function withBlocksNotInForce<I extends OfApp>(
  db: Db,
  tenantId: string,
  incidents: readonly I[],
): Promise<(I & { not_in_force?: string[] })[]> {
  const blocking = incidents.filter(({ action }) => action === 'block');
  const devices = [...new Set(blocking.flatMap(({ device_id }) => device_id ?? []))];
  if (devices.length === 0) return [...incidents];
  const found = await blocksNotInForce(db, tenantId, devices);
  const byPlace = new Map(
    found.map(({ block, names }) => [
      keyOf(block.rule_id, block.device_id, block.app_group_id),
      names,
    ]),
  );
  return incidents.map((one) => {
    const names = byPlace.get(keyOf(one.policy_id, one.device_id, one.app_group_id));
    return names ? { ...one, not_in_force: names } : one;
  });
}
