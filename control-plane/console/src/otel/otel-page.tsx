import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { rejections, unmappedNames } from '../data/otel-sources.ts';
import { useQuery } from '../data/use-query.ts';
import { Empty, Loaded } from '../parts/notice.tsx';
import { Page } from '../parts/page.tsx';
import { PagedTable } from '../parts/paged-table.tsx';
import { Tabs } from '../parts/tabs.tsx';
import { offsetOf, useFilters } from '../use-filters.ts';
import type { Filters } from '../use-filters.ts';
import { keyOfOccurrence, rejectionColumns, unmappedColumns } from './occurrence-columns.tsx';
import { RejectionDetail, UnmappedDetail } from './occurrence-detail.tsx';

const LIMIT = 50;

const tabs = [
  { id: 'unmapped', name: t`Unmapped` },
  { id: 'rejected', name: t`Rejected` },
] as const;

/** Page with the OpenTelemetry data that arrived but was not read. */
export function OtelPage() {
  const filters = useFilters();
  const tab = filters.get('tab') === 'rejected' ? 'rejected' : 'unmapped';
  return (
    <Page title={t`OpenTelemetry`}>
      <Tabs
        label={t`Unmapped names and rejections`}
        tabs={tabs}
        current={tab}
        onChoose={(tab) => filters.set({ tab: tab === 'rejected' ? tab : '' })}
      >
        {tab === 'unmapped' ? <Unmapped filters={filters} /> : <Rejected filters={filters} />}
      </Tabs>
    </Page>
  );
}

function Unmapped({ filters }: { filters: Filters }) {
  const offset = offsetOf(filters);
  const reading = useQuery(unmappedNames({ limit: LIMIT, offset }));
  return (
    <>
      <p className="page-note muted">
        <Trans>
          Attributes and events of AI agents that no rule reads, and unknown kinds of spans. Their
          values may be missing from calls and costs.
        </Trans>
      </p>
      <Loaded reading={reading}>
        {(page) =>
          page.count === 0 ? (
            <Empty title={t`Everything that arrived was mapped`} />
          ) : (
            <PagedTable
              label={t`Unmapped names`}
              pages={t`Pages of unmapped names`}
              columns={unmappedColumns}
              {...{ page, filters, limit: LIMIT }}
              rowKey={({ name, scope }) => keyOfOccurrence(name, scope)}
              rowName={({ name }) => name}
              detail={detailOfUnmapped}
              stale={reading.stale}
            />
          )
        }
      </Loaded>
    </>
  );
}

function Rejected({ filters }: { filters: Filters }) {
  const offset = offsetOf(filters);
  const reading = useQuery(rejections({ limit: LIMIT, offset }));
  return (
    <>
      <p className="page-note muted">
        <Trans>Spans, log records and metrics that were not stored, by reason.</Trans>
      </p>
      <Loaded reading={reading}>
        {(page) =>
          page.count === 0 ? (
            <Empty title={t`Nothing was rejected`} />
          ) : (
            <PagedTable
              label={t`Rejections`}
              pages={t`Pages of rejections`}
              columns={rejectionColumns}
              {...{ page, filters, limit: LIMIT }}
              rowKey={({ reason, scope }) => keyOfOccurrence(reason, scope)}
              rowName={({ reason }) => reason}
              detail={detailOfRejection}
              stale={reading.stale}
            />
          )
        }
      </Loaded>
    </>
  );
}

const detailOfUnmapped = (one: Parameters<typeof UnmappedDetail>[0]['one']) => (
  <UnmappedDetail one={one} />
);
const detailOfRejection = (one: Parameters<typeof RejectionDetail>[0]['one']) => (
  <RejectionDetail one={one} />
);
