import type { Storage, Trx } from '../../storage/open.ts';
import type { States } from '../ask.ts';
import { consults } from '../category.ts';
import type { Policy } from '../policy-set.ts';
import type { Asking } from './facts.ts';
import { lockStates, saveStates, type StateKey } from './queries.ts';

export interface StoredStates {
  of(asking: Asking): States;
  save(now: number): Promise<void>;
}

/** What a policy remembers of one subject; questions about the same subject share it. */
interface Kept {
  key: StateKey;
  state: unknown;
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
    if (one) one.state = JSON.parse(row.state);
  }
  return {
    of: (asking) => ({
      get: (policy) => ofAsking.get(asking)?.get(policy)?.state,
      set(policy, _situation, state) {
        const one = ofAsking.get(asking)?.get(policy);
        if (one) Object.assign(one, { state, changed: true });
      },
    }),
    save: (updated_at) =>
      saveStates(
        storage,
        trx,
        [...kept.values()]
          .filter(({ changed }) => changed)
          .map(({ key, state }) => ({ ...key, state: JSON.stringify(state), updated_at })),
      ),
  };
}

/** What these policies remember of the subject of a question; added to `kept` where it is new. */
function keptFor(
  { tenantId, situation, policies, ending }: Asking,
  kept: Map<string, Kept>,
): Map<Policy, Kept> {
  const found = new Map<Policy, Kept>();
  for (const policy of [...policies, ...ending]) {
    const subject = consults(policy) ? policy.category.stateOf?.(situation) : null;
    if (typeof subject !== 'string') continue;
    const key = { tenant_id: tenantId, policy_id: policy.id, subject };
    const name = nameOf(key);
    const one = kept.get(name) ?? { key, state: undefined, changed: false };
    kept.set(name, one);
    found.set(policy, one);
  }
  return found;
}

const nameOf = ({ tenant_id, policy_id, subject }: StateKey): string =>
  `${tenant_id} ${policy_id} ${subject}`;
