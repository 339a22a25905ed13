import { t } from '@lingui/core/macro';
import { Plural, Trans } from '@lingui/react/macro';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { api } from '../data/api.ts';
import { datasetDetail } from '../data/dataset-sources.ts';
import type { Dataset } from '../data/dataset-sources.ts';
import { mayWrite } from '../data/session.ts';
import type { User } from '../data/session.ts';
import { useQuery } from '../data/use-query.ts';
import type { QueryResult } from '../data/use-query.ts';
import { ExperimentsTab } from '../experiments/experiments-tab.tsx';
import { formatCount } from '../format.ts';
import { ConfirmDialog } from '../parts/confirm-dialog.tsx';
import { Loaded } from '../parts/notice.tsx';
import { Page } from '../parts/page.tsx';
import { Tabs } from '../parts/tabs.tsx';
import { Text } from '../parts/text.tsx';
import { useFilters } from '../use-filters.ts';
import { DatasetForm } from './dataset-form.tsx';
import { ItemsTab } from './items-tab.tsx';

export function DatasetPage({ id, user }: { id: string; user: User }) {
  const reading = useQuery(datasetDetail(id));
  const dataset = reading.data;
  return (
    <Page
      title={dataset?.name ?? t`Dataset`}
      parent={{ name: t`Datasets`, to: '/datasets' }}
      aside={mayWrite(user) && dataset && <Actions dataset={dataset} onChanged={reading.refetch} />}
    >
      <Loaded reading={reading}>
        {(dataset) => (
          <>
            {dataset.description && (
              <p className="page-note whole" role="group" aria-label={t`Description`} tabIndex={0}>
                <Text>{dataset.description}</Text>
              </p>
            )}
            <DatasetTabs dataset={dataset} reading={reading} changes={mayWrite(user)} />
          </>
        )}
      </Loaded>
    </Page>
  );
}

interface DatasetTabsProps {
  dataset: Dataset;
  reading: QueryResult<Dataset>;
  changes: boolean;
}

function DatasetTabs({ dataset, reading, changes }: DatasetTabsProps) {
  const filters = useFilters();
  const current = filters.get('tab') === 'experiments' ? 'experiments' : 'items';
  const tabs = [
    { id: 'items', name: t`Items`, count: formatCount(dataset.item_count) },
    { id: 'experiments', name: t`Experiments`, count: formatCount(dataset.experiment_count) },
  ] as const;
  return (
    <Tabs
      label={t`Dataset`}
      tabs={tabs}
      current={current}
      onChoose={(tab) => filters.set({ tab: tab === 'items' ? '' : tab, state: '' })}
    >
      {current === 'items' ? (
        <ItemsTab {...{ dataset, filters, changes }} onChanged={() => void reading.refetch()} />
      ) : (
        <ExperimentsTab {...{ dataset, filters, changes }} />
      )}
    </Tabs>
  );
}

interface ActionsProps {
  dataset: Dataset;
  onChanged: () => Promise<void>;
}

function Actions({ dataset, onChanged }: ActionsProps) {
  const [open, setOpen] = useState<'edit' | 'delete'>();
  const [, navigate] = useLocation();
  const params = { dataset_id: dataset.id };
  const close = () => setOpen(undefined);
  return (
    <div className="button-row">
      <button type="button" className="button" onClick={() => setOpen('edit')}>
        <Trans>Edit…</Trans>
      </button>
      <button type="button" className="button danger" onClick={() => setOpen('delete')}>
        <Trans>Delete…</Trans>
      </button>
      {open === 'edit' && (
        <DatasetForm
          title={t`Edit dataset`}
          action={t`Save`}
          first={dataset}
          onSave={async (body) => {
            await api.datasets.updateDataset({ params, body });
            await onChanged();
          }}
          onClose={close}
        />
      )}
      {open === 'delete' && (
        <ConfirmDialog
          title={t`Delete ${dataset.name}?`}
          action={t`Delete dataset`}
          onConfirm={async () => {
            await api.datasets.deleteDataset({ params });
            navigate('/datasets');
          }}
          onClose={close}
        >
          <p>
            <Trans>
              <Plural
                value={dataset.item_count + dataset.archived_count}
                one="# item"
                other="# items"
              />{' '}
              and{' '}
              <Plural value={dataset.experiment_count} one="# experiment" other="# experiments" />{' '}
              with their results are deleted. This cannot be undone.
            </Trans>
          </p>
        </ConfirmDialog>
      )}
    </div>
  );
}
