import { z } from 'zod';
import { describeIssues, ApiError } from '#contract/errors.ts';
import { type experimentRoutes, MAX_RUNNING } from '#contract/experiments.ts';
import { playgroundConfig, type Variant } from '#contract/playground.ts';
import { withAudit } from '../audit/changing.ts';
import type { Context } from '../context.ts';
import { datasetNotFound, keyOf } from '../datasets/dataset-key.ts';
import { changeDataset } from '../datasets/queries.ts';
import type { Call } from '../http/call.ts';
import { nameOf } from '../identity/is-sub-user.ts';
import { openProvider } from '../playground/describe-provider.ts';
import { requirePrompt, requireVersion } from '../prompts/reading.ts';
import { experimentsLock } from '../storage/locks.ts';
import type { Db } from '../storage/open.ts';
import { announce } from './announce.ts';
import { evaluatorProblem } from './evaluator-problem.ts';
import { countRunning, insertExperiment } from './queries.ts';
import { requireExperiment } from './view.ts';

type StartCall = Call<(typeof experimentRoutes)['startExperiment']>;

/**
 * Stores an experiment with the items of its dataset as they are now; a background job runs it.
 *
 * @throws ApiError `validation_error`, `not_found`, `in_progress` if too many are running,
 *   `invalid_state` without items, `model_provider_not_configured`
 */
export async function startExperiment(context: Context, call: StartCall) {
  const { caller, params, body } = call;
  const key = keyOf(caller, params);
  const { name, evaluators, concurrency } = body;
  const problem = evaluatorProblem(evaluators);
  if (problem !== undefined) throw new ApiError('validation_error', problem);
  const prompt = await promptOf(context.storage.db, key.tenant_id, body);
  const config = configOf({ ...prompt.config, ...body.config });
  // Without a provider, every item would fail.
  await openProvider(context.config);
  const id = context.newId('xpt');
  const started = await withAudit(context, call, async (tx, audit) => {
    await tx.lock(experimentsLock(key.tenant_id));
    if (!(await changeDataset(tx, key, context.now()))) throw datasetNotFound(key);
    if ((await countRunning(tx.db, key.tenant_id)) >= MAX_RUNNING)
      throw new ApiError(
        'in_progress',
        `${MAX_RUNNING} experiments are running: wait until one is completed, or cancel one`,
      );
    const { prompt_id, prompt_name, prompt_version, content } = prompt;
    const items = await insertExperiment(tx, {
      ...key,
      id,
      name,
      prompt_id,
      prompt_name,
      prompt_version,
      content,
      concurrency,
      status: 'running',
      lease_id: '',
      lease_until: 0,
      model: config.model,
      config: JSON.stringify(config),
      evaluators: JSON.stringify(evaluators),
      created_by: nameOf(caller),
      created_at: context.now(),
      completed_at: null,
    });
    if (items === 0) throw new ApiError('invalid_state', 'the dataset has no items to run');
    const metadata = {
      dataset_id: key.dataset_id,
      name,
      prompt_id,
      prompt_version,
      items,
      model: config.model,
      evaluators: evaluators.map((evaluator) => evaluator.name),
    };
    audit({
      action: 'experiment.start',
      resource_type: 'experiment',
      resource_id: id,
      metadata,
    });
    return requireExperiment(tx.db, key, id);
  });
  announce(context.storage, key.tenant_id);
  return started;
}

/** The prompt version that is named, or the prompt that was given in place. */
async function promptOf(db: Db, tenant_id: string, body: StartCall['body']) {
  const { prompt_id, prompt_version } = body;
  if (prompt_id === undefined || prompt_version === undefined) {
    const content = body.content ? JSON.stringify(body.content) : null;
    return { prompt_id: null, prompt_name: null, prompt_version: null, content, config: {} };
  }
  const key = { tenant_id, prompt_id };
  const { name } = await requirePrompt(db, key);
  const { content, config } = await requireVersion(db, key, prompt_version);
  return {
    prompt_id,
    prompt_name: name,
    prompt_version,
    content,
    config: JSON.parse(config) as object,
  };
}

const withConfig = z.object({ config: playgroundConfig });

/** @throws ApiError `validation_error` */
function configOf(config: object): Variant['config'] {
  const { data, error } = withConfig.safeParse({ config });
  if (data) return data.config;
  throw new ApiError('validation_error', describeIssues(error, 'body'));
}
