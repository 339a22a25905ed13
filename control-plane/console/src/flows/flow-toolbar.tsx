import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import { MAX_PAGE_SIZE } from '../data/load-pages.ts';
import { fleet } from '../data/device-sources.ts';
import { flowList } from '../data/flow-sources.ts';
import { useLiveStatus, useQuery } from '../data/use-query.ts';
import { catalog } from '../data/guard-sources.ts';
import { PauseIcon, PlayIcon } from '../icons.tsx';
import { FilterToolbar } from '../lists/filter-toolbar.tsx';
import { State } from '../parts/badge.tsx';
import { Choice, Select } from '../parts/choice.tsx';
import { NameField } from '../parts/name-field.tsx';
import { TimeRangeField } from '../parts/time-range-field.tsx';
import type { Filters } from '../use-filters.ts';
import { groupingOf } from './flow-filter.ts';
import './flow-toolbar.css';

interface FlowToolbarProps {
  filters: Filters;
  ofOneDevice: boolean;
  isLive: boolean;
  paused: boolean;
  onPause: (paused: boolean) => void;
  /** Controls for the whole list. */
  controls: ReactNode;
}

export function FlowToolbar(props: FlowToolbarProps) {
  const { filters, ofOneDevice, isLive, paused, onPause, controls } = props;
  const folded = [filters.get('process'), filters.get('host')];
  return (
    <FilterToolbar
      more={
        <>
          <ProcessField filters={filters} />
          <HostField filters={filters} />
          <Choice
            label={t`Rows`}
            options={[
              { id: '', name: t`Each flow` },
              { id: 'true', name: t`Grouped` },
              { id: 'map', name: t`Map` },
            ]}
            value={groupingOf(filters)}
            onChange={(grouped) => filters.set({ grouped })}
          />
          {isLive && (
            <>
              <span className="spacer" />
              <FlowsLiveState paused={paused} />
              <button type="button" className="button pause" onClick={() => onPause(!paused)}>
                {paused ? <PlayIcon /> : <PauseIcon />}
                {paused ? t`Resume` : t`Pause`}
              </button>
            </>
          )}
        </>
      }
      count={folded.filter((value) => value !== '').length}
      isOpen
      controls={controls}
    >
      <Choice
        label={t`Hosts`}
        options={[
          { id: '', name: t`All hosts` },
          { id: 'true', name: t`AI hosts only` },
        ]}
        value={filters.get('ai') ? 'true' : ''}
        onChange={(ai) => filters.set({ ai })}
      />
      {!ofOneDevice && <DeviceSelect filters={filters} />}
      <TimeRangeField filters={filters} />
    </FilterToolbar>
  );
}

function HostField({ filters }: { filters: Filters }) {
  const { data: hosts = [] } = useQuery(catalog());
  return (
    <NameField
      label={t`Host`}
      suggestions={hosts.map(({ host }) => host)}
      value={filters.get('host')}
      onChange={(host) => filters.set({ host })}
    />
  );
}

function DeviceSelect({ filters }: { filters: Filters }) {
  const { data } = useQuery(fleet());
  const options = data?.results.map(({ id, hostname }) => ({ id, name: hostname })) ?? [];
  return (
    <Select
      label={t`Device`}
      all={t`All devices`}
      options={options}
      value={filters.get('device')}
      onChange={(device) => filters.set({ device })}
    />
  );
}

function ProcessField({ filters }: { filters: Filters }) {
  const { data } = useQuery(flowList({}, MAX_PAGE_SIZE));
  const process = filters.get('process');
  return (
    <NameField
      label={t`Process`}
      suggestions={data?.results.flatMap(({ process }) => process ?? []) ?? []}
      value={process}
      onChange={(process) => filters.set({ process })}
    />
  );
}

function FlowsLiveState({ paused }: { paused: boolean }) {
  const status = useLiveStatus();
  if (paused)
    return (
      <State tone="neutral">
        <Trans>Paused</Trans>
      </State>
    );
  if (status !== 'live')
    return (
      <State tone="warn">
        <Trans>Reconnecting</Trans>
      </State>
    );
  return (
    <span className="pulsing">
      <State tone="good">
        <Trans>Live</Trans>
      </State>
    </span>
  );
}
