import { withBlocked } from '#agent/core/blocked-processes.ts';
import { resolveGuard } from '#agent/core/guard.ts';
import { hostCatalog } from '#agent/core/host-catalog.ts';
import { ApiError } from '#contract/errors.ts';
import { guardFieldNames, type guardRoutes } from '#contract/guard.ts';
import type { Handlers } from '../http/handler.ts';
import { listBlocksOfDevice } from '../inventory/block-queries.ts';
import { namesInOrder, shownBlock } from '../inventory/block-view.ts';
import { withAllowedHosts } from './allowed-hosts.ts';
import { changeLayer, type Changed } from './change-layer.ts';
import { historyHandlers } from './history-handlers.ts';
import { configVersion, findGuardTarget, findLayer, type Layer, listLayers } from './queries.ts';

export const guardHandlers: Handlers<typeof guardRoutes> = {
  ...historyHandlers,

  listCatalog: () => ({
    version: hostCatalog.version,
    hosts: hostCatalog.hosts.map((host) => ({ ...host, aliases: [...host.aliases] })),
  }),

  async listLayers(context, { caller }) {
    const results = await listLayers(context.storage.db, caller.tenantId);
    return { results, count: results.length, next: null, previous: null };
  },

  async putLayer(context, call) {
    const { layer, scope } = call.body;
    if ((layer === 'global') !== (scope === null))
      throw new ApiError(
        'validation_error',
        layer === 'global'
          ? 'scope: not allowed for the global layer'
          : `scope: required for ${layer}`,
      );
    const config = withAllowedHosts(call.body.config);
    return stored(await changeLayer(context, call, () => ({ layer, scope, config })));
  },

  async updateLayer(context, call) {
    const { caller, params, body } = call;
    const config = withAllowedHosts(body.config);
    const changed = await changeLayer(context, call, async (trx) => {
      const { layer, scope } = await findLayer(trx, caller.tenantId, params.id);
      return { layer, scope, config };
    });
    return stored(changed);
  },

  async deleteLayer(context, call) {
    const { caller, params } = call;
    await changeLayer(context, call, async (trx) => {
      const { layer, scope } = await findLayer(trx, caller.tenantId, params.id);
      return { layer, scope, config: null };
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
    const { effective, sources, winners } = resolveGuard(layers, target, device.profileHosts);
    const blocks = query.device ? await listBlocksOfDevice(db, caller.tenantId, query.device) : [];
    const all = withBlocked(effective, namesInOrder(blocks));
    const inForce = new Set(all.blocked_processes);
    const references = guardFieldNames.map(
      (field) => [field, referenceTo(winners[field])] as const,
    );
    return {
      effective: all,
      sources,
      layers: Object.fromEntries(references),
      inventory_blocks: blocks.map((block) => shownBlock(block, inForce)),
      version,
    };
  },
};

const referenceTo = (winner: Layer | null) =>
  winner && { id: winner.id, layer: winner.layer, scope: winner.scope };

function stored({ after }: Changed): Layer {
  if (!after) throw new Error('the layer is missing after it was set');
  return after;
}
