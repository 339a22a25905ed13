import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Link } from 'wouter';
import type { Incident } from '../data/incident-sources.ts';
import { formatCount, formatExact, NONE } from '../format.ts';
import { Ago } from '../parts/clock.tsx';
import { Text, Json } from '../parts/text.tsx';
import { Facts } from '../parts/page.tsx';
import { pathTo } from '../path-id.ts';
import { incidentReason } from './incident-reason.ts';
import { severityNames } from './incident-state.tsx';
import { ObeyedNotice } from './obeyed.tsx';
import { SettleIncident } from './settle-incident.tsx';
import { categoryName } from '../policies/category-names.ts';

interface IncidentDetailProps {
  incident: Incident;
  onChanged: (() => Promise<void>) | undefined;
}

export const IncidentDetail = ({ incident, onChanged }: IncidentDetailProps) => (
  <div className="detail-body">
    <p className="whole">
      <Text>{incidentReason(incident)}</Text>
    </p>
    {incident.not_in_force && (
      <p className="whole">
        <Trans>
          Not blocked, because a device can block at most 500 names:{' '}
          <Text>{incident.not_in_force.join(', ')}</Text>
        </Trans>
      </p>
    )}
    <ObeyedNotice incident={incident} />
    <Facts facts={factsOf(incident)} />
    {Object.keys(incident.metadata).length > 0 && (
      <Json value={incident.metadata} label={t`Details`} />
    )}
    {onChanged ? (
      <SettleIncident incident={incident} onChanged={onChanged} />
    ) : (
      incident.note && (
        <p className="whole">
          <Trans>
            Note: <Text>{incident.note}</Text>
          </Trans>
        </p>
      )
    )}
  </div>
);

/** Facts of an incident of an inventory rule: the rule, the app and the device. */
function inventoryFactsOf(incident: Incident) {
  const { policy_id, policy_name, device_id, hostname, app_group_id, app_name } = incident;
  const link = (page: string, id: string | null, name: string | null) => (
    <Link key={page} to={pathTo(page, id ?? '')}>
      <Text>{name ?? NONE}</Text>
    </Link>
  );
  return [
    [t`Rule`, link('inventory-rules', policy_id, policy_name)],
    [t`App`, link('apps', app_group_id, app_name)],
    [t`Device`, link('devices', device_id, hostname)],
    ...timesOf(incident),
  ] as const;
}

function factsOf(incident: Incident) {
  if (incident.source === 'inventory') return inventoryFactsOf(incident);
  const { run_id, policy_id, policy_name } = incident;
  return [
    [
      t`Policy`,
      <Link key="policy" to={pathTo('policies', policy_id)}>
        <Text>{policy_name}</Text>
      </Link>,
    ],
    [t`Category`, categoryName(incident.category)],
    [t`Run`, run_id === null ? t`none: checked before the run` : <RunLink key="run" id={run_id} />],
    [t`Last record before it`, <RecordLink key="record" incident={incident} />],
    [t`Device`, <RunDevice key="device" incident={incident} />],
    [t`Agent`, incident.agent_name],
    [t`Workflow`, incident.workflow_name],
    ...timesOf(incident),
  ] as const;
}

const timesOf = (incident: Incident) =>
  [
    [t`Severity`, severityNames[incident.severity]],
    [t`Occurrences`, formatCount(incident.occurrences)],
    [t`First seen`, formatExact(Date.parse(incident.created_at))],
    [t`Last seen`, formatExact(Date.parse(incident.last_seen_at))],
    [t`Changed`, <Ago key="changed" at={incident.updated_at} />],
  ] as const;

function RecordLink({ incident: { run_id, record } }: { incident: Incident }) {
  if (!record || run_id === null) return NONE;
  const name = record.kind === 'tool' ? t`Tool call` : t`LLM call`;
  return (
    <Link to={`/runs/${run_id}?span=${record.kind}-${record.id}`}>{`${name} ${record.id}`}</Link>
  );
}

function RunDevice({ incident: { run_device } }: { incident: Incident }) {
  if (!run_device) return NONE;
  return (
    <Link to={pathTo('devices', run_device.id)}>
      <Text>{run_device.hostname}</Text>
    </Link>
  );
}

const RunLink = ({ id }: { id: number }) => (
  <Link to={`/runs/${id}?tab=governance`}>
    <Trans>Run {id}</Trans>
  </Link>
);
