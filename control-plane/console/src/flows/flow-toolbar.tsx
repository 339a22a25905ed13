import { longestPage } from '../data/many.ts';
import { fleet, flowList } from '../data/sources.ts';
import { useLiveStatus, useQuery } from '../data/use-query.ts';
import { PauseIcon, PlayIcon } from '../icons.tsx';
import { State } from '../parts/badge.tsx';
import { Choice, Select } from '../parts/choice.tsx';
import { NameField } from '../parts/name-field.tsx';
import type { Filters } from '../use-filters.ts';

interface FlowToolbarProps {
  filters: Filters;
  ofOneDevice: boolean;
  paused: boolean;
  onPause: (paused: boolean) => void;
}

export function FlowToolbar({ filters, ofOneDevice, paused, onPause }: FlowToolbarProps) {
  return (
    <div className="toolbar">
      <Choice
        label="Hosts"
        options={[
          { id: '', name: 'All hosts' },
          { id: 'true', name: 'AI hosts only' },
        ]}
        value={filters.get('ai') ? 'true' : ''}
        onChange={(ai) => filters.set({ ai })}
      />
      {!ofOneDevice && <DeviceSelect filters={filters} />}
      <ProcessField filters={filters} />
      <span className="spacer" />
      <FlowsLiveState paused={paused} />
      <button type="button" className="button pause" onClick={() => onPause(!paused)}>
        {paused ? <PlayIcon /> : <PauseIcon />}
        {paused ? 'Resume' : 'Pause'}
      </button>
    </div>
  );
}

function DeviceSelect({ filters }: { filters: Filters }) {
  const { data } = useQuery(fleet());
  const options = data?.results.map(({ id, hostname }) => ({ id, name: hostname })) ?? [];
  return (
    <Select
      label="Device"
      all="All devices"
      options={options}
      value={filters.get('device')}
      onChange={(device) => filters.set({ device })}
    />
  );
}

function ProcessField({ filters }: { filters: Filters }) {
  const { data } = useQuery(flowList({}, longestPage));
  const process = filters.get('process');
  return (
    <NameField
      label="Process"
      suggestions={data?.results.flatMap(({ process }) => process ?? []) ?? []}
      value={process}
      onChange={(process) => filters.set({ process })}
    />
  );
}

function FlowsLiveState({ paused }: { paused: boolean }) {
  const status = useLiveStatus();
  if (paused) return <State tone="neutral">Paused</State>;
  if (status !== 'live') return <State tone="warn">Reconnecting</State>;
  return (
    <span className="pulsing">
      <State tone="good">Live</State>
    </span>
  );
}
