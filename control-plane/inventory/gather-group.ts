import type { Db } from '../storage/open.ts';
import { appGroupOf } from './app-group.ts';
import { summarize } from './summary.ts';
import { findExample, findStored, type GroupSummary, listMembers } from './group-queries.ts';

/**
 * Computes the current state of a group. It reads the stored revision first, so that a later change
 * is either included here or detected as a conflict when storing.
 */
export async function gatherGroup(db: Db, tenantId: string, id: string): Promise<GroupSummary> {
  const stored = await findStored(db, tenantId, id);
  const revision = stored?.revision ?? null;
  const example = await findExample(db, tenantId, id);
  const members = await listMembers(db, tenantId, id);
  if (!example || members.length === 0) return { id, facts: null, summary: null, revision };
  const { kind, name, catalog_id } = appGroupOf({
    ...example,
    evidence: JSON.parse(example.evidence) as string[],
  });
  const summary = summarize(members);
  // The first app may have been deleted since.
  const first_seen = Math.min(summary.first_seen, stored?.first_seen ?? Infinity);
  return { id, facts: { kind, name, catalog_id }, summary: { ...summary, first_seen }, revision };
}
