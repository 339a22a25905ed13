import type { GuardConfig } from '#contract/guard.ts';
import type { DeviceCaller } from '../http/caller.ts';
import type { Db } from '../storage/open.ts';
import { findGuardTarget, listLayers } from '../guard/queries.ts';
import type { CaptureHistory, LayerChange } from './rules.ts';

/** Finds the data that determines the captured hosts of this device at any time since `since`. */
export async function findCaptureHistory(
  db: Db,
  { tenantId, deviceId }: DeviceCaller,
  since: number,
): Promise<CaptureHistory> {
  // Layers are read first, so that a change made in between is either reverted or not seen at all.
  const layers = await listLayers(db, tenantId);
  const changes = await listChanges(db, tenantId, since);
  const target = await findGuardTarget(db, tenantId, deviceId);
  const { user_group = null, enrolled_at, profileHosts } = target;
  return { device: { id: deviceId, user_group, enrolled_at }, profileHosts, layers, changes };
}

async function listChanges(db: Db, tenantId: string, since: number): Promise<LayerChange[]> {
  const rows = await db
    .selectFrom('guard_changes')
    .select(['layer', 'scope', 'before', 'changed_at'])
    .where('tenant_id', '=', tenantId)
    .where('changed_at', '>', since)
    .orderBy('version', 'desc')
    .execute();
  return rows.map(({ scope, before, ...change }) => ({
    ...change,
    scope: scope || null,
    before: before === null ? null : (JSON.parse(before) as GuardConfig),
  }));
}

export const captureColumns = [
  'captures.id',
  'captures.device_id',
  'hostname',
  'captures.host',
  'captures.app_id',
  'captures.process',
  'captures.user',
  'captures.method',
  'captures.path',
  'captures.status',
  'captures.started_at',
  'captures.ended_at',
  'captures.received_at',
  'captures.request_type',
  'captures.response_type',
  'captures.request_bytes',
  'captures.response_bytes',
  'captures.request_truncated',
  'captures.response_truncated',
  'captures.redactions',
  'captures.model',
  'captures.provider',
  'captures.tokens_in',
  'captures.tokens_out',
] as const;

export function findCapture(db: Db, tenantId: string, id: string) {
  return db
    .selectFrom('captures')
    .innerJoin('devices', (join) =>
      join
        .onRef('devices.tenant_id', '=', 'captures.tenant_id')
        .onRef('devices.id', '=', 'captures.device_id'),
    )
    .select(captureColumns)
    .select(['captures.request_body', 'captures.response_body', 'captures.response_id'])
    .where('captures.tenant_id', '=', tenantId)
    .where('captures.id', '=', id)
    .executeTakeFirst();
}

/**
 * Finds the first run recorded from a capture, or the run on which a client reported its call; null
 * if there is none, or if it was deleted.
 */
export async function findRunOf(
  db: Db,
  tenantId: string,
  { id, response_id }: { id: string; response_id: string | null },
): Promise<number | null> {
  const run = await db
    .selectFrom('runs')
    .select('id')
    .where('tenant_id', '=', tenantId)
    .where('capture_id', '=', id)
    .orderBy('id')
    .executeTakeFirst();
  if (run || response_id === null) return run?.id ?? null;
  const call = await db
    .selectFrom('llm_calls')
    .select('run_id')
    .where('tenant_id', '=', tenantId)
    .where('response_id', '=', response_id)
    .executeTakeFirst();
  return call?.run_id ?? null;
}
