import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { comparison } from '../data/experiment-sources.ts';
import type { ComparedItem, ExperimentPath, ListedResult } from '../data/experiment-sources.ts';
import { NONE } from '../format.ts';
import { Badge, Clipped } from '../parts/badge.tsx';
import type { Column } from '../parts/data-table.tsx';
import type { Filters } from '../use-filters.ts';
import { ItemRows, Output } from './item-rows.tsx';
import { ResultContent } from './result-content.tsx';
import { Scores } from './score-text.tsx';
import './compared-items.css';

/** The result whose item is shown. `b` has the newer version if the item was changed. */
const shownOf = ({ a, b }: ComparedItem): ListedResult | null => b ?? a;

const side = (
  name: string,
  of: (item: ComparedItem) => ListedResult | null,
): Column<ComparedItem>[] => [
  {
    name: t`Output ${name}`,
    cell: (item) => {
      const result = of(item);
      return result ? (
        <Output result={result} />
      ) : (
        <span className="muted">
          <Trans>Not in this experiment</Trans>
        </span>
      );
    },
  },
  {
    name: t`Scores ${name}`,
    width: '17%',
    cell: (item) => <Scores scores={of(item)?.scores ?? []} />,
  },
];

const columns: Column<ComparedItem>[] = [
  {
    name: t`Input`,
    width: '18%',
    cell: (item) => (
      <span className="compared-input">
        <Clipped text={shownOf(item)?.input_preview || t`Item ${item.position}`} />
        {item.differs && (
          <Badge tone="warn">
            <Trans>Changed</Trans>
          </Badge>
        )}
      </span>
    ),
  },
  {
    name: t`Expected output`,
    width: '14%',
    wideOnly: true,
    cell: (item) => <Clipped text={shownOf(item)?.expected_preview ?? NONE} />,
  },
  ...side('A', ({ a }) => a),
  ...side('B', ({ b }) => b),
];

interface ComparedItemsProps {
  path: ExperimentPath;
  other: string;
  filters: Filters;
}

export const ComparedItems = ({ path, other, filters }: ComparedItemsProps) => (
  <ItemRows
    title={t`Items`}
    pages={t`Pages of items`}
    columns={columns}
    source={(query) => comparison(path, { ...query, other })}
    filters={filters}
    detail={contentFor({ path, other })}
  />
);

type Compared = Pick<ComparedItemsProps, 'path' | 'other'>;

const contentFor = (compared: Compared) =>
  function Content(item: ComparedItem) {
    return <BothResults {...compared} item={item} />;
  };

function BothResults({ path, other, item }: Compared & { item: ComparedItem }) {
  const { item_id, a, b } = item;
  return (
    <div className="compared-results">
      {a && (
        <section aria-label={t`Result A`}>
          <h3>
            <Trans>A</Trans>
          </h3>
          <ResultContent path={{ ...path, item_id }} />
        </section>
      )}
      {b && (
        <section aria-label={t`Result B`}>
          <h3>
            <Trans>B</Trans>
          </h3>
          <ResultContent path={{ ...path, experiment_id: other, item_id }} />
        </section>
      )}
    </div>
  );
}
