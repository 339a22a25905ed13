import { z } from 'zod';
import { type GuardConfig, type GuardLevel, guardLayer } from '#contract/guard.ts';
import { withAudit } from '../audit/with-audit.ts';
import type { Context } from '../context.ts';
import type { SessionCaller } from '../http/caller.ts';
import type { Tx } from '../storage/transaction.ts';
import { type LayerChange, insertChange } from './history-queries.ts';
import { deleteLayer, findGuardTarget, findLayerAt, type Layer, putLayer } from './queries.ts';
import {
  type ConfigReach,
  nextConfigVersion,
  setTargetVersion,
} from '../tenants/config-version.ts';

interface AdminRequest {
  caller: SessionCaller;
  address: string;
}

export interface LayerKey {
  layer: GuardLevel;
  scope: string | null;
}

/** The new content of a layer. */
export interface LayerUpdate extends LayerKey {
  /** Null deletes the layer. */
  config: GuardConfig | null;
  /** The id under which a deleted layer is restored. */
  id?: string;
  /** The change whose state is restored. */
  reverts?: string;
}

export interface Changed {
  change: LayerChange;
  before: Layer | undefined;
  after: Layer | undefined;
}

/**
 * Changes one layer. The layer, the configuration version, the history entry and the audit log
 * entry are stored atomically. Devices and consoles are then notified.
 *
 * `decide` returns the new content. It runs within the transaction, while concurrent changes of the
 * tenant's layers wait, so that what it reads stays current. If it throws, the transaction is
 * rolled back.
 */
export async function changeLayer(
  context: Context,
  request: AdminRequest,
  decide: (tx: Tx) => Promise<LayerUpdate> | LayerUpdate,
): Promise<Changed> {
  const { tenantId, email } = request.caller;
  const changed = await withAudit(context, request, async (tx, audit) => {
    // Incrementing the version locks the tenant's row until the end, so concurrent changes wait
    // here.
    const version = await nextConfigVersion(tx, tenantId);
    const update = await decide(tx);
    await setTargetVersion(tx, tenantId, reachOf(update), version);
    const stamp = { version, updated_at: context.now(), updated_by: email };
    const { before, after } = await store(tx, context, tenantId, update, stamp);
    const change = changeOf(context.newId('gch'), update, stamp, { before, after });
    await insertChange(tx, tenantId, change);
    audit({
      action: `guard_layer.${change.change}`,
      resource_type: 'guard_layer',
      resource_id: change.layer_id,
      before: before && z.encode(guardLayer, before),
      after: after && z.encode(guardLayer, after),
      ...(update.reverts && { metadata: { reverts: update.reverts } }),
    });
    return { change, before, after };
  });
  context.storage.signals.publish({ tenant_id: tenantId, topic: 'guard' });
  return changed;
}

/**
 * Returns the devices that a change affects. Layers of app types and agents are not part of a
 * device's configuration.
 */
function reachOf({ layer, scope }: LayerKey): ConfigReach {
  if (layer === 'global') return { kind: 'fleet' };
  if (layer === 'user_group') return { kind: 'user_group', name: scope ?? '' };
  if (layer === 'device') return { kind: 'devices', ids: [scope ?? ''] };
  return { kind: 'none' };
}

type Stamp = Pick<Layer, 'version' | 'updated_at' | 'updated_by'>;

async function store(
  tx: Tx,
  context: Context,
  tenantId: string,
  { id, layer, scope, config }: LayerUpdate,
  stamp: Stamp,
): Promise<Omit<Changed, 'change'>> {
  const before = await findLayerAt(tx.db, tenantId, { layer, scope });
  if (config === null) {
    if (before) await deleteLayer(tx, tenantId, before.id);
    return { before, after: undefined };
  }
  if (layer === 'device') await findGuardTarget(tx.db, tenantId, scope ?? '');
  const row = { id: before?.id ?? id ?? context.newId('grd'), layer, scope, config, ...stamp };
  return { before, after: await putLayer(tx, tenantId, row) };
}

const changeOf = (
  id: string,
  { layer, scope, reverts }: LayerUpdate,
  { version, updated_at, updated_by }: Stamp,
  { before, after }: Omit<Changed, 'change'>,
): LayerChange => ({
  id,
  version,
  change: reverts ? 'revert' : after ? (before ? 'update' : 'create') : 'delete',
  layer,
  scope,
  layer_id: (after ?? before)?.id ?? '',
  before: before?.config ?? null,
  after: after?.config ?? null,
  reverts: reverts ?? null,
  changed_by: updated_by,
  changed_at: updated_at,
});
