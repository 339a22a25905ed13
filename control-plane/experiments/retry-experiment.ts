import { ApiError } from '#contract/errors.ts';
import type { experimentRoutes } from '#contract/experiments.ts';
import { withAudit } from '../audit/with-audit.ts';
import type { Context } from '../context.ts';
import { keyOf } from '../datasets/dataset-key.ts';
import type { ApiRequest } from '../http/api-request.ts';
import { openProvider } from '../playground/describe-provider.ts';
import { experimentsLock } from '../storage/locks.ts';
import { announce } from './announce.ts';
import { judgesOf } from './judge-rules.ts';
import { beginAttempt, hasFailed } from './retry-queries.ts';
import { requireRunningSlot } from './running-limit.ts';
import { experimentNotFound, requireExperiment, requirePlan } from './view.ts';

type RetryRequest = ApiRequest<(typeof experimentRoutes)['retryExperiment']>;

/**
 * Runs the items of an experiment that have no output once more, and repeats the judges that
 * failed.
 *
 * @throws ApiError `not_found`, `invalid_state` if it is running or nothing has failed,
 * `in_progress` if too many are running or a process is still ending it,
 * `model_provider_not_configured`
 */
export async function retryExperiment(context: Context, request: RetryRequest) {
  const dataset = keyOf(request.caller, request.params);
  const { tenant_id } = dataset;
  const { experiment_id } = request.params;
  const key = { tenant_id, experiment_id };
  await openProvider(context.config);
  const retried = await withAudit(context, request, async (tx, audit) => {
    await tx.lock(experimentsLock(tenant_id));
    const plan = await requirePlan(tx.db, dataset, experiment_id);
    const { name, status, evaluators } = plan;
    if (status === 'running')
      throw new ApiError('invalid_state', 'the experiment is running: wait until it has ended');
    // Answers of its models are still being stored, so a retry would pay for them twice.
    if (plan.lease_until > context.now())
      throw new ApiError(
        'in_progress',
        'the experiment is still ending: try again in some seconds',
      );
    if (!(await hasFailed(tx.db, key, judgesOf(evaluators))))
      throw new ApiError('invalid_state', 'no item and no judge of the experiment has failed');
    await requireRunningSlot(tx.db, tenant_id, context.now());
    if (!(await beginAttempt(tx, key))) throw experimentNotFound(experiment_id);
    audit({
      action: 'experiment.retry',
      resource_type: 'experiment',
      resource_id: experiment_id,
      metadata: { name },
    });
    // The result is read here, so that no error can occur after the commit.
    return requireExperiment(tx.db, dataset, experiment_id);
  });
  announce(context.storage, tenant_id);
  return retried;
}
