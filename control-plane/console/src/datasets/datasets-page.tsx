import { useState } from 'react';
import { Link, useLocation } from 'wouter';
import { api } from '../data/api.ts';
import { datasetList } from '../data/dataset-sources.ts';
import type { Dataset } from '../data/dataset-sources.ts';
import { mayWrite } from '../data/session.ts';
import type { User } from '../data/session.ts';
import { useQuery } from '../data/use-query.ts';
import { formatCount } from '../format.ts';
import { Clipped } from '../parts/badge.tsx';
import { Ago } from '../parts/clock.tsx';
import { CreateButton } from '../parts/create-button.tsx';
import { DataTable } from '../parts/data-table.tsx';
import type { Column } from '../parts/data-table.tsx';
import { Empty, Loaded } from '../parts/notice.tsx';
import { Page, Pager } from '../parts/page.tsx';
import { pathTo } from '../path-id.ts';
import { offsetOf, useFilters } from '../use-filters.ts';
import { DatasetForm } from './dataset-form.tsx';

const LIMIT = 50;
const pathOf = ({ id }: Dataset) => pathTo('datasets', id);
const number = { width: 110, align: 'end' } as const;

const columns: Column<Dataset>[] = [
  {
    name: 'Dataset',
    width: '28%',
    cell: (dataset) => (
      <Link to={pathOf(dataset)} className="row-link">
        <Clipped text={dataset.name} />
      </Link>
    ),
  },
  {
    name: 'Description',
    wideOnly: true,
    cell: ({ description }) => (
      <span className="muted">
        <Clipped text={description} />
      </span>
    ),
  },
  { name: 'Items', ...number, cell: ({ item_count }) => formatCount(item_count) },
  { name: 'Experiments', ...number, cell: ({ experiment_count }) => formatCount(experiment_count) },
  { name: 'Changed', width: 110, cell: ({ updated_at }) => <Ago at={updated_at} /> },
];

export function DatasetsPage({ user }: { user: User }) {
  const filters = useFilters();
  const offset = offsetOf(filters);
  const reading = useQuery(datasetList({ limit: LIMIT, offset }));
  const [creating, setCreating] = useState(false);
  const [, navigate] = useLocation();
  return (
    <Page
      title="Datasets"
      aside={
        mayWrite(user) && <CreateButton name="Create dataset" onClick={() => setCreating(true)} />
      }
    >
      <Loaded reading={reading}>
        {({ results, count }) =>
          count === 0 ? (
            <Empty title="No datasets yet">
              <p>
                A dataset collects inputs with the outputs you expect. Experiments run a prompt and
                a model over them and score the outputs.
              </p>
            </Empty>
          ) : (
            <>
              <DataTable
                label="Datasets"
                columns={columns}
                rows={results}
                rowKey={({ id }) => id}
                rowLink={pathOf}
                stale={reading.stale}
              />
              <Pager
                label="Pages of datasets"
                {...{ offset, count }}
                limit={LIMIT}
                onMove={(to) => filters.set({ offset: to === 0 ? '' : String(to) })}
              />
            </>
          )
        }
      </Loaded>
      {creating && (
        <DatasetForm
          title="Create dataset"
          action="Create"
          first={{ name: '', description: '' }}
          onSave={async (body) => {
            const { id } = await api.datasets.createDataset({ body });
            navigate(pathTo('datasets', id));
          }}
          onClose={() => setCreating(false)}
        />
      )}
    </Page>
  );
}
