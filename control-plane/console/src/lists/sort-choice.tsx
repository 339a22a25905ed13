import { t } from '@lingui/core/macro';
import { Select } from '../parts/choice.tsx';
import type { Filters } from '../use-filters.ts';
import type { ListColumn } from './columns.ts';

interface SortChoiceProps {
  columns: readonly Pick<ListColumn<never>, 'label' | 'sort' | 'descends'>[];
  /** The order as in the URL. */
  sort: string;
  filters: Filters;
}

/** The order of a list whose headers are not shown. */
export function SortChoice({ columns, sort, filters }: SortChoiceProps) {
  const options = columns.flatMap(({ label, sort: field, descends }) => {
    if (field === undefined) return [];
    const down = { id: `-${field}`, name: t`${label}, descending` };
    const up = { id: field, name: t`${label}, ascending` };
    return descends ? [down, up] : [up, down];
  });
  if (options.length === 0) return null;
  return (
    <div className="sort-choice">
      <Select
        label={t`Sort by`}
        all={t`Default order`}
        options={options}
        value={sort}
        onChange={(sort) => filters.set({ sort })}
      />
    </div>
  );
}
