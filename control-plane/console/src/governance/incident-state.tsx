import type { IncidentStatus } from '../data/governance-sources.ts';
import { State } from '../parts/badge.tsx';
import type { Tone } from '../parts/badge.tsx';

export const incidentStatusNames: Record<IncidentStatus, string> = {
  open: 'Open',
  acknowledged: 'Acknowledged',
  resolved: 'Resolved',
};

const tones: Record<IncidentStatus, Tone> = {
  open: 'bad',
  acknowledged: 'warn',
  resolved: 'good',
};

export const IncidentState = ({ status }: { status: IncidentStatus }) => (
  <State tone={tones[status]}>{incidentStatusNames[status]}</State>
);
