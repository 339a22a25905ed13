import { z } from 'zod';
import { describeIssues, ApiError } from '#contract/errors.ts';
import type { experimentRoutes } from '#contract/experiments.ts';
import { playgroundConfig, type Variant } from '#contract/playground.ts';
import { withAudit } from '../audit/with-audit.ts';
import type { Context } from '../context.ts';
import { datasetNotFound, keyOf } from '../datasets/dataset-key.ts';
import { changeDataset } from '../datasets/queries.ts';
import { beginStart, endStart, type Start } from '../datasets/start-queries.ts';
import type { ApiRequest } from '../http/api-request.ts';
import { displayNameOf } from '../identity/is-sub-user.ts';
import { openProvider } from '../playground/describe-provider.ts';
import { requirePrompt, requireVersion } from '../prompts/prompt-lookup.ts';
import { experimentsLock } from '../storage/locks.ts';
import type { Db } from '../storage/open.ts';
import { announce } from './announce.ts';
import { evaluatorProblem } from './evaluator-problem.ts';
import {
  completeOrAbandon,
  copyItemsInBatches,
  copyDeadline,
  startAbandoned,
} from './copy-items.ts';
import { endOfItems } from './copy-queries.ts';
import { insertExperiment } from './queries.ts';
import { requireRunningSlot } from './running-limit.ts';
import { requireExperiment } from './view.ts';

type StartRequest = ApiRequest<(typeof experimentRoutes)['startExperiment']>;

/**
 * Stores an experiment with the current items of its dataset, which a background job runs. The
 * items are copied in batches, so that others can write in between. The experiment exists once it
 * is complete; until then, the copied items are a pending deletion.
 *
 * @throws ApiError `validation_error`, `not_found`, `in_progress` if too many are running,
 * `invalid_state` without items, `model_provider_not_configured`
 */
export async function startExperiment(context: Context, request: StartRequest) {
  const { caller, params, body } = request;
  const key = keyOf(caller, params);
  const problem = evaluatorProblem(body.evaluators);
  if (problem !== undefined) throw new ApiError('validation_error', problem);
  const prompt = await promptOf(context.storage.db, key.tenant_id, body);
  const config = configOf({ ...prompt.config, ...body.config });
  // Without a provider, every item would fail.
  await openProvider(context.config);
  const start = { ...key, id: context.newId('xpt') };
  const end = await begin(context, start);
  const started = await completeOrAbandon(context, start, async () => {
    const items = await copyItemsInBatches(context, start, end);
    return store(context, request, { start, prompt, config, items });
  });
  announce(context.storage, key.tenant_id);
  return started;
}

/**
 * Stores the experiment after its items were copied, and returns it. It is read in the transaction,
 * so that no error can occur after the commit.
 */
function store(context: Context, request: StartRequest, planned: Planned & { items: number }) {
  const { start, items } = planned;
  return withAudit(context, request, async (tx, audit) => {
    if (!(await changeDataset(tx, start, context.now()))) throw datasetNotFound(start);
    if (!(await endStart(tx, start, context.now()))) throw startAbandoned();
    const experiment = newExperiment(context, request, planned);
    await insertExperiment(tx, experiment);
    const evaluators = request.body.evaluators.map(({ name }) => name);
    audit(startOf(experiment, { items, evaluators }));
    return requireExperiment(tx.db, start, start.id);
  });
}

/**
 * Begins the start, and returns the position after the last item. From then on, no item can be
 * changed until it is copied.
 */
function begin(context: Context, start: Start): Promise<number> {
  return context.storage.transaction(async (tx) => {
    await tx.lock(experimentsLock(start.tenant_id));
    if (!(await changeDataset(tx, start, context.now()))) throw datasetNotFound(start);
    await requireRunningSlot(tx.db, start.tenant_id, context.now());
    const end = await endOfItems(tx.db, start);
    if (end === undefined) throw new ApiError('invalid_state', 'the dataset has no items to run');
    await beginStart(tx, start, copyDeadline(context.now()));
    return end;
  });
}

interface Planned {
  start: Start;
  prompt: Awaited<ReturnType<typeof promptOf>>;
  config: Variant['config'];
}

const newExperiment = (
  context: Context,
  { caller, body }: StartRequest,
  { start, prompt, config }: Planned,
) => ({
  ...start,
  name: body.name,
  prompt_id: prompt.prompt_id,
  prompt_name: prompt.prompt_name,
  prompt_version: prompt.prompt_version,
  content: prompt.content,
  concurrency: body.concurrency,
  status: 'running' as const,
  lease_id: '',
  lease_until: 0,
  model: config.model,
  config: JSON.stringify(config),
  evaluators: JSON.stringify(body.evaluators),
  created_by: displayNameOf(caller),
  created_at: context.now(),
  completed_at: null,
});

const startOf = (
  { id, dataset_id, name, prompt_id, prompt_version, model }: ReturnType<typeof newExperiment>,
  { items, evaluators }: { items: number; evaluators: string[] },
) => ({
  action: 'experiment.start',
  resource_type: 'experiment',
  resource_id: id,
  metadata: { dataset_id, name, prompt_id, prompt_version, items, model, evaluators },
});

/** Returns the named prompt version, or the prompt that was given directly. */
async function promptOf(db: Db, tenant_id: string, body: StartRequest['body']) {
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
