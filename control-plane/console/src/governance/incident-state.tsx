import type { Incident, IncidentStatus } from '../data/governance-sources.ts';
import { State } from '../parts/badge.tsx';
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

const tones: Record<IncidentStatus, Tone> = {
  open: 'bad',
  acknowledged: 'warn',
  resolved: 'good',
};

export const IncidentState = ({ status }: { status: IncidentStatus }) => (
  <State tone={tones[status]}>{incidentStatusNames[status]}</State>
);
