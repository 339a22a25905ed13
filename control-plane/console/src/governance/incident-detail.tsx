import { Link } from 'wouter';
import type { Incident } from '../data/governance-sources.ts';
import { formatCount, none } from '../format.ts';
import { Ago } from '../parts/clock.tsx';
import { Json } from '../parts/json.tsx';
import { Facts } from '../parts/page.tsx';
import { Text } from '../parts/text.tsx';
import { pathTo } from '../path-id.ts';
import { SettleIncident } from './settle-incident.tsx';

const attributesWithDetails = ({ source }: Incident): string =>
  source === 'inventory' ? 'What was found' : 'What the policy said';

interface IncidentDetailProps {
  incident: Incident;
  onChanged: (() => Promise<void>) | undefined;
}

export const IncidentDetail = ({ incident, onChanged }: IncidentDetailProps) => (
  <div className="detail-body">
    <p className="whole">
      <Text>{incident.reason}</Text>
    </p>
    <Facts facts={factsOf(incident)} />
    {Object.keys(incident.metadata).length > 0 && (
      <Json value={incident.metadata} label={attributesWithDetails(incident)} />
    )}
    {onChanged ? (
      <SettleIncident incident={incident} onChanged={onChanged} />
    ) : (
      incident.note && (
        <p className="whole">
          Note: <Text>{incident.note}</Text>
        </p>
      )
    )}
  </div>
);

/** Of a rule on the inventory: which app, where. */
function inventoryFactsOf(incident: Incident) {
  const { policy_id, policy_name, device_id, hostname, app_group_id, app_name } = incident;
  const link = (page: string, id: string | null, name: string | null) => (
    <Link key={page} to={pathTo(page, id ?? '')}>
      <Text>{name ?? none}</Text>
    </Link>
  );
  return [
    ['Rule', link('inventory-rules', policy_id, policy_name)],
    ['App', link('apps', app_group_id, app_name)],
    ['Device', link('devices', device_id, hostname)],
    ['Happened', `${formatCount(incident.occurrences)} ×`],
    ['Changed', <Ago key="changed" at={incident.updated_at} />],
  ] as const;
}

function factsOf(incident: Incident) {
  if (incident.source === 'inventory') return inventoryFactsOf(incident);
  const { run_id, policy_id, policy_name } = incident;
  return [
    [
      'Policy',
      <Link key="policy" to={pathTo('policies', policy_id)}>
        <Text>{policy_name}</Text>
      </Link>,
    ],
    ['Category', incident.category],
    ['Run', run_id === null ? none : <RunLink key="run" id={run_id} />],
    ['Agent', incident.agent_name],
    ['Workflow', incident.workflow_name],
    ['Happened', `${formatCount(incident.occurrences)} ×`],
    ['Changed', <Ago key="changed" at={incident.updated_at} />],
  ] as const;
}

const RunLink = ({ id }: { id: number }) => <Link to={`/runs/${id}?tab=governance`}>Run {id}</Link>;
