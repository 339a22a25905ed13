import { z } from 'zod';
import { datasetRoutes } from '#contract/datasets.ts';
import { type Change, withAudit, withUniqueName } from '../audit/with-audit.ts';
import type { Handlers } from '../handler.ts';
import { pageOf } from '../http/pagination.ts';
import { displayNameOf } from '../identity/is-sub-user.ts';
import { datasetNotFound, datasetOf, keyOf, requireDataset } from './dataset-key.ts';
import {
  deleteExperiment,
  listExperimentNames,
  changeDataset,
  type DatasetKey,
  deleteDataset,
  insertDataset,
  listDatasets,
} from './queries.ts';
import { itemHandlers } from './item-handlers.ts';
import type { Tx } from '../storage/transaction.ts';

export const datasetHandlers: Handlers<typeof datasetRoutes> = {
  listDatasets: async ({ storage: { reader } }, { caller, query, url }) =>
    pageOf(url, query, await listDatasets(reader, caller.tenantId, query)),

  async createDataset(context, request) {
    const { caller, body } = request;
    const key = keyOf(caller, { dataset_id: context.newId('dts') });
    const now = context.now();
    return withUniqueName(
      context,
      request,
      { what: 'dataset', name: body.name },
      async (tx, audit) => {
        await insertDataset(tx, {
          ...body,
          tenant_id: key.tenant_id,
          id: key.dataset_id,
          next_position: 1,
          created_by: displayNameOf(caller),
          created_at: now,
          updated_at: now,
        });
        const created = await requireDataset(tx.db, key);
        audit({ action: 'dataset.create', ...datasetOf(key), after: datasetView(created) });
        return created;
      },
    );
  },

  getDataset: ({ storage: { reader } }, { caller, params }) =>
    requireDataset(reader, keyOf(caller, params)),

  async updateDataset(context, request) {
    const { caller, params, body } = request;
    const key = keyOf(caller, params);
    const { name, description } = body;
    const change = {
      ...(name !== undefined && { name }),
      ...(description !== undefined && { description }),
    };
    return withUniqueName(
      context,
      request,
      { what: 'dataset', name: name ?? '' },
      async (tx, audit) => {
        const before = datasetView(await requireDataset(tx.db, key));
        if (!(await changeDataset(tx, key, context.now(), change))) throw datasetNotFound(key);
        const changed = await requireDataset(tx.db, key);
        audit({ action: 'dataset.update', ...datasetOf(key), before, after: datasetView(changed) });
        return changed;
      },
    );
  },

  async deleteDataset(context, request) {
    const key = keyOf(request.caller, request.params);
    await requireDataset(context.storage.db, key);
    try {
      // Each experiment is deleted in its own transaction, which bounds how long others wait.
      for (const experiment of await listExperimentNames(context.storage.db, key))
        await withAudit(context, request, (tx, audit) =>
          deleteAudited(tx, audit, { ...key, ...experiment }),
        );
      await withAudit(context, request, async (tx, audit) => {
        const before = datasetView(await requireDataset(tx.db, key));
        if (!(await deleteDataset(tx, key))) throw datasetNotFound(key);
        // An experiment may have been started in the meantime. From here on, none can be.
        for (const experiment of await listExperimentNames(tx.db, key))
          await deleteAudited(tx, audit, { ...key, ...experiment });
        audit({ action: 'dataset.delete', ...datasetOf(key), before });
      });
    } finally {
      // A deletion that failed in the middle has also deleted experiments.
      context.storage.signals.publish({ tenant_id: key.tenant_id, topic: 'experiments' });
    }
    return undefined;
  },

  ...itemHandlers,
};

async function deleteAudited(
  tx: Tx,
  audit: (change: Change) => void,
  { tenant_id, dataset_id, id, name }: DatasetKey & { id: string; name: string },
): Promise<void> {
  // Another request may have deleted it.
  if (!(await deleteExperiment(tx, { tenant_id, experiment_id: id }))) return;
  audit({
    action: 'experiment.delete',
    resource_type: 'experiment',
    resource_id: id,
    metadata: { name, dataset_id },
  });
}

/** Returns a dataset in the form of the API. */
const datasetView = (dataset: Awaited<ReturnType<typeof requireDataset>>) =>
  z.encode(datasetRoutes.getDataset.response, dataset);
