import { z } from 'zod';
import { ApiError, describeIssues } from '#contract/errors.ts';
import type { policyRoutes } from '#contract/policies.ts';
import type { PolicySimulation, simulationRequest } from '#contract/policy-simulation.ts';
import type { Context } from '../../context.ts';
import type { Handler } from '../../handler.ts';
import { findPolicy, type PolicyKey } from '../queries.ts';
import { documentOf, type PolicyDefinition, validateCategory } from '../document-rules.ts';
import { categoryOf } from '../categories/index.ts';
import type { Category } from '../category.ts';
import type { Policy } from '../policy-set.ts';
import { caveatsOf } from './caveats.ts';
import { listEndUserLimits } from './simulation-queries.ts';
import { recordedRuns, requiredDataOf } from './recorded-runs.ts';
import { replay } from './replay.ts';
import { createUsageModel } from './usage-model.ts';
import { DAY_MS } from '#lib/time-units.ts';

/** Returns the first `most` items, and whether there were more. */
export function takeFirst<T>(most: number, all: AsyncIterable<T>) {
  let isTruncated = false;
  async function* first(): AsyncGenerator<T> {
    let count = 0;
    for await (const one of all) {
      isTruncated = count === most;
      if (isTruncated) return;
      count += 1;
      yield one;
    }
  }
  return { first: first(), isTruncated: () => isTruncated };
}

const RETRY_AFTER_SECONDS = 5;

/** Allows one call at a time per tenant, because a simulation occupies a processor for seconds. */
export function oneAtATime() {
  const busy = new Set<string>();
  return async <T>(tenantId: string, work: () => Promise<T>): Promise<T> => {
    if (busy.has(tenantId))
      throw new ApiError('concurrency_limited', 'another simulation is running: retry later', {
        retry_after: RETRY_AFTER_SECONDS,
      });
    busy.add(tenantId);
    try {
      return await work();
    } finally {
      busy.delete(tenantId);
    }
  };
}

const MAX_RUNS = 100_000;

const limitToOne = oneAtATime();

/** Replays the runs of the last days against a policy, without writing anything. */
export const simulatePolicy: Handler<(typeof policyRoutes)['simulatePolicy']> = async (
  context,
  { caller: { tenantId }, body, disconnectSignal },
) => {
  const policy = await policyOf(context, tenantId, body);
  const over = { tenantId, days: body.days, signal: disconnectSignal() };
  return limitToOne(tenantId, () => simulate(context, policy, over));
};

async function simulate(
  context: Context,
  policy: Policy,
  { tenantId, days, signal }: { tenantId: string; days: number; signal: AbortSignal },
): Promise<PolicySimulation> {
  const { category } = policy;
  const { storage } = context;
  const end = context.now();
  const since = end - days * DAY_MS;
  const recorded = recordedRuns(storage, tenantId, {
    since,
    needs: requiredDataOf(category),
    signal,
  });
  const limits = category.reads?.includes('endUser')
    ? await listEndUserLimits(storage, tenantId)
    : [];
  const { first, isTruncated } = takeFirst(MAX_RUNS, recorded.runs);
  const { examined, lastStart, tally, leftOut } = await replay(
    policy,
    first,
    createUsageModel(limits, [category.periodsOf?.(policy.rules).zone ?? 'UTC']),
  );
  const truncated = isTruncated();
  return {
    category: category.name,
    days,
    since,
    until: truncated && lastStart !== null ? lastStart : end,
    runs_examined: examined,
    truncated,
    ...tally.result(),
    notes: caveatsOf(category, { unread: recorded.unread(), leftOut, truncated }),
  };
}

/**
 * Returns the policy to simulate.
 *
 * @throws ApiError for invalid rules or an unknown id
 */
async function policyOf(
  context: Context,
  tenantId: string,
  { policy, policy_id = '' }: z.output<typeof simulationRequest>,
): Promise<Policy> {
  const given = policy ?? (await storedDefinition(context, { tenant_id: tenantId, policy_id }));
  const { success, data, error } = definitionSchema.safeParse({ policy: given });
  if (!success) throw new ApiError('validation_error', describeIssues(error, 'body'));
  const { category: name, rules, scope } = data.policy;
  const category = categoryOf(name) as Category;
  const id = policy_id || 'draft';
  return { id, name: id, category, rules: category.rules.parse(rules), scope, priority: 0 };
}

const definitionSchema = z.object({
  policy: z.custom<PolicyDefinition>().transform(validateCategory),
});

async function storedDefinition({ storage }: Context, key: PolicyKey): Promise<PolicyDefinition> {
  const policy = await findPolicy(storage.db, key);
  if (!policy) throw new ApiError('not_found', `there is no policy ${key.policy_id}`);
  return documentOf(policy);
}
