import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { llmCallRoutes } from '#contract/llm-calls.ts';
import {
  llmCallList,
  llmCallTotals,
  type LlmCallList,
  type LlmCallTotals,
} from '../data/llm-call-sources.ts';
import { useQuery } from '../data/use-query.ts';
import { formatCount, formatMoney } from '../format.ts';
import {
  costMeasure,
  ListHistogram,
  type Measure,
  sumOf,
  tokensMeasure,
} from '../lists/list-histogram.tsx';
import { ListActions } from '../lists/list-actions.tsx';
import { ListTable } from '../lists/list-table.tsx';
import { Empty, Loaded, Notice } from '../parts/notice.tsx';
import { KeyFigures } from '../parts/key-figures.tsx';
import { Page, Pager } from '../parts/page.tsx';
import { pathTo } from '../path-id.ts';
import { queryOf, timeRangeOf } from '../time-range.ts';
import { offsetOf, useFilters } from '../use-filters.ts';
import { callColumns } from './call-columns.tsx';
import { CallContent } from './call-content.tsx';
import { callFilterOf, filtersCalls } from './call-filter.ts';
import { searchLagNote } from './search-lag-note.ts';
import { CallToolbar } from './call-toolbar.tsx';

const LIST = 'llm-calls';
const LIMIT = 50;

type Bucket = LlmCallTotals['buckets'][number];

const calls = (count: number): string => plural(count, { one: '# LLM call', other: '# LLM calls' });

/** The measures of the histogram above the list. */
const callMeasures: readonly [Measure<Bucket>, ...Measure<Bucket>[]] = [
  {
    id: 'calls',
    name: t`Calls`,
    value: (bucket) => bucket.calls,
    format: calls,
    summary: (all) => calls(sumOf(all, (bucket) => bucket.calls)),
  },
  costMeasure,
  tokensMeasure,
];

export function CallsPage() {
  const filters = useFilters();
  const offset = offsetOf(filters);
  const [filter, range] = [callFilterOf(filters), timeRangeOf(filters)];
  const reading = useQuery(llmCallList({ limit: LIMIT, offset, ...filter }, range));
  const totals = useQuery(llmCallTotals(filter, range));
  const filtered = filtersCalls(filter) || Object.keys(range).length > 0;
  return (
    <Page title={t`LLM calls`}>
      <CallToolbar
        filters={filters}
        controls={
          <ListActions
            list={LIST}
            columns={callColumns}
            count={reading.data?.count}
            path={llmCallRoutes.exportLlmCalls.path}
            query={() => ({ ...filter, ...queryOf(range, Date.now()) })}
          />
        }
      />
      <Loaded reading={reading}>
        {(list) => (
          <>
            {list.incomplete && <Notice tone="warn">{searchLagNote(list)}</Notice>}
            {list.results.length === 0 && list.count === 0 ? (
              <NoCalls filtered={filtered} incomplete={list.incomplete} />
            ) : (
              <>
                <KeyFigures numbers={totalsOf(list)} />
                {totals.data && (
                  <ListHistogram
                    measures={callMeasures}
                    totals={totals.data}
                    range={range}
                    filters={filters}
                  />
                )}
                <ListTable
                  list={LIST}
                  label={t`LLM calls`}
                  columns={callColumns}
                  rows={list.results}
                  rowKey={({ id }) => String(id)}
                  filters={filters}
                  firstSort="-created_at"
                  panel={panelOf}
                  stale={reading.stale}
                />
                <Pager
                  label={t`Pages of LLM calls`}
                  {...{ offset, limit: LIMIT, count: list.count }}
                  onMove={(offset) => filters.set({ offset: offset ? String(offset) : '' })}
                />
              </>
            )}
          </>
        )}
      </Loaded>
    </Page>
  );
}

const panelOf = (key: string) => ({
  title: t`LLM call ${key}`,
  page: pathTo('llm-calls', key),
  content: <CallContent key={key} id={key} />,
});

function totalsOf({ aggregates }: LlmCallList) {
  const { total_calls, total_tokens, total_cost, models_used } = aggregates;
  return [
    [t`Calls`, formatCount(total_calls)],
    [t`Tokens`, formatCount(total_tokens)],
    [t`Cost`, formatMoney(total_cost)],
    [t`Models`, formatCount(models_used.length)],
  ] as const;
}

function NoCalls({ filtered, incomplete }: { filtered: boolean; incomplete: boolean }) {
  if (incomplete) return <Empty title={t`No match among the LLM calls indexed so far`} />;
  if (filtered) return <Empty title={t`No LLM call matches these filters`} />;
  return (
    <Empty title={t`No LLM calls yet`}>
      <p>
        <Trans>
          Agents record LLM calls with an API key that has the permission <code>record</code>:{' '}
          <code>POST {location.origin}/api/v1/observe/runs/…/llm-calls/</code>
        </Trans>
      </p>
      <p>
        <Trans>
          Agents instrumented with OpenTelemetry send them to{' '}
          <code>{location.origin}/api/v1/otel</code>
        </Trans>
      </p>
    </Empty>
  );
}
