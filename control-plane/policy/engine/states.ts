import type { Storage, Trx } from '../../storage/open.ts';
import type { Tables } from '../../storage/tables.ts';
import type { States } from '../ask.ts';
import { type Category, consults } from '../category.ts';
import type { Policy } from '../policy-set.ts';
import type { Asking } from './facts.ts';
import { lockStates, type SubjectKey } from './queries.ts';

export interface StoredStates {
  of(asking: Asking): States;
  /** Those that were set, to be stored. */
  changed(now: number): Tables['policy_states'][];
}

/** What policies remember of one subject; questions about the same subject share it. */
interface Kept {
  key: SubjectKey;
  /** By the policies' ids; also of policies that this question does not concern. */
  states: Record<string, unknown>;
  changed: boolean;
}

/** The states that these questions touch, locked until the transaction ends. */
export async function openStates(
  storage: Storage,
  trx: Trx,
  all: readonly Asking[],
): Promise<StoredStates> {
  const kept = new Map<string, Kept>();
  const ofAsking = new Map(all.map((asking) => [asking, keptFor(asking, kept)]));
  const stored = await lockStates(
    storage,
    trx,
    [...kept.values()].map(({ key }) => key),
  );
  for (const row of stored) {
    const one = kept.get(nameOf(row));
    if (one) one.states = JSON.parse(row.states) as Kept['states'];
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
      [...kept.values()]
        .filter(({ changed }) => changed)
        .map(({ key, states }) => ({ ...key, states: JSON.stringify(states), updated_at })),
  };
}

/** Where these policies keep what they remember of a question's subjects; new ones join `kept`. */
function keptFor(
  { tenantId: tenant_id, situation, policies, ending }: Asking,
  kept: Map<string, Kept>,
): Map<Policy, Kept> {
  const found = new Map<Policy, Kept>();
  const ofCategory = new Map<Category, Kept | null>();
  for (const policy of [...policies, ...ending]) {
    const { category } = policy;
    if (!category.stateOf || !consults(policy)) continue;
    let one = ofCategory.get(category);
    if (one === undefined) {
      const subject = category.stateOf(situation);
      one = subject === null ? null : keep(kept, { tenant_id, subject });
      ofCategory.set(category, one);
    }
    if (one) found.set(policy, one);
  }
  return found;
}

function keep(kept: Map<string, Kept>, key: SubjectKey): Kept {
  const name = nameOf(key);
  const one = kept.get(name) ?? { key, states: {}, changed: false };
  kept.set(name, one);
  return one;
}

const nameOf = ({ tenant_id, subject }: SubjectKey): string => `${tenant_id} ${subject}`;
