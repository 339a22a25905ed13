import { hash } from 'node:crypto';
import { dayOf } from '../../lib/days.ts';
import { memoize } from '../../lib/memoize.ts';
import { sortByKey } from '../../storage/sort-by-key.ts';
import type { Storage, Trx } from '../../storage/open.ts';
import type { PolicySetTable } from '../../storage/tables/governance.ts';
import type { Outcome } from '../evaluate.ts';
import type { Policy } from '../policy-set.ts';
import type { EvaluationRequest } from './evaluation-request.ts';
import { insertPolicySets } from './engine-queries.ts';

const MOST_REMEMBERED = 1000;

/**
 * Checks of one agent are put to the same policies again and again. How these are called is stored
 * once a day, and each check names only the key: it is half of what a check would otherwise leave.
 */
export interface PolicySetStore {
  /** For one transaction. */
  open(): PolicySetsInTransaction;
}

export interface PolicySetsInTransaction {
  /** What stands for those policies that answered; no outcome stands for none that applied. */
  keyOf(asking: EvaluationRequest, outcomes: readonly Outcome[]): string;
  store(storage: Storage, trx: Trx): Promise<void>;
  /** What was stored is there to stay. */
  committed(): void;
}

/** As they are stored: id, name and category. */
const headOf = memoize(({ id, name, category }: Policy): string =>
  JSON.stringify([id, name, category.name]),
);

/** The same in every process. */
const named = (policies: readonly Policy[]): Named => {
  const text = `[${policies.map(headOf).join(',') || NOBODY}]`;
  return { text, key: hash('sha256', text, 'base64url').slice(0, 16) };
};

interface Named {
  key: string;
  text: string;
}

/** A check that no policy concerned is on record too. */
const NOBODY = '[null,null,null]';

// Mostly all that were asked answer, and the same were asked before.
const namedWhole = memoize(named);

export function createPolicySetStore(): PolicySetStore {
  const stored = new Set<string>();
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
          const place = `${tenant_id} ${day} ${key}`;
          if (!stored.has(place)) fresh.set(place, { tenant_id, day, key, policies: text });
          return key;
        },
        store: (storage, trx) => insertPolicySets(storage, trx, sortByKey(fresh)),
        committed() {
          if (stored.size + fresh.size > MOST_REMEMBERED) stored.clear();
          for (const place of fresh.keys()) stored.add(place);
        },
      };
    },
  };
}
