import { firstIdAt } from '../../lib/ids.ts';
import { sortByKey } from '../../storage/sort-by-key.ts';
import type { Storage, Trx } from '../../storage/open.ts';
import type { Tables } from '../../storage/tables.ts';
import type { States } from '../evaluate.ts';
import { type Category, consults } from '../category.ts';
import type { Policy } from '../policy-set.ts';
import type { EvaluationRequest } from './evaluation-request.ts';
import { lockStates, type SubjectKey } from './engine-queries.ts';

export interface StoredStates {
  of(asking: EvaluationRequest): States;
  /** Those that were set, to be stored. */
  changed(now: number): Tables['policy_states'][];
}

/** What policies remember of one subject; questions about the same subject share it. */
interface StateOptions extends Pick<EvaluationRequest, 'exists'> {
  key: SubjectKey;
  /** By the policies' ids; also of policies that this question does not concern. */
  states: Record<string, unknown>;
  changed: boolean;
}

/** The states that these questions touch, locked until the transaction ends. */
export async function openStates(
  storage: Storage,
  trx: Trx,
  all: readonly EvaluationRequest[],
): Promise<StoredStates> {
  const kept = new Map<string, StateOptions>();
  const ofAsking = new Map(all.map((asking) => [asking, keptFor(asking, kept)]));
  const stored = await lockStates(
    storage,
    trx,
    [...kept.values()].map(({ key }) => key),
  );
  for (const row of stored) {
    const one = kept.get(nameOf(row));
    if (one) one.states = JSON.parse(row.states) as StateOptions['states'];
  }
  return {
    of: (asking) => ({
      get: (policy) => ofAsking.get(asking)?.get(policy)?.states[policy.id],
      set(policy, _situation, state) {
        const one = ofAsking.get(asking)?.get(policy);
        if (!one) return;
        one.states[policy.id] = state;
        one.changed = true;
      },
    }),
    changed: (updated_at) =>
      sortByKey([...kept].filter(([, { changed }]) => changed)).map((one) => ({
        ...one.key,
        states: JSON.stringify(withoutGone(one, updated_at)),
        updated_at,
      })),
  };
}

/** Where these policies keep what they remember of a question's subjects; new ones join `kept`. */
function keptFor(
  { tenantId: tenant_id, situation, policies, ending, exists }: EvaluationRequest,
  kept: Map<string, StateOptions>,
): Map<Policy, StateOptions> {
  const found = new Map<Policy, StateOptions>();
  const ofCategory = new Map<Category, StateOptions | null>();
  for (const policy of [...policies, ...ending]) {
    const { category } = policy;
    if (!category.stateOf || !consults(policy)) continue;
    let one = ofCategory.get(category);
    if (one === undefined) {
      const subject = category.stateOf(situation);
      one = subject === null ? null : keep(kept, { tenant_id, subject }, exists);
      ofCategory.set(category, one);
    }
    if (one) found.set(policy, one);
  }
  return found;
}

function keep(
  kept: Map<string, StateOptions>,
  key: SubjectKey,
  exists: StateOptions['exists'],
): StateOptions {
  const name = nameOf(key);
  const one = kept.get(name) ?? { key, exists, states: {}, changed: false };
  kept.set(name, one);
  return one;
}

const SURELY_KNOWN_MS = 60_000;

/** Without what policies remembered that were deleted. One that we do not know yet is new. */
function withoutGone({ states, exists }: StateOptions, now: number): StateOptions['states'] {
  const oldest = firstIdAt('pol', now - SURELY_KNOWN_MS);
  const isGone = (id: string): boolean => !exists(id) && id < oldest;
  if (!Object.keys(states).some(isGone)) return states;
  return Object.fromEntries(Object.entries(states).filter(([id]) => !isGone(id)));
}

const nameOf = ({ tenant_id, subject }: SubjectKey): string => `${tenant_id} ${subject}`;
