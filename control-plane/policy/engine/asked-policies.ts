import { hash } from 'node:crypto';
import { memoized } from '../../memoized.ts';
import type { Storage, Trx } from '../../storage/open.ts';
import type { AskedPoliciesTable } from '../../storage/tables/governance.ts';
import type { Outcome } from '../ask.ts';
import type { Policy } from '../policy-set.ts';
import { insertAsked } from './queries.ts';

const DAY_MS = 24 * 3_600_000;
const MOST_REMEMBERED = 1000;

/**
 * Checks of one agent are put to the same policies again and again. How these are called is stored
 * once a day, and each check names only the key: it is half of what a check would otherwise leave.
 */
export interface AskedPolicies {
  /** For one transaction. */
  open(): AskedInTransaction;
}

export interface AskedInTransaction {
  /** What stands for the policies that answered; empty outcomes stand for none that applied. */
  keyOf(tenantId: string, now: number, outcomes: readonly Outcome[]): string;
  store(storage: Storage, trx: Trx): Promise<void>;
  /** What was stored is there to stay. */
  committed(): void;
}

/** As they are listed: id, name and category. */
const headOf = memoized(({ id, name, category }: Policy): string =>
  JSON.stringify([id, name, category.name]),
);

/** A check that no policy concerned is on record too. */
const NOBODY = '[null,null,null]';

export function rememberAsked(): AskedPolicies {
  const stored = new Map<string, string>();
  return {
    open() {
      const fresh = new Map<string, AskedPoliciesTable>();
      return {
        keyOf(tenant_id, now, outcomes) {
          const day = Math.floor(now / DAY_MS);
          const heads = outcomes.map(({ policy }) => headOf(policy));
          const policies = `[${heads.length > 0 ? heads.join(',') : NOBODY}]`;
          const name = `${tenant_id} ${day} ${policies}`;
          const known = stored.get(name) ?? fresh.get(name)?.key;
          if (known !== undefined) return known;
          const key = keyOfPolicies(policies);
          fresh.set(name, { tenant_id, day, key, policies });
          return key;
        },
        store: (storage, trx) => insertAsked(storage, trx, inOrder([...fresh.values()])),
        committed() {
          if (stored.size + fresh.size > MOST_REMEMBERED) stored.clear();
          for (const [name, { key }] of fresh) stored.set(name, key);
        },
      };
    },
  };
}

/** The same in every process. */
export const keyOfPolicies = (policies: string): string =>
  hash('sha256', policies, 'base64url').slice(0, 16);

/** So that two processes never wait for each other. */
const inOrder = (rows: readonly AskedPoliciesTable[]): AskedPoliciesTable[] =>
  rows.toSorted((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1));

const nameOf = ({ tenant_id, day, key }: AskedPoliciesTable): string =>
  `${tenant_id} ${day} ${key}`;
