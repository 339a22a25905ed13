import { hash } from 'node:crypto';
import { LruMap } from '#lib/lru-map.ts';
import { dayOf } from '../../lib/calendar.ts';
import { memoize } from '../../lib/memoize.ts';
import { sortByKey } from '../../storage/row-order.ts';
import type { PolicySetTable } from '../../storage/tables/governance.ts';
import type { Tx } from '../../storage/transaction.ts';
import type { PolicyOutcome } from '../evaluate.ts';
import type { Policy } from '../policy-set.ts';
import type { EvaluationRequest } from './evaluation-request.ts';
import { insertPolicySets } from './engine-queries.ts';

const MAX_CACHED = 1000;

/**
 * Stores the ids and names of evaluated policies. The same policies evaluate the checks of an agent
 * again and again, so these are stored once a day, and each check stores only a key, which halves
 * its size.
 */
export interface PolicySetStore {
  /** Begins the use of the store in one transaction. */
  open(): PolicySetsInTransaction;
}

export interface PolicySetsInTransaction {
  /**
   * Returns the key of the policies that produced the outcomes. Without outcomes, it is the key of
   * the empty set.
   */
  keyOf(request: EvaluationRequest, outcomes: readonly PolicyOutcome[]): string;
  store(tx: Tx): Promise<void>;
  /** Caches the stored keys once the transaction has committed. */
  committed(): void;
}

/** The stored form of a policy: id, name and category. */
const headOf = memoize(({ id, name, category }: Policy): string =>
  JSON.stringify([id, name, category.name]),
);

/** Returns the key and text of a policy set. The key is the same in every process. */
const named = (policies: readonly Policy[]): Named => {
  const text = `[${policies.map(headOf).join(',') || NO_POLICY}]`;
  return { text, key: hash('sha256', text, 'base64url').slice(0, 16) };
};

interface Named {
  key: string;
  text: string;
}

/** The text of the empty set, for a check to which no policy applies. */
const NO_POLICY = '[null,null,null]';

// Usually all evaluated policies return an outcome, and the same sets recur.
const namedWhole = memoize(named);

export function createPolicySetStore(): PolicySetStore {
  const stored = new LruMap<string, true>(MAX_CACHED);
  return {
    open() {
      const fresh = new Map<string, PolicySetTable>();
      return {
        keyOf({ tenantId: tenant_id, situation, policies }, outcomes) {
          const { key, text } =
            outcomes.length === policies.length
              ? namedWhole(policies)
              : named(outcomes.map(({ policy }) => policy));
          const day = dayOf(situation.now);
          const row = `${tenant_id} ${day} ${key}`;
          if (!stored.get(row)) fresh.set(row, { tenant_id, day, key, policies: text });
          return key;
        },
        store: (tx) => insertPolicySets(tx, sortByKey(fresh)),
        committed() {
          for (const row of fresh.keys()) stored.set(row, true);
        },
      };
    },
  };
}
