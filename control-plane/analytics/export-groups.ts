import { MAX_EXPORTED_GROUPS } from '#contract/analytics.ts';
import { ApiError } from '#contract/errors.ts';
import type { Db } from '../storage/open.ts';
import { type GroupFilter, listGroups } from './group-queries.ts';
import { sessionView, trackedUserView, type GroupKind, type GroupRow } from './group-rules.ts';

const totals = [
  'run_count',
  'error_count',
  'total_duration',
  'total_cost',
  'total_tokens',
  'agents',
] as const;

export const sessionFields = ['session_id', 'first_run', 'last_activity', ...totals] as const;
export const userFields = ['user_id', 'first_seen', 'last_seen', ...totals] as const;

/** @throws ApiError `validation_error` if there are too many */
export async function exportedGroups(
  db: Db,
  kind: GroupKind,
  tenantId: string,
  filter: Omit<GroupFilter, 'limit' | 'offset'>,
): Promise<GroupRow[]> {
  const page = { limit: MAX_EXPORTED_GROUPS, offset: 0 };
  const { rows, count } = await listGroups(db, kind, tenantId, { ...filter, ...page });
  if (count > MAX_EXPORTED_GROUPS)
    throw new ApiError(
      'validation_error',
      `the filter matches ${count} ${kind}: at most ${MAX_EXPORTED_GROUPS} can be exported at once`,
    );
  return rows;
}

const iso = (ms: number): string => new Date(ms).toISOString();

const AT_ONCE = 1000;

export async function* sessionBatches(rows: readonly GroupRow[]) {
  for (let from = 0; from < rows.length; from += AT_ONCE)
    yield rows.slice(from, from + AT_ONCE).map((row) => {
      const session = sessionView(row);
      const { first_run, last_activity } = session;
      return { ...session, first_run: iso(first_run), last_activity: iso(last_activity) };
    });
}

export async function* userBatches(rows: readonly GroupRow[]) {
  for (let from = 0; from < rows.length; from += AT_ONCE)
    yield rows.slice(from, from + AT_ONCE).map((row) => {
      const user = trackedUserView(row);
      return { ...user, first_seen: iso(user.first_seen), last_seen: iso(user.last_seen) };
    });
}
