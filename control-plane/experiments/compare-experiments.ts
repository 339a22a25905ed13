import type { experimentRoutes } from '#contract/experiments.ts';
import { keyOf } from '../datasets/dataset-key.ts';
import type { ApiRequest } from '../http/api-request.ts';
import { pageOf } from '../http/pagination.ts';
import type { Db } from '../storage/open.ts';
import { listChanged, listComparedItems, listResultsOf } from './result-queries.ts';
import { requireName, withScores } from './view.ts';

type CompareRequest = ApiRequest<(typeof experimentRoutes)['compareExperiments']>;

/**
 * Compares two experiments of a dataset, item by item.
 *
 * @throws ApiError `not_found`
 */
export async function compareExperiments(db: Db, { caller, params, query, url }: CompareRequest) {
  const dataset = keyOf(caller, params);
  for (const id of [params.experiment_id, query.other]) await requireName(db, dataset, id);
  const { tenant_id } = dataset;
  const a = { tenant_id, experiment_id: params.experiment_id };
  const b = { tenant_id, experiment_id: query.other };
  const { rows, count } = await listComparedItems(db, a, b.experiment_id, query);
  const ids = rows.map(({ item_id }) => item_id);
  const [ofA, ofB] = [await resultsById(db, a, ids), await resultsById(db, b, ids)];
  const changed = await listChanged(db, a, b.experiment_id, ids);
  const items = rows.map(({ item_id, position }) => ({
    item_id,
    position,
    differs: changed.has(item_id),
    a: ofA.get(item_id) ?? null,
    b: ofB.get(item_id) ?? null,
  }));
  return pageOf(url, query, { rows: items, count });
}

async function resultsById(
  db: Db,
  key: { tenant_id: string; experiment_id: string },
  ids: readonly string[],
) {
  const results = await withScores(db, key, await listResultsOf(db, key, ids));
  return new Map(results.map((result) => [result.item_id, result]));
}
