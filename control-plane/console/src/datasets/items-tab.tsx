import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useState } from 'react';
import { Link } from 'wouter';
import { api } from '../data/api.ts';
import { itemDetail, itemList } from '../data/dataset-sources.ts';
import type { Dataset, ListedItem } from '../data/dataset-sources.ts';
import { useQuery } from '../data/use-query.ts';
import { NONE } from '../format.ts';
import { PlusIcon } from '../icons.tsx';
import { Clipped } from '../parts/badge.tsx';
import { Ago } from '../parts/clock.tsx';
import { Choice } from '../parts/choice.tsx';
import { DataTable } from '../parts/data-table.tsx';
import type { Column } from '../parts/data-table.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { Empty, Loaded } from '../parts/notice.tsx';
import { Pager } from '../parts/page.tsx';
import { offsetOf } from '../use-filters.ts';
import type { Filters } from '../use-filters.ts';
import { ImportItems } from './import-items.tsx';
import { contentOfItem, draftOfItem, emptyItem } from './item-draft.ts';
import { ItemForm } from './item-form.tsx';

const LIMIT = 50;

const states = [
  { id: 'active', name: t`Active` },
  { id: 'archived', name: t`Archived` },
] as const;

interface ItemsTabProps {
  dataset: Dataset;
  filters: Filters;
  /** Whether the user may change items. */
  changes: boolean;
  onChanged: () => void;
}

/** Table of the items of a dataset, in the order in which they were added. */
export function ItemsTab({ dataset, filters, changes, onChanged }: ItemsTabProps) {
  const state = filters.get('state') === 'archived' ? 'archived' : 'active';
  const offset = offsetOf(filters);
  const reading = useQuery(itemList(dataset.id, { limit: LIMIT, offset, state }));
  const [open, setOpen] = useState<'add' | 'import' | ListedItem>();
  const close = () => setOpen(undefined);
  const changed = async () => {
    await reading.refetch();
    onChanged();
  };
  return (
    <>
      <div className="toolbar">
        {changes && (
          <>
            <button type="button" className="button" onClick={() => setOpen('add')}>
              <PlusIcon />
              <Trans>Add item</Trans>
            </button>
            <button type="button" className="button" onClick={() => setOpen('import')}>
              <Trans>Import…</Trans>
            </button>
          </>
        )}
        {(dataset.archived_count > 0 || state === 'archived') && (
          <Choice
            label={t`Items`}
            options={states}
            value={state}
            onChange={(state) => filters.set({ state: state === 'active' ? '' : state })}
          />
        )}
      </div>
      <Loaded reading={reading}>
        {({ results, count }) =>
          count === 0 ? (
            <NoItems archived={state === 'archived'} />
          ) : (
            <>
              <DataTable
                label={t`Items`}
                columns={columnsFor(setOpen)}
                rows={results}
                rowKey={({ id }) => id}
                stale={reading.stale}
              />
              <Pager
                label={t`Pages of items`}
                {...{ offset, count }}
                limit={LIMIT}
                onMove={(to) => filters.set({ offset: to === 0 ? '' : String(to) })}
              />
            </>
          )
        }
      </Loaded>
      {open === 'add' && (
        <ItemForm
          title={t`Add item`}
          action={t`Add`}
          first={emptyItem}
          onSave={async (item) => {
            const body = { items: [item] };
            await api.datasets.addDatasetItems({ params: { dataset_id: dataset.id }, body });
            await changed();
          }}
          onClose={close}
        />
      )}
      {open === 'import' && <ImportItems dataset={dataset} onAdded={changed} onClose={close} />}
      {typeof open === 'object' && (
        <EditItem {...{ dataset, changes }} item={open} onChanged={changed} onClose={close} />
      )}
    </>
  );
}

const NoItems = ({ archived }: { archived: boolean }) => (
  <Empty title={archived ? t`No archived items` : t`No items yet`}>
    {!archived && (
      <p>
        <Trans>
          Add items here, import a file, or open an <Link to="/llm-calls">LLM call</Link> and choose{' '}
          <i>Add to dataset</i>.
        </Trans>
      </p>
    )}
  </Empty>
);

const columnsFor = (onOpen: (item: ListedItem) => void): Column<ListedItem>[] => [
  {
    name: t`Input`,
    cell: (item) => (
      <button type="button" className="link clipped" onClick={() => onOpen(item)}>
        <Clipped text={item.input_preview || t`Item ${item.position}`} />
      </button>
    ),
  },
  {
    name: t`Expected output`,
    width: '34%',
    cell: ({ expected_preview }) => <Clipped text={expected_preview ?? NONE} />,
  },
  {
    name: t`LLM call`,
    width: 110,
    wideOnly: true,
    cell: ({ llm_call_id }) =>
      llm_call_id === null ? (
        NONE
      ) : (
        <Link to={`/llm-calls/${llm_call_id}`}>
          <Trans>Call {llm_call_id}</Trans>
        </Link>
      ),
  },
  { name: t`Changed`, width: 110, cell: ({ updated_at }) => <Ago at={updated_at} /> },
];

interface EditItemProps {
  dataset: Dataset;
  item: ListedItem;
  changes: boolean;
  onChanged: () => Promise<void>;
  onClose: () => void;
}

function EditItem({ dataset, item, changes, onChanged, onClose }: EditItemProps) {
  const reading = useQuery(itemDetail(dataset.id, item.id));
  const params = { dataset_id: dataset.id, item_id: item.id };
  const title = t`Item ${item.position}`;
  const update = async (body: Parameters<typeof api.datasets.updateDatasetItem>[0]['body']) => {
    await api.datasets.updateDatasetItem({ params, body });
    await reading.refetch();
    await onChanged();
  };
  // The form keeps its initial values, so it is shown only once the current item has loaded.
  if (reading.data === undefined)
    return (
      <Dialog title={title} onClose={onClose} wide>
        <Loaded reading={reading}>{() => null}</Loaded>
      </Dialog>
    );
  return (
    <ItemForm
      key={reading.data.updated_at}
      title={title}
      action={t`Save`}
      first={draftOfItem(contentOfItem(reading.data))}
      readOnly={!changes}
      onSave={update}
      onArchive={{
        name: item.archived_at === null ? t`Archive item` : t`Restore item`,
        act: () => update({ archived: item.archived_at === null }),
      }}
      onClose={onClose}
    />
  );
}
