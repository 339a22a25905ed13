import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { scoreRoutes } from '#contract/scores.ts';
import { scoreList, scoreTotals } from '../data/score-sources.ts';
import type { ListedScore, ScoreList } from '../data/score-sources.ts';
import { useQuery } from '../data/use-query.ts';
import { ListActions } from '../lists/list-actions.tsx';
import { ListHistogram } from '../lists/list-histogram.tsx';
import { ListTable } from '../lists/list-table.tsx';
import { Empty, Loaded } from '../parts/notice.tsx';
import { Page, Pager } from '../parts/page.tsx';
import { queryOf, timeRangeOf } from '../time-range.ts';
import { offsetOf, useFilters } from '../use-filters.ts';
import { scoreColumns } from './score-columns.tsx';
import { FIRST_SCORE_SORT, scoreFilterOf, scoreSortOf } from './score-filter.ts';
import { scoreMeasures } from './score-measures.ts';
import { ScorePanel } from './score-panel.tsx';
import { ScoreToolbar } from './score-toolbar.tsx';
import { formatAverage } from './score-words.ts';

const LIST = 'scores';
const LIMIT = 50;

export function ScoresPage() {
  const filters = useFilters();
  const offset = offsetOf(filters);
  const [filter, range, sort] = [
    scoreFilterOf(filters),
    timeRangeOf(filters),
    scoreSortOf(filters),
  ];
  const reading = useQuery(scoreList({ limit: LIMIT, offset, sort, ...filter }, range));
  const totals = useQuery(scoreTotals(filter, range));
  return (
    <Page
      title={t`Scores`}
      aside={reading.data && <span className="muted">{totalsText(reading.data)}</span>}
    >
      <ScoreToolbar
        filters={filters}
        controls={
          <ListActions
            list={LIST}
            columns={scoreColumns}
            count={reading.data?.count}
            path={scoreRoutes.exportScores.path}
            query={() => ({ ...filter, ...queryOf(range, Date.now()), sort })}
          />
        }
      />
      {totals.data && (
        <ListHistogram
          measures={scoreMeasures(totals.data)}
          totals={totals.data}
          range={range}
          filters={filters}
        />
      )}
      <Loaded reading={reading}>
        {({ results, count }) =>
          results.length === 0 && count === 0 ? (
            <NoScores filtered={Object.keys({ ...filter, ...range }).length > 0} />
          ) : (
            <>
              <ListTable
                list={LIST}
                label={t`Scores`}
                columns={scoreColumns}
                rows={results}
                rowKey={({ id }) => id}
                filters={filters}
                firstSort={FIRST_SCORE_SORT}
                panel={panelOf}
                stale={reading.stale}
              />
              <Pager
                label={t`Pages of scores`}
                {...{ offset, limit: LIMIT, count }}
                onMove={(offset) => filters.set({ offset: offset ? String(offset) : '' })}
              />
            </>
          )
        }
      </Loaded>
    </Page>
  );
}

const panelOf = (id: string, score: ListedScore | undefined) => ({
  title: score?.name ?? t`Score`,
  content: <ScorePanel key={id} id={id} />,
});

const totalsText = ({ count, aggregates }: ScoreList): string =>
  [
    plural(count, { one: '# score', other: '# scores' }),
    ...(aggregates.avg_numeric_value === null
      ? []
      : [t`average ${formatAverage(aggregates.avg_numeric_value)}`]),
    plural(aggregates.score_names.length, { one: '# name', other: '# names' }),
  ].join(' · ');

function NoScores({ filtered }: { filtered: boolean }) {
  if (filtered) return <Empty title={t`No score matches these filters`} />;
  return (
    <Empty title={t`No scores yet`}>
      <p>
        <Trans>
          Agents score their runs with an API key that has the permission <code>record</code>:{' '}
          <code>POST {location.origin}/api/v1/observe/runs/…/scores/</code>
        </Trans>
      </p>
    </Empty>
  );
}
