import { isDeepStrictEqual } from 'node:util';
import { ApiError } from '#contract/errors.ts';
import type { guardRoutes } from '#contract/guard.ts';
import type { Handlers } from '../handler.ts';
import { pageOf } from '../http/pagination.ts';
import { withAllowedHosts } from './allowed-hosts.ts';
import { changeLayer } from './change-layer.ts';
import { findLayerAt } from './queries.ts';
import { findChange, listChanges } from './history-queries.ts';

type HistoryRoutes = Pick<Handlers<typeof guardRoutes>, 'listGuardHistory' | 'revertGuardChange'>;

export const historyHandlers: HistoryRoutes = {
  async listGuardHistory(context, { caller, query, url }) {
    return pageOf(url, query, await listChanges(context.storage.db, caller.tenantId, query));
  },

  async revertGuardChange(context, request) {
    const { tenantId } = request.caller;
    const { change } = await changeLayer(context, request, async (tx) => {
      const past = await findChange(tx.db, tenantId, request.params.id);
      const { layer, scope, layer_id: id } = past;
      // The catalog may have changed since then.
      const config =
        past[request.body.to] && withAllowedHosts(past[request.body.to] ?? {}, 'not_restorable');
      const now = await findLayerAt(tx.db, tenantId, { layer, scope });
      if (isDeepStrictEqual(now?.config ?? null, config))
        throw new ApiError('already_done', 'the layer already has this state');
      return { layer, scope, config, id, reverts: past.id };
    });
    return change;
  },
};
