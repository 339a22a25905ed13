import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useLocation } from 'wouter';
import { api } from '../data/api.ts';
import { datasetList } from '../data/dataset-sources.ts';
import type { Dataset } from '../data/dataset-sources.ts';
import { mayWrite } from '../data/session.ts';
import type { User } from '../data/session.ts';
import { useQuery } from '../data/use-query.ts';
import { formatCount } from '../format.ts';
import { Ago } from '../parts/clock.tsx';
import type { Column } from '../parts/data-table.tsx';
import { ListPage } from '../parts/list-page.tsx';
import { namedColumns } from '../parts/named-columns.tsx';
import { Empty, Loaded } from '../parts/notice.tsx';
import { PagedTable } from '../parts/paged-table.tsx';
import { pathTo } from '../path-id.ts';
import { offsetOf, useFilters } from '../use-filters.ts';
import { DatasetForm } from './dataset-form.tsx';

const LIMIT = 50;
const pathOf = ({ id }: Dataset) => pathTo('datasets', id);
const number = { width: 110, align: 'end' } as const;

const columns: Column<Dataset>[] = [
  ...namedColumns(t`Dataset`, '28%', pathOf),
  { name: t`Items`, ...number, cell: ({ item_count }) => formatCount(item_count) },
  {
    name: t`Experiments`,
    ...number,
    cell: ({ experiment_count }) => formatCount(experiment_count),
  },
  { name: t`Changed`, width: 110, cell: ({ updated_at }) => <Ago at={updated_at} /> },
];

export function DatasetsPage({ user }: { user: User }) {
  const filters = useFilters();
  const reading = useQuery(datasetList({ limit: LIMIT, offset: offsetOf(filters) }));
  const [, navigate] = useLocation();
  return (
    <ListPage
      title={t`Datasets`}
      create={mayWrite(user) ? t`Create dataset` : undefined}
      renderDialog={(onClose) => (
        <DatasetForm
          title={t`Create dataset`}
          action={t`Create`}
          first={{ name: '', description: '' }}
          onSave={async (body) => {
            const { id } = await api.datasets.createDataset({ body });
            navigate(pathTo('datasets', id));
          }}
          onClose={onClose}
        />
      )}
    >
      <Loaded reading={reading}>
        {(page) =>
          page.count === 0 ? (
            <Empty title={t`No datasets yet`}>
              <p>
                <Trans>
                  A dataset collects inputs with the outputs you expect. Experiments run a prompt
                  and a model over them and score the outputs.
                </Trans>
              </p>
            </Empty>
          ) : (
            <PagedTable
              label={t`Datasets`}
              pages={t`Pages of datasets`}
              columns={columns}
              {...{ page, filters }}
              limit={LIMIT}
              rowKey={({ id }) => id}
              rowLink={pathOf}
              stale={reading.stale}
            />
          )
        }
      </Loaded>
    </ListPage>
  );
}
