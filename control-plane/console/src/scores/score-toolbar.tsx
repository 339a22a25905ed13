import { t } from '@lingui/core/macro';
import type { ReactNode } from 'react';
import { scoreNames } from '../data/score-sources.ts';
import { useQuery } from '../data/use-query.ts';
import { FilterToolbar } from '../lists/filter-toolbar.tsx';
import { BoundsField } from '../parts/bounds-field.tsx';
import { Select } from '../parts/choice.tsx';
import { NameField } from '../parts/name-field.tsx';
import { TimeRangeField } from '../parts/time-range-field.tsx';
import { AgentField } from '../runs/agent-field.tsx';
import type { Filters } from '../use-filters.ts';
import { collapsedFilterCount, scoreFilterOf } from './score-filter.ts';
import { sourceNames, typeNames } from './score-words.ts';

interface ScoreToolbarProps {
  filters: Filters;
  /** Controls for the whole list. */
  controls: ReactNode;
}

const optionsOf = (names: Record<string, string>) =>
  Object.entries(names).map(([id, name]) => ({ id, name }));

export function ScoreToolbar({ filters, controls }: ScoreToolbarProps) {
  const { data: names = [] } = useQuery(scoreNames());
  const field = (name: string) => ({
    value: filters.get(name),
    onChange: (value: string) => filters.set({ [name]: value }),
  });
  return (
    <FilterToolbar
      more={
        <>
          <Select
            label={t`Type`}
            all={t`All types`}
            options={optionsOf(typeNames)}
            {...field('type')}
          />
          <BoundsField
            label={t`Number`}
            step="any"
            isSigned
            min={filters.get('min_value')}
            max={filters.get('max_value')}
            onChange={(bound, text) => filters.set({ [`${bound}_value`]: text })}
          />
          <NameField label={t`Category or true/false`} suggestions={[]} {...field('value')} />
          <NameField label={t`Run (id)`} suggestions={[]} {...field('run')} />
          <NameField label={t`LLM call (id)`} suggestions={[]} {...field('call')} />
        </>
      }
      count={collapsedFilterCount(scoreFilterOf(filters))}
      controls={controls}
    >
      <NameField label={t`Score`} suggestions={names} {...field('name')} />
      <AgentField filters={filters} />
      <Select
        label={t`Source`}
        all={t`All sources`}
        options={optionsOf(sourceNames)}
        {...field('source')}
      />
      <TimeRangeField filters={filters} />
    </FilterToolbar>
  );
}
