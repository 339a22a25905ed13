import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useState } from 'react';
import { severities } from '#contract/policy-actions.ts';
import {
  incidentGroups,
  incidentList,
  type Assignee,
  type Incident,
  type IncidentChanges,
  type IncidentGroup,
  type TriageFilter,
} from '../data/incident-sources.ts';
import { useQuery } from '../data/use-query.ts';
import { formatCount, formatExact } from '../format.ts';
import { Select } from '../parts/choice.tsx';
import { Empty, Loaded } from '../parts/notice.tsx';
import { Facts, Pager } from '../parts/page.tsx';
import { Text } from '../parts/text.tsx';
import { useAttempt } from '../parts/use-attempt.ts';
import { categoryName } from '../policies/category-names.ts';
import type { TimeRange } from '../time-range.ts';
import { assigneeName } from './group-columns.tsx';
import { incidentReason } from './incident-reason.ts';
import { severityNames } from './incident-state.tsx';
import { OccurrencesTable } from './occurrences-table.tsx';
import { Trend } from './trend.tsx';
import { Link } from 'wouter';
import { pathTo } from '../path-id.ts';
import { actionNames } from '../parts/action-badge.tsx';

/** Link to the policy or inventory rule that raised an incident. */
export const CauseLink = ({ incident }: { incident: Incident }) => (
  <Link
    to={pathTo(
      incident.source === 'inventory' ? 'inventory-rules' : 'policies',
      incident.policy_id,
    )}
  >
    <Text>{incident.policy_name}</Text>
  </Link>
);

const LIMIT = 20;

interface GroupPanelProps {
  id: string;
  filter: TriageFilter;
  range: TimeRange;
  users: readonly Assignee[];
  /**
   * Changes incidents of the group and refetches them; undefined if the user may not change
   * incidents.
   */
  onChange: ((group: string, changes: IncidentChanges) => Promise<void>) | undefined;
  onChanged: () => Promise<void>;
}

/** Side panel of a group: its cause and its incidents. */
export function GroupPanel(props: GroupPanelProps) {
  const { id, filter, range } = props;
  const reading = useQuery(incidentGroups({ ...filter, group: [id], limit: 1 }, range));
  const isOther = reading.data?.results.some(({ group_id }) => group_id !== id) ?? false;
  const shown = isOther ? { ...reading, data: undefined } : reading;
  return (
    <Loaded reading={shown}>
      {({ results: [group], trend_start, trend_seconds }) =>
        group ? (
          <div className="stack">
            <p className="whole">
              <Text>{incidentReason(group.latest)}</Text>
            </p>
            <Trend values={group.trend} start={trend_start} seconds={trend_seconds} />
            <Facts facts={factsOf(group, props.users)} />
            {props.onChange && (
              <GroupSettings
                group={group}
                users={props.users}
                onChange={(changes) => props.onChange?.(id, changes) ?? Promise.resolve()}
              />
            )}
            <Occurrences {...props} onRefetch={reading.refetch} />
          </div>
        ) : (
          <Empty title={t`No incident of this group matches these filters`} />
        )
      }
    </Loaded>
  );
}

function factsOf(group: IncidentGroup, users: readonly Assignee[]) {
  const { latest, assignee_id } = group;
  return [
    [
      latest.source === 'inventory' ? t`Rule` : t`Policy`,
      <CauseLink key="cause" incident={latest} />,
    ],
    [t`Category`, categoryName(latest.category)],
    ...(latest.source === 'policy' ? ([[t`Agent`, latest.agent_name]] as const) : []),
    [t`Action`, actionNames[latest.action]],
    [t`Severity`, severityNames[group.severity]],
    ...(assignee_id === null ? [] : ([[t`Assignee`, assigneeName(assignee_id, users)]] as const)),
    [t`Incidents`, incidentsText(group)],
    [t`Occurrences`, formatCount(group.occurrences)],
    [t`First seen`, formatExact(Date.parse(group.first_seen))],
    [t`Last seen`, formatExact(Date.parse(group.last_seen))],
  ] as const;
}

const incidentsText = ({ incident_count, open, acknowledged, resolved }: IncidentGroup): string =>
  t`${formatCount(incident_count)}: ${formatCount(open)} open, ${formatCount(acknowledged)} acknowledged, ${formatCount(resolved)} resolved`;

interface GroupSettingsProps {
  group: IncidentGroup;
  users: readonly Assignee[];
  onChange: (changes: IncidentChanges) => Promise<void>;
}

function GroupSettings({ group, users, onChange }: GroupSettingsProps) {
  const { error, busy, attempt } = useAttempt();
  const change = (changes: IncidentChanges) => void attempt(() => onChange(changes));
  return (
    <fieldset className="group-settings" disabled={busy}>
      <legend className="hidden">
        <Trans>All incidents of this group</Trans>
      </legend>
      <button
        type="button"
        className="button primary"
        disabled={group.open === 0}
        onClick={() => change({ status: 'acknowledged' })}
      >
        <Trans>Acknowledge all</Trans>
      </button>
      <button
        type="button"
        className="button"
        disabled={group.open + group.acknowledged === 0}
        onClick={() => change({ status: 'resolved' })}
      >
        <Trans>Resolve all</Trans>
      </button>
      <Select
        label={t`Severity of the group`}
        all={t`Severity…`}
        options={severities.map((id) => ({ id, name: severityNames[id] }))}
        value={group.severity}
        onChange={(id) => {
          const severity = severities.find((one) => one === id);
          if (severity) change({ severity });
        }}
      />
      <Select
        label={t`Assignee of the group`}
        all={t`Unassigned`}
        options={users.map(({ id, email }) => ({ id, name: email }))}
        value={group.assignee_id ?? ''}
        onChange={(id) => change({ assignee_id: id || null })}
      />
      <p className="form-error" role="alert">
        {error}
      </p>
    </fieldset>
  );
}

function Occurrences({
  id,
  filter,
  range,
  users,
  onChange,
  onChanged,
  onRefetch,
}: GroupPanelProps & { onRefetch: () => Promise<void> }) {
  const [offset, setOffset] = useState(0);
  const reading = useQuery(incidentList({ ...filter, group: [id], limit: LIMIT, offset }, range));
  const isOther = reading.data?.results.some(({ group_id }: Incident) => group_id !== id) ?? false;
  const changed = async () => {
    await Promise.all([reading.refetch(), onRefetch(), onChanged()]);
  };
  return (
    <Loaded reading={isOther ? { ...reading, data: undefined } : reading}>
      {({ results, count }) => (
        <section aria-label={t`Incidents of this group`}>
          <OccurrencesTable
            incidents={results}
            users={users}
            stale={reading.stale}
            onChanged={onChange && changed}
          />
          <Pager
            label={t`Pages of the group`}
            {...{ offset, limit: LIMIT, count }}
            onMove={setOffset}
          />
        </section>
      )}
    </Loaded>
  );
}
