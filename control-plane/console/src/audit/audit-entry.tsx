import { t } from '@lingui/core/macro';
import type { AuditEntry } from '../data/audit-sources.ts';
import { formatCount, formatExact, NONE } from '../format.ts';
import { Clipped } from '../parts/badge.tsx';
import { Json } from '../parts/json.tsx';
import { Facts } from '../parts/page.tsx';
import { BeforeAndAfter } from '../policies/version-change.tsx';
import { Actor } from '../users/actor.tsx';
import { resourceOf } from './audit-columns.tsx';

/** An entry beside the list, with the state before and after the change. */
export function AuditEntryContent({ entry }: { entry: AuditEntry }) {
  const { before, after, ...details } = entry.metadata;
  const facts = [
    [t`Sequence`, formatCount(entry.sequence)],
    [t`Time`, formatExact(Date.parse(entry.created_at))],
    [t`Actor`, <Actor key="actor" type={entry.actor_type} id={entry.actor_id} />],
    [t`Actor id`, <Clipped key="actor-id" mono text={entry.actor_id} />],
    [t`IP address`, entry.ip ?? NONE],
    [t`Object`, <Clipped key="resource" mono text={resourceOf(entry)} />],
    [t`Hash`, <Clipped key="hash" mono text={entry.hash} />],
  ] as const;
  return (
    <div className="stack">
      <Facts facts={facts} />
      <BeforeAndAfter before={before} after={after} />
      {Object.keys(details).length > 0 && <Json value={details} label={t`Details`} />}
    </div>
  );
}
