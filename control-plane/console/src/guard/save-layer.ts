import type { GuardConfig, GuardLevel } from '#contract/guard.ts';
import { api } from '../data/api.ts';
import type { GuardLayer } from '../data/guard-sources.ts';

/**
 * Saves a layer's configuration. An empty layer is deleted, which is the same as inheriting
 * everything. Returns the saved layer.
 */
export async function saveLayer(
  level: GuardLevel,
  scope: string,
  layer: GuardLayer | undefined,
  config: GuardConfig,
): Promise<GuardLayer | undefined> {
  if (Object.keys(config).length > 0)
    return api.guard.putLayer({ body: { layer: level, scope: scope || null, config } });

  if (layer) await api.guard.deleteLayer({ params: { id: layer.id } });
  return undefined;
}
