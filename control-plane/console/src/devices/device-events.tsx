import { t } from '@lingui/core/macro';
import { auditPage } from '../data/audit-sources.ts';
import { guardHistory } from '../data/guard-sources.ts';
import { useQuery } from '../data/use-query.ts';
import { describeChange } from '../guard/describe-change.ts';
import { Clipped } from '../parts/badge.tsx';
import { Ago } from '../parts/clock.tsx';
import { DataTable } from '../parts/data-table.tsx';
import type { Column } from '../parts/data-table.tsx';
import { Empty, Loaded } from '../parts/notice.tsx';
import { Actor } from '../users/actor.tsx';

interface DeviceEvent {
  id: string;
  at: string;
  what: string;
  actor: { type: 'user' | 'agent' | 'system'; id: string };
}

const LIMIT = 100;

/** Decisions about a device: enrollment, approval, revocation and changes of its Guard layer. */
export const DeviceEvents = (props: { device: string; administers: boolean }) =>
  props.administers ? (
    <AllEvents device={props.device} />
  ) : (
    <GuardEvents device={props.device} others={[]} />
  );

/** Only administrators may read the audit log. */
function AllEvents({ device }: { device: string }) {
  const reading = useQuery(auditPage({ resource: device, limit: LIMIT }, {}));
  return (
    <Loaded reading={reading}>
      {({ entries }) => (
        <GuardEvents
          device={device}
          others={entries.map(({ id, action, created_at, actor_type, actor_id }) => ({
            id,
            at: created_at,
            what: wordsOf(action),
            actor: { type: actor_type, id: actor_id },
          }))}
        />
      )}
    </Loaded>
  );
}

function GuardEvents({ device, others }: { device: string; others: readonly DeviceEvent[] }) {
  const reading = useQuery(guardHistory({ layer: 'device', scope: device, limit: LIMIT }));
  return (
    <Loaded reading={reading}>
      {({ results }) => {
        const changes = results.map(({ id, changed_at, changed_by, before, after }) => ({
          id,
          at: changed_at,
          what: t`Guard: ${describeChange(before, after)}`,
          actor: { type: 'user' as const, id: changed_by },
        }));
        const events = [...others, ...changes].sort((a, b) => (a.at < b.at ? 1 : -1));
        if (events.length === 0) return <Empty title={t`No decisions about this device yet`} />;
        return (
          <DataTable label={t`Events`} columns={columns} rows={events} rowKey={({ id }) => id} />
        );
      }}
    </Loaded>
  );
}

const actionTexts: Readonly<Record<string, string>> = {
  'device.enroll': t`Device enroll`,
  'device.approve': t`Device approve`,
  'device.revoke': t`Device revoke`,
  'device.restore': t`Device restore`,
};

/**
 * The words for an audit action. An action unknown to this console is split into words: `Device
 * restore`.
 */
function wordsOf(action: string): string {
  const known = actionTexts[action];
  if (known !== undefined) return known;
  const words = action.replaceAll(/[._]/g, ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

const columns: readonly Column<DeviceEvent>[] = [
  { name: t`Event`, cell: ({ what }) => <Clipped text={what} /> },
  { name: t`By`, width: '30%', cell: ({ actor }) => <Actor {...actor} /> },
  { name: t`Time`, width: 110, cell: ({ at }) => <Ago at={at} /> },
];
