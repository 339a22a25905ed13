import { ApiError } from '#contract/errors.ts';
import type { Db } from '../storage/open.ts';
import { type DatasetKey, findDataset } from './queries.ts';

export const keyOf = (
  caller: { tenantId: string },
  params: { dataset_id: string },
): DatasetKey => ({ tenant_id: caller.tenantId, dataset_id: params.dataset_id });

/** Returns the fields that name a dataset in the audit log. */
export const datasetOf = ({ dataset_id }: DatasetKey) => ({
  resource_type: 'dataset',
  resource_id: dataset_id,
});

export const datasetNotFound = ({ dataset_id }: DatasetKey): ApiError =>
  new ApiError('not_found', `there is no dataset ${dataset_id}`);

/** @throws ApiError `not_found` */
export async function requireDataset(db: Db, key: DatasetKey) {
  const dataset = await findDataset(db, key);
  if (!dataset) throw datasetNotFound(key);
  return dataset;
}
