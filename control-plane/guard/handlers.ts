import { ApiError } from '#contract/errors.ts';
import { guardFieldNames, type guardRoutes } from '#contract/guard.ts';
import { withBlocked } from '#domain/guard/blocked-processes.ts';
import { resolveGuard } from '#domain/guard/cascade.ts';
import { hostCatalog } from '#domain/hosts/host-catalog.ts';
import type { Handlers } from '../handler.ts';
import type { Db } from '../storage/open.ts';
import { listBlocksOfDevice } from './block-queries.ts';
import { namesInOrder, blockView } from './block-view.ts';
import { withAllowedHosts } from './allowed-hosts.ts';
import { changeLayer, type Changed, type LayerKey } from './change-layer.ts';
import { historyHandlers } from './history-handlers.ts';
import { previewChange } from './preview-change.ts';
import { listPreviewDevices } from './preview-queries.ts';
import { findGuardTarget, findLayer, type Layer, listLayers, listProfileHosts } from './queries.ts';
import { configVersion } from '../tenants/config-version.ts';

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

  async putLayer(context, request) {
    const { layer, scope } = request.body;
    checkScope(request.body);
    const config = withAllowedHosts(request.body.config);
    return stored(await changeLayer(context, request, () => ({ layer, scope, config })));
  },

  async previewLayer(context, { caller, body }) {
    checkScope(body);
    const { layer, scope } = body;
    const { db } = context.storage;
    if (layer === 'device') await findGuardTarget(db, caller.tenantId, scope ?? '');
    const config = body.config && withAllowedHosts(body.config);
    return previewChange(
      await listLayers(db, caller.tenantId),
      { layer, scope, config },
      await listPreviewDevices(db, caller.tenantId, body),
    );
  },

  async updateLayer(context, request) {
    const { caller, params, body } = request;
    const config = withAllowedHosts(body.config);
    const changed = await changeLayer(context, request, async (tx) => {
      const { layer, scope } = await findLayer(tx.db, caller.tenantId, params.id);
      return { layer, scope, config };
    });
    return stored(changed);
  },

  async deleteLayer(context, request) {
    const { caller, params } = request;
    await changeLayer(context, request, async (tx) => {
      const { layer, scope } = await findLayer(tx.db, caller.tenantId, params.id);
      return { layer, scope, config: null };
    });
    return undefined;
  },

  async resolveGuard(context, { caller, query }) {
    const { db } = context.storage;
    const version = await configVersion(db, caller.tenantId);
    const { without, profiles: _profiles, ...named } = query;
    const all = await listLayers(db, caller.tenantId);
    const layers = all.filter(({ layer }) => layer !== without);
    const device = query.device
      ? await findGuardTarget(db, caller.tenantId, query.device)
      : { profileHosts: await profileHostsOf(db, caller.tenantId, query) };
    const target = Object.fromEntries(
      Object.entries({ ...device, ...named }).filter(([, value]) => typeof value === 'string'),
    );
    const { effective, sources, winners } = resolveGuard(layers, target, device.profileHosts);
    const blocks = query.device ? await listBlocksOfDevice(db, caller.tenantId, query.device) : [];
    const blocking = withBlocked(effective, namesInOrder(blocks));
    const inForce = new Set(blocking.blocked_processes);
    const references = guardFieldNames.map(
      (field) => [field, referenceTo(winners[field])] as const,
    );
    return {
      effective: blocking,
      sources,
      layers: Object.fromEntries(references),
      inventory_blocks: blocks.map((block) => blockView(block, inForce)),
      version,
    };
  },
};

function checkScope({ layer, scope }: LayerKey): void {
  if ((layer === 'global') === (scope === null)) return;
  throw new ApiError(
    'validation_error',
    layer === 'global' ? 'scope: not allowed for the global layer' : `scope: required for ${layer}`,
  );
}

const profileHostsOf = (
  db: Db,
  tenantId: string,
  { profiles, user_group }: { profiles?: string | undefined; user_group?: string | undefined },
): Promise<string[]> =>
  profiles === 'true' ? listProfileHosts(db, tenantId, user_group) : Promise.resolve([]);

const referenceTo = (winner: Layer | null) =>
  winner && { id: winner.id, layer: winner.layer, scope: winner.scope };

function stored({ after }: Changed): Layer {
  if (!after) throw new Error('the layer is missing after it was set');
  return after;
}
