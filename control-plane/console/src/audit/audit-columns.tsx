import { t } from '@lingui/core/macro';
import type { AuditEntry } from '../data/audit-sources.ts';
import { formatCount, formatExact, NONE } from '../format.ts';
import type { ListColumn } from '../lists/columns.ts';
import { Clipped } from '../parts/badge.tsx';
import { Ago } from '../parts/clock.tsx';
import { Actor } from '../users/actor.tsx';

export const resourceOf = ({ resource_type, resource_id }: AuditEntry): string =>
  resource_id ? `${resource_type} ${resource_id}` : resource_type;

/** The columns of the audit log. */
export const auditColumns: readonly ListColumn<AuditEntry>[] = [
  {
    id: 'action',
    label: t`Action`,
    width: '22%',
    sort: 'action',
    cell: ({ action }) => <Clipped mono text={action} />,
  },
  {
    id: 'actor',
    label: t`Actor`,
    sort: 'actor',
    cell: ({ actor_type, actor_id }) => <Actor type={actor_type} id={actor_id} />,
  },
  {
    id: 'object',
    label: t`Object`,
    sort: 'resource',
    cell: (entry) => (
      <Clipped mono text={resourceOf(entry)} title={nameOf(entry) ?? resourceOf(entry)} />
    ),
  },
  {
    id: 'name',
    label: t`Object name`,
    width: '18%',
    cell: (entry) => <Clipped text={nameOf(entry) ?? NONE} />,
  },
  {
    id: 'time',
    label: t`Time`,
    width: 110,
    sort: 'created_at',
    descends: true,
    cell: ({ created_at }) => <Ago at={created_at} />,
  },
  {
    id: 'ip',
    label: t`IP address`,
    width: 130,
    sort: 'ip',
    hidden: true,
    cell: ({ ip }) => <Clipped mono text={ip ?? NONE} />,
  },
  {
    id: 'time-exactly',
    label: t`Exact time`,
    hidden: true,
    cell: ({ created_at }) => <Clipped text={formatExact(Date.parse(created_at))} />,
  },
  {
    id: 'sequence',
    label: t`Sequence`,
    width: 96,
    numeric: true,
    hidden: true,
    cell: ({ sequence }) => formatCount(sequence),
  },
];

/** The name that the object had after the change, or before it was deleted. */
function nameOf({ metadata: { after, before } }: AuditEntry): string | undefined {
  for (const state of [after, before]) {
    if (typeof state !== 'object' || state === null) continue;
    for (const field of ['name', 'email', 'hostname'])
      if (field in state) {
        const name = (state as Record<string, unknown>)[field];
        if (typeof name === 'string' && name !== '') return name;
      }
  }
  return undefined;
}
