import type { contract } from '#contract/index.ts';
import type { RouteRequest, RouteResponse } from '#contract/route.ts';
import { queryOf } from '../time-range.ts';
import type { TimeRange } from '../time-range.ts';
import { api } from './api.ts';
import { keyFor } from './load-pages.ts';
import type { Source } from './query.ts';

type Routes = (typeof contract)['audit'];
type Query = RouteRequest<Routes['listAuditEntries']>['query'];

export type AuditPage = RouteResponse<Routes['listAuditEntries']>;
export type AuditCounts = RouteResponse<Routes['summarizeAuditEntries']>;
export type AuditEntry = AuditPage['entries'][number];
export type AuditExport = RouteResponse<Routes['findAuditExport']>;
export type AuditFilter = Omit<Query, 'start_date' | 'end_date'>;

/** Converts the range to query parameters of the audit log, relative to the current time. */
export function datesOf(range: TimeRange): { start_date?: string; end_date?: string } {
  const { start, end } = queryOf(range, Date.now());
  return { ...(start && { start_date: start }), ...(end && { end_date: end }) };
}

export const auditPage = (filter: AuditFilter, range: TimeRange): Source<AuditPage> => ({
  key: keyFor('audit', filter, range),
  topics: [],
  pollMs: 30_000,
  load: (signal) =>
    api.audit.listAuditEntries({ query: { ...filter, ...datesOf(range) } }, { signal }),
});

/** The matching entries over time. */
export const auditCounts = (
  { sort: _sort, ...filter }: AuditFilter,
  range: TimeRange,
): Source<AuditCounts> => ({
  key: keyFor('audit counts', filter, range),
  topics: [],
  pollMs: 30_000,
  load: (signal) =>
    api.audit.summarizeAuditEntries({ query: { ...filter, ...datesOf(range) } }, { signal }),
});

/** An export, polled until it is done. */
export const auditExport = (export_id: string, done: boolean): Source<AuditExport> => ({
  key: keyFor('audit export', export_id, done),
  topics: [],
  ...(!done && { pollMs: 500 }),
  load: (signal) => api.audit.findAuditExport({ params: { export_id } }, { signal }),
});
