import { t } from '@lingui/core/macro';
import type { Incident, IncidentStatus } from '../data/incident-sources.ts';
import { Badge, State } from '../parts/badge.tsx';
import type { Tone } from '../parts/badge.tsx';

export const incidentStatusNames: Record<IncidentStatus, string> = {
  open: t`Open`,
  acknowledged: t`Acknowledged`,
  resolved: t`Resolved`,
};

export const incidentSourceNames: Record<Incident['source'], string> = {
  policy: t`Policies`,
  inventory: t`Inventory`,
};

export const severityNames: Record<Incident['severity'], string> = {
  low: t`Low`,
  medium: t`Medium`,
  high: t`High`,
  critical: t`Critical`,
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
