import { resolveGuard } from '#agent/core/guard.ts';
import { checkInterceptHosts, hostCatalog } from '#agent/core/host-catalog.ts';
import { ApiError } from '#contract/errors.ts';
import type { GuardConfig, guardRoutes } from '#contract/guard.ts';
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

  async putLayer(context, { caller, body }) {
    const { layer, scope } = body;
    if ((layer === 'global') !== (scope === null))
      throw new ApiError(
        'validation_error',
        layer === 'global' ? 'scope: the global layer has none' : `scope: ${layer} needs one`,
      );
    const config = checkedConfig(body.config);
    return changeGuard(context, caller, async (db, change) => {
      if (layer === 'device') await findGuardTarget(db, caller.tenantId, scope ?? '');
      const id = context.newId('grd');
      return putLayer(db, caller.tenantId, { id, layer, scope, config, ...change });
    });
  },

  async updateLayer(context, { caller, params, body }) {
    const config = checkedConfig(body.config);
    return changeGuard(context, caller, async (db, change) => {
      const layer = await findLayer(db, caller.tenantId, params.id);
      return putLayer(db, caller.tenantId, { ...layer, config, ...change });
    });
  },

  async deleteLayer(context, { caller, params }) {
    await changeGuard(context, caller, async (db) => {
      await findLayer(db, caller.tenantId, params.id);
      await deleteLayer(db, caller.tenantId, params.id);
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

/** Stores a change and tells devices and consoles of the new version. */
async function changeGuard<T>(
  context: Context,
  caller: SessionCaller,
  change: (db: Db, stamp: Pick<Layer, 'version' | 'updated_at' | 'updated_by'>) => Promise<T>,
): Promise<T> {
  const { db, signals } = context.storage;
  const result = await db.transaction().execute(async (trx) => {
    const version = await nextConfigVersion(trx, caller.tenantId);
    return change(trx, { version, updated_at: context.now(), updated_by: caller.email });
  });
  signals.publish({ tenant_id: caller.tenantId, topic: 'guard' });
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
