import { z } from 'zod';
import { resolveGuard } from '#agent/core/guard.ts';
import { checkInterceptHosts, hostCatalog } from '#agent/core/host-catalog.ts';
import { ApiError } from '#contract/errors.ts';
import { type GuardConfig, guardLayer, type guardRoutes } from '#contract/guard.ts';
import { changing } from '../../audit/changing.ts';
import type { Context } from '../../context.ts';
import type { Handlers, SessionCaller } from '../../http/call.ts';
import type { Db } from '../../storage/open.ts';
import {
  configVersion,
  deleteLayer,
  findGuardTarget,
  findLayer,
  type Layer,
  listLayers,
  nextConfigVersion,
  putLayer,
} from './queries.ts';

export const guardHandlers: Handlers<typeof guardRoutes> = {
  listCatalog: () => ({ version: hostCatalog.version, hosts: [...hostCatalog.hosts] }),

  async listLayers(context, { caller }) {
    const results = await listLayers(context.storage.db, caller.tenantId);
    return { results, count: results.length, next: null, previous: null };
  },

  async putLayer(context, call) {
    const { caller, body } = call;
    const { layer, scope } = body;
    if ((layer === 'global') !== (scope === null))
      throw new ApiError(
        'validation_error',
        layer === 'global' ? 'scope: the global layer has none' : `scope: ${layer} needs one`,
      );
    const config = checkedConfig(body.config);
    const { after } = await changeGuard(context, call, async (db, change) => {
      if (layer === 'device') await findGuardTarget(db, caller.tenantId, scope ?? '');
      const layers = await listLayers(db, caller.tenantId);
      const before = layers.find((one) => one.layer === layer && one.scope === scope);
      const id = context.newId('grd');
      const put = { id, layer, scope, config, ...change };
      return { before, after: await putLayer(db, caller.tenantId, put) };
    });
    return after;
  },

  async updateLayer(context, call) {
    const { caller, params, body } = call;
    const config = checkedConfig(body.config);
    const { after } = await changeGuard(context, call, async (db, change) => {
      const before = await findLayer(db, caller.tenantId, params.id);
      const after = await putLayer(db, caller.tenantId, { ...before, config, ...change });
      return { before, after };
    });
    return after;
  },

  async deleteLayer(context, call) {
    const { caller, params } = call;
    await changeGuard(context, call, async (db) => {
      const before = await findLayer(db, caller.tenantId, params.id);
      await deleteLayer(db, caller.tenantId, params.id);
      return { before };
    });
    return undefined;
  },

  async resolveGuard(context, { caller, query }) {
    const { db } = context.storage;
    const version = await configVersion(db, caller.tenantId);
    const layers = await listLayers(db, caller.tenantId);
    const device = query.device
      ? await findGuardTarget(db, caller.tenantId, query.device)
      : { profileHosts: [] };
    const target = Object.fromEntries(
      Object.entries({ ...device, ...query }).filter(([, value]) => typeof value === 'string'),
    );
    return { ...resolveGuard(layers, target, device.profileHosts), version };
  },
};

interface Changed {
  before?: Layer | undefined;
  after?: Layer;
}

/** Stores a change of one layer and tells devices and consoles of the new version. */
async function changeGuard<T extends Changed>(
  context: Context,
  call: { caller: SessionCaller; address: string },
  change: (db: Db, stamp: Pick<Layer, 'version' | 'updated_at' | 'updated_by'>) => Promise<T>,
): Promise<T> {
  const { caller } = call;
  const result = await changing(context, call, async (trx, audit) => {
    const version = await nextConfigVersion(trx, caller.tenantId);
    const stamp = { version, updated_at: context.now(), updated_by: caller.email };
    const changed = await change(trx, stamp);
    const { before, after } = changed;
    await audit({
      action: `guard_layer.${after ? (before ? 'update' : 'create') : 'delete'}`,
      resource_type: 'guard_layer',
      resource_id: (after ?? before)?.id ?? '',
      before: before && z.encode(guardLayer, before),
      after: after && z.encode(guardLayer, after),
    });
    return changed;
  });
  context.storage.signals.publish({ tenant_id: caller.tenantId, topic: 'guard' });
  return result;
}

/** Capture is for catalog hosts alone; a host is named in full in the refusal. */
function checkedConfig(config: GuardConfig): GuardConfig {
  if (!config.intercept_hosts) return config;
  const { hosts, unknown, refused } = checkInterceptHosts(config.intercept_hosts);
  if (refused.length > 0)
    throw new ApiError(
      'validation_error',
      `intercept_hosts: capture is never allowed for ${refused.join(', ')}`,
      { hosts: refused },
    );
  if (unknown.length > 0)
    throw new ApiError(
      'validation_error',
      `intercept_hosts: not in the catalog of AI hosts: ${unknown.join(', ')}`,
      { hosts: unknown },
    );
  return { ...config, intercept_hosts: hosts };
}
