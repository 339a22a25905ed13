import { ApiError } from '#contract/errors.ts';
import type { experimentRoutes } from '#contract/experiments.ts';
import { withAudit } from '../audit/changing.ts';
import { keyOf, requireDataset } from '../datasets/dataset-key.ts';
import { deleteExperiment } from '../datasets/experiment-queries.ts';
import type { Handlers } from '../handler.ts';
import { pageOf } from '../http/page.ts';
import { announce } from './announce.ts';
import { compareExperiments } from './compare-experiments.ts';
import { cancelExperiment, listExperiments } from './queries.ts';
import { findResult, listResults } from './result-queries.ts';
import { startExperiment } from './start-experiment.ts';
import { requireExperiment, withScores, withTotals } from './view.ts';

/** As the audit log names an experiment. */
const experimentOf = (id: string) => ({ resource_type: 'experiment', resource_id: id });

export const experimentHandlers: Handlers<typeof experimentRoutes> = {
  async listExperiments({ storage: { db } }, { caller, params, query, url }) {
    const key = keyOf(caller, params);
    await requireDataset(db, key);
    const { rows, count } = await listExperiments(db, key, query);
    return pageOf(url, query, { rows: await withTotals(db, key.tenant_id, rows), count });
  },

  startExperiment: (context, call) => startExperiment(context, call),

  getExperiment: ({ storage: { db } }, { caller, params }) =>
    requireExperiment(db, keyOf(caller, params), params.experiment_id),

  async cancelExperiment(context, call) {
    const key = keyOf(call.caller, call.params);
    const { experiment_id } = call.params;
    const cancelled = await withAudit(context, call, async (tx, audit) => {
      const { name } = await requireExperiment(tx.db, key, experiment_id);
      if (!(await cancelExperiment(tx, { ...key, experiment_id }, context.now())))
        throw new ApiError('invalid_state', 'the experiment is not running any more');
      audit({ action: 'experiment.cancel', ...experimentOf(experiment_id), metadata: { name } });
      return requireExperiment(tx.db, key, experiment_id);
    });
    announce(context.storage, key.tenant_id);
    return cancelled;
  },

  async deleteExperiment(context, call) {
    const key = keyOf(call.caller, call.params);
    const { experiment_id } = call.params;
    await withAudit(context, call, async (tx, audit) => {
      const { name, dataset_id } = await requireExperiment(tx.db, key, experiment_id);
      await deleteExperiment(tx, { ...key, experiment_id });
      audit({
        action: 'experiment.delete',
        ...experimentOf(experiment_id),
        metadata: { name, dataset_id },
      });
    });
    announce(context.storage, key.tenant_id);
    return undefined;
  },

  async listExperimentResults({ storage: { db } }, { caller, params, query, url }) {
    const { tenant_id, dataset_id } = keyOf(caller, params);
    const { experiment_id } = params;
    await requireExperiment(db, { tenant_id, dataset_id }, experiment_id);
    const key = { tenant_id, experiment_id };
    const { rows, count } = await listResults(db, key, query);
    return pageOf(url, query, { rows: await withScores(db, key, rows), count });
  },

  async getExperimentResult({ storage: { db } }, { caller, params }) {
    const { tenant_id, dataset_id } = keyOf(caller, params);
    const { experiment_id, item_id } = params;
    await requireExperiment(db, { tenant_id, dataset_id }, experiment_id);
    const key = { tenant_id, experiment_id };
    const row = await findResult(db, key, item_id);
    if (!row) throw new ApiError('not_found', `the experiment has no item ${item_id}`);
    const [result] = await withScores(db, key, [row]);
    return result as NonNullable<typeof result>;
  },

  compareExperiments: ({ storage: { db } }, call) => compareExperiments(db, call),
};
