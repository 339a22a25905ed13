import { firstIdAt } from '../../lib/ids.ts';
import { sortByKey } from '../../storage/row-order.ts';
import type { Tables } from '../../storage/tables.ts';
import type { Tx } from '../../storage/transaction.ts';
import type { States } from '../evaluate.ts';
import { type Category, needsStoredData } from '../category.ts';
import type { Policy } from '../policy-set.ts';
import type { EvaluationRequest } from './evaluation-request.ts';
import { lockStates, type SubjectKey } from './engine-queries.ts';

export interface StoredStates {
  of(request: EvaluationRequest): States;
  /** Returns the rows of the states that were set, to be stored. */
  changed(now: number): Tables['policy_states'][];
}

/** The stored state of one subject, shared by all requests about it. */
interface SubjectState extends Pick<EvaluationRequest, 'exists'> {
  key: SubjectKey;
  /** States by policy id, including those of policies that the request does not evaluate. */
  states: Record<string, unknown>;
  changed: boolean;
}

/** Loads the states of these requests, and locks them until the transaction ends. */
export async function openStates(tx: Tx, all: readonly EvaluationRequest[]): Promise<StoredStates> {
  const subjects = new Map<string, SubjectState>();
  const byRequest = new Map(all.map((request) => [request, subjectsOf(request, subjects)]));
  const stored = await lockStates(
    tx,
    [...subjects.values()].map(({ key }) => key),
  );
  for (const row of stored) {
    const one = subjects.get(nameOf(row));
    if (one) one.states = JSON.parse(row.states) as SubjectState['states'];
  }
  return {
    of(request) {
      const byPolicy = byRequest.get(request);
      return {
        get: (policy) => byPolicy?.get(policy)?.states[policy.id],
        set(policy, _situation, state) {
          const one = byPolicy?.get(policy);
          if (!one) return;
          one.states[policy.id] = state;
          one.changed = true;
        },
      };
    },
    changed: (updated_at) =>
      sortByKey([...subjects].filter(([, { changed }]) => changed)).map((one) => ({
        ...one.key,
        states: JSON.stringify(withoutDeleted(one, updated_at)),
        updated_at,
      })),
  };
}

/**
 * Returns the subject state of each policy for one request. New subjects are added to `subjects`.
 */
function subjectsOf(
  { tenantId: tenant_id, situation, policies, ending, exists }: EvaluationRequest,
  subjects: Map<string, SubjectState>,
): Map<Policy, SubjectState> {
  const byPolicy = new Map<Policy, SubjectState>();
  const ofCategory = new Map<Category, SubjectState | null>();
  for (const policy of [...policies, ...ending]) {
    const { category } = policy;
    if (!category.stateOf || !needsStoredData(policy)) continue;
    let one = ofCategory.get(category);
    if (one === undefined) {
      const subject = category.stateOf(situation);
      one = subject === null ? null : addSubject(subjects, { tenant_id, subject }, exists);
      ofCategory.set(category, one);
    }
    if (one) byPolicy.set(policy, one);
  }
  return byPolicy;
}

function addSubject(
  subjects: Map<string, SubjectState>,
  key: SubjectKey,
  exists: SubjectState['exists'],
): SubjectState {
  const name = nameOf(key);
  const one = subjects.get(name) ?? { key, exists, states: {}, changed: false };
  subjects.set(name, one);
  return one;
}

const POLICY_CACHE_LAG_MS = 60_000;

/**
 * Drops the states of deleted policies. A policy that is not found may also be new, so only old ids
 * are dropped.
 */
function withoutDeleted({ states, exists }: SubjectState, now: number): SubjectState['states'] {
  const oldest = firstIdAt('pol', now - POLICY_CACHE_LAG_MS);
  const isDeleted = (id: string): boolean => !exists(id) && id < oldest;
  if (!Object.keys(states).some(isDeleted)) return states;
  return Object.fromEntries(Object.entries(states).filter(([id]) => !isDeleted(id)));
}

const nameOf = ({ tenant_id, subject }: SubjectKey): string => `${tenant_id} ${subject}`;
