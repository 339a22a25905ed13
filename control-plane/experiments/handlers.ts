import { ApiError } from '#contract/errors.ts';
import type { experimentRoutes } from '#contract/experiments.ts';
import { withAudit } from '../audit/with-audit.ts';
import { keyOf, requireDataset } from '../datasets/dataset-key.ts';
import { deleteExperiment } from '../datasets/queries.ts';
import type { Handlers } from '../handler.ts';
import { pageOf } from '../http/pagination.ts';
import { announce } from './announce.ts';
import { compareExperiments } from './compare-experiments.ts';
import { cancelExperiment, listExperiments, listNames } from './queries.ts';
import { findResult, listResults } from './result-queries.ts';
import { retryExperiment } from './retry-experiment.ts';
import { startExperiment } from './start-experiment.ts';
import { requireExperiment, requireName, withScores, withTotals } from './view.ts';

/** Returns the fields that name an experiment in the audit log. */
const experimentOf = (id: string) => ({ resource_type: 'experiment', resource_id: id });

export const experimentHandlers: Handlers<typeof experimentRoutes> = {
  async listExperiments({ storage: { reader } }, { caller, params, query, url }) {
    const key = keyOf(caller, params);
    await requireDataset(reader, key);
    const { rows, count } = await listExperiments(reader, key, query);
    return pageOf(url, query, { rows: await withTotals(reader, key.tenant_id, rows), count });
  },

  async listExperimentNames({ storage: { reader } }, { caller, params, query, url }) {
    const key = keyOf(caller, params);
    await requireDataset(reader, key);
    return pageOf(url, query, await listNames(reader, key, query));
  },

  startExperiment: (context, request) => startExperiment(context, request),

  retryExperiment: (context, request) => retryExperiment(context, request),

  getExperiment: ({ storage: { reader } }, { caller, params }) =>
    requireExperiment(reader, keyOf(caller, params), params.experiment_id),

  async cancelExperiment(context, request) {
    const key = keyOf(request.caller, request.params);
    const { experiment_id } = request.params;
    const cancelled = await withAudit(context, request, async (tx, audit) => {
      const { name } = await requireName(tx.db, key, experiment_id);
      if (!(await cancelExperiment(tx, { ...key, experiment_id }, context.now())))
        throw new ApiError('invalid_state', 'the experiment is not running any more');
      audit({ action: 'experiment.cancel', ...experimentOf(experiment_id), metadata: { name } });
      return requireExperiment(tx.db, key, experiment_id);
    });
    announce(context.storage, key.tenant_id);
    return cancelled;
  },

  async deleteExperiment(context, request) {
    const key = keyOf(request.caller, request.params);
    const { experiment_id } = request.params;
    await withAudit(context, request, async (tx, audit) => {
      const { name } = await requireName(tx.db, key, experiment_id);
      await deleteExperiment(tx, { ...key, experiment_id });
      audit({
        action: 'experiment.delete',
        ...experimentOf(experiment_id),
        metadata: { name, dataset_id: key.dataset_id },
      });
    });
    announce(context.storage, key.tenant_id);
    return undefined;
  },

  async listExperimentResults({ storage: { reader } }, { caller, params, query, url }) {
    const { tenant_id, dataset_id } = keyOf(caller, params);
    const { experiment_id } = params;
    await requireName(reader, { tenant_id, dataset_id }, experiment_id);
    const key = { tenant_id, experiment_id };
    const { rows, count } = await listResults(reader, key, query);
    return pageOf(url, query, { rows: await withScores(reader, key, rows), count });
  },

  async getExperimentResult({ storage: { reader } }, { caller, params }) {
    const { tenant_id, dataset_id } = keyOf(caller, params);
    const { experiment_id, item_id } = params;
    await requireName(reader, { tenant_id, dataset_id }, experiment_id);
    const key = { tenant_id, experiment_id };
    const row = await findResult(reader, key, item_id);
    if (!row) throw new ApiError('not_found', `the experiment has no item ${item_id}`);
    const [result] = await withScores(reader, key, [row]);
    return result as NonNullable<typeof result>;
  },

  compareExperiments: ({ storage: { reader } }, request) => compareExperiments(reader, request),
};
