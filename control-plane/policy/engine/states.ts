import type { Storage, Trx } from '../../storage/open.ts';
import type { States } from '../ask.ts';
import type { Situation } from '../category.ts';
import type { Policy } from '../policy-set.ts';
import type { Asking } from './facts.ts';
import { lockStates, saveStates, type StateKey } from './queries.ts';

export interface StoredStates {
  of(tenantId: string): States;
  save(now: number): Promise<void>;
}

/** The states that these questions touch, locked until the transaction ends. */
export async function openStates(
  storage: Storage,
  trx: Trx,
  asking: readonly Asking[],
): Promise<StoredStates> {
  const keys = new Map<string, StateKey>();
  for (const { tenantId, situation, policies, ending } of asking)
    for (const policy of [...policies, ...ending]) {
      const key = keyOf(tenantId, policy, situation);
      if (key) keys.set(nameOf(key), key);
    }
  const stored = await lockStates(storage, trx, [...keys.values()]);
  const states = new Map(stored.map((row) => [nameOf(row), JSON.parse(row.state) as unknown]));
  const changed = new Map<string, StateKey>();
  return {
    of: (tenantId) => ({
      get(policy, situation) {
        const key = keyOf(tenantId, policy, situation);
        return key && states.get(nameOf(key));
      },
      set(policy, situation, state) {
        const key = keyOf(tenantId, policy, situation);
        if (!key) return;
        states.set(nameOf(key), state);
        changed.set(nameOf(key), key);
      },
    }),
    save: (updated_at) =>
      saveStates(
        storage,
        trx,
        [...changed].map(([name, key]) => ({
          ...key,
          state: JSON.stringify(states.get(name)),
          updated_at,
        })),
      ),
  };
}

function keyOf(tenant_id: string, policy: Policy, situation: Situation): StateKey | undefined {
  const subject = policy.category.stateOf?.(situation);
  return typeof subject === 'string' ? { tenant_id, policy_id: policy.id, subject } : undefined;
}

const nameOf = ({ tenant_id, policy_id, subject }: StateKey): string =>
  `${tenant_id} ${policy_id} ${subject}`;
