import { incidentGroupId } from '../../lib/incident-group.ts';
import type { Rows } from '../../storage/bulk.ts';
import {
  mayMatch,
  type GroupFacts,
  isInScope,
  processesOf,
  reasonFor,
  type Rule,
} from '../matching.ts';

export interface StoredRule extends Rule {
  id: string;
  name: string;
  /** False for a disabled or deleted rule, which has no findings. */
  active: boolean;
}

export interface FoundApp {
  version: string | null;
  risk_flags: readonly string[];
  path: string;
  evidence: readonly string[];
  user: string | null;
}

/** A group of apps on one device, for which a rule opens one incident. */
export interface GroupOnDevice {
  group: GroupFacts & { id: string };
  device: { id: string; hostname: string; user_group: string | null };
  /** The apps of the group that were present at the latest scan. */
  apps: readonly FoundApp[];
}

export interface Finding {
  reason: string;
  processes: string[];
  app: FoundApp;
}

/**
 * Returns the finding of a rule for a group on a device. The reason is that of the first matching
 * app.
 */
export function findingOf(
  rule: StoredRule,
  { group, device, apps }: GroupOnDevice,
): Finding | null {
  if (!rule.active || !mayMatch(rule, group) || !isInScope(rule.scope, device)) return null;
  const found = apps.flatMap((app) => {
    const reason = reasonFor(rule, group, app);
    return reason === null ? [] : [{ reason, app }];
  });
  const [first] = found;
  if (!first) return null;
  const isBlock = rule.action === 'block';
  const names = isBlock ? found.flatMap(({ app }) => processesOf(group, app)) : [];
  const reason = isBlock && names.length === 0 ? `${first.reason}; ${NOT_BLOCKED}` : first.reason;
  return { ...first, reason, processes: [...new Set(names)].sort() };
}

const NOT_BLOCKED = 'it is not blocked: devices cannot recognize a process of it';

type IncidentRow = Rows<'incidents'>[number];
export type KnownIncident = Pick<
  IncidentRow,
  'id' | 'reason' | 'metadata' | 'action' | 'policy_name' | 'note' | 'occurrences'
> & { status: 'open' | 'acknowledged' | 'resolved'; holds: number };

export type IncidentChange = Partial<Omit<IncidentRow, 'id' | 'tenant_id'>>;

const MAX_NOTE_LENGTH = 10_000;
const GONE = 'Resolved automatically: the app is gone from the device.';
const NO_LONGER = 'Resolved automatically: the rule no longer finds the app.';

/** Returns the update of an existing incident of a rule; null if nothing changes. */
export function changeOf(
  known: KnownIncident,
  rule: StoredRule,
  place: GroupOnDevice,
  now: number,
): IncidentChange | null {
  const finding = findingOf(rule, place);
  if (finding === null) {
    if (known.holds === 0) return null;
    const note = place.apps.length === 0 ? GONE : NO_LONGER;
    return {
      holds: 0,
      updated_at: now,
      // The note of a user who resolved it is kept.
      ...(known.status !== 'resolved' && {
        status: 'resolved',
        note: appendNote(known.note, note),
      }),
    };
  }
  const fields = incidentFields(rule, place, finding);
  const group_id = incidentGroupId({ policy_id: rule.id, agent_name: '', ...fields });
  const seen = { ...fields, group_id, last_seen_at: now, updated_at: now };
  if (known.holds === 0)
    return { ...seen, holds: 1, status: 'open', occurrences: known.occurrences + 1 };
  const isSame = (Object.keys(fields) as (keyof typeof fields)[]).every(
    (key) => fields[key] === known[key],
  );
  return isSame ? null : seen;
}

/** Returns the fields of an incident that describe a finding. */
export const incidentFields = (rule: StoredRule, place: GroupOnDevice, finding: Finding) => ({
  policy_name: rule.name,
  action: rule.action === 'block' ? ('block' as const) : ('warn' as const),
  reason: finding.reason,
  metadata: JSON.stringify({
    kind: place.group.kind,
    catalog_id: place.group.catalog_id,
    version: finding.app.version,
    path: finding.app.path,
    user: finding.app.user,
    risk_flags: finding.app.risk_flags,
    ...(rule.action === 'block' && { blocked_processes: finding.processes }),
  }),
});

const appendNote = (before: string, line: string): string =>
  (before === '' ? line : `${before}\n${line}`).slice(-MAX_NOTE_LENGTH);
