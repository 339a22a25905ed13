import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { approvalList } from '../data/approval-sources.ts';
import type { Approval } from '../data/approval-sources.ts';
import { incidentList } from '../data/incident-sources.ts';
import type { Incident } from '../data/incident-sources.ts';
import { runList } from '../data/run-sources.ts';
import type { RunSummary } from '../data/run-sources.ts';
import { deviceList } from '../data/device-sources.ts';
import type { Device } from '../data/device-sources.ts';
import type { Source } from '../data/query.ts';
import type { LoadedList } from '../data/load-pages.ts';
import { useQuery } from '../data/use-query.ts';
import { problemText } from '../devices/device-words.ts';
import { incidentReason } from '../incidents/incident-reason.ts';
import { Clipped } from '../parts/badge.tsx';
import { Ago, Remaining } from '../parts/clock.tsx';
import { Loaded } from '../parts/notice.tsx';
import { pathTo } from '../path-id.ts';
import './attention.css';

const LIMIT = 5;

/** Items that need attention, each with a link. */
export const Attention = () => (
  <div className="cards attention">
    <ShortList
      title={t`Latest errors`}
      all="/runs?status=error"
      source={runList({ status: 'error', limit: LIMIT })}
      empty={t`No run has ended with an error.`}
      keyOf={({ id }) => id}
      row={errorRow}
    />
    <ShortList
      title={t`Open incidents`}
      all="/incidents?status=open"
      source={incidentList({ status: 'open', limit: LIMIT })}
      empty={t`No incident is open.`}
      keyOf={({ id }) => id}
      row={incidentRow}
    />
    <ShortList
      title={t`Waiting approvals`}
      all="/approvals?status=pending"
      source={approvalList({ status: 'pending', limit: LIMIT })}
      empty={t`No approval is waiting for a decision.`}
      keyOf={({ id }) => id}
      row={approvalRow}
    />
    <ShortList
      title={t`Devices with problems`}
      all="/devices?problems=true"
      source={deviceList({ with_problems: 'true', limit: LIMIT })}
      empty={t`No active device reports a problem.`}
      keyOf={({ id }) => id}
      row={deviceRow}
    />
  </div>
);

interface ShortListProps<T> {
  title: string;
  /** URL of the full list. */
  all: string;
  source: Source<LoadedList<T>>;
  empty: string;
  keyOf: (item: T) => string | number;
  row: (item: T) => ReactNode;
}

function ShortList<T>({ title, all, source, empty, keyOf, row }: ShortListProps<T>) {
  const reading = useQuery(source);
  return (
    <section className="card" aria-label={title}>
      <div className="card-header">
        <h2>{title}</h2>
        {reading.data && reading.data.count > LIMIT && (
          <Link to={all} aria-label={t`All ${reading.data.count}: ${title}`}>
            <Trans>All {reading.data.count}</Trans>
          </Link>
        )}
      </div>
      <Loaded reading={reading}>
        {({ results }) =>
          results.length === 0 ? (
            <p className="muted">{empty}</p>
          ) : (
            <ul className="short-list">
              {results.map((item) => (
                <li key={keyOf(item)}>{row(item)}</li>
              ))}
            </ul>
          )
        }
      </Loaded>
    </section>
  );
}

interface RowProps {
  to: string;
  name: string;
  aside: ReactNode;
  children: ReactNode;
}

const Row = ({ to, name, aside, children }: RowProps) => (
  <Link to={to} className="short-row">
    <Clipped text={name} />
    <span className="short-note">{children}</span>
    <span className="short-aside">{aside}</span>
  </Link>
);

const errorRow = ({ id, agent_name, started_at }: RunSummary) => (
  <Row to={pathTo('runs', String(id))} name={agent_name} aside={<Ago at={started_at} />}>
    <Trans>Run {id}</Trans>
  </Row>
);

const incidentRow = (incident: Incident) => (
  <Row
    to={`/incidents?status=open&policy=${encodeURIComponent(incident.policy_id)}`}
    name={incident.policy_name}
    aside={<Ago at={incident.created_at} />}
  >
    <Clipped text={incidentReason(incident)} />
  </Row>
);

const approvalRow = ({ action_type, agent_name, expires_at }: Approval) => (
  <Row
    to="/approvals?status=pending"
    name={action_type}
    aside={
      <>
        <Trans>
          expires in <Remaining until={expires_at} />
        </Trans>
      </>
    }
  >
    <Clipped text={agent_name} />
  </Row>
);

const deviceRow = ({ id, hostname, last_seen, problems }: Device) => (
  <Row to={pathTo('devices', id)} name={hostname} aside={<Ago at={last_seen} />}>
    <Clipped text={problems.map(problemText).join('; ')} />
  </Row>
);
