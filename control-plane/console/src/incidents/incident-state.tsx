import type { Incident, IncidentStatus } from '../data/incident-sources.ts';
import { Badge, State } from '../parts/badge.tsx';
import type { Tone } from '../parts/badge.tsx';

export const incidentStatusNames: Record<IncidentStatus, string> = {
  open: 'Open',
  acknowledged: 'Acknowledged',
  resolved: 'Resolved',
};

export const incidentSourceNames: Record<Incident['source'], string> = {
  policy: 'Policies',
  inventory: 'Inventory',
};

export const severityNames: Record<Incident['severity'], string> = {
  low: 'Low',
  medium: 'Medium',
  high: 'High',
  critical: 'Critical',
};

const severityTones: Record<Incident['severity'], Tone> = {
  low: 'neutral',
  medium: 'warn',
  high: 'bad',
  critical: 'bad',
};

export const SeverityBadge = ({ severity }: Pick<Incident, 'severity'>) => (
  <Badge tone={severityTones[severity]}>{severityNames[severity]}</Badge>
);

const tones: Record<IncidentStatus, Tone> = {
  open: 'bad',
  acknowledged: 'warn',
  resolved: 'good',
};

export const IncidentState = ({ status }: { status: IncidentStatus }) => (
  <State tone={tones[status]}>{incidentStatusNames[status]}</State>
);
