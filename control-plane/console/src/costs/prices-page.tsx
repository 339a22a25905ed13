import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useState } from 'react';
import { unpriced } from '../data/analytics-sources.ts';
import { mayAdminister } from '../data/session.ts';
import type { User } from '../data/session.ts';
import { modelPrices } from '../data/settings-sources.ts';
import type { ModelPrice } from '../data/settings-sources.ts';
import { useQuery } from '../data/use-query.ts';
import { Select } from '../parts/choice.tsx';
import { CreateButton } from '../parts/create-button.tsx';
import { Empty, Loaded } from '../parts/notice.tsx';
import { Page, Pager } from '../parts/page.tsx';
import { SearchField } from '../parts/search-field.tsx';
import { offsetOf, useFilters } from '../use-filters.ts';
import { PriceForm } from './price-form.tsx';
import { matchingPrices, sourceNames } from './price-list.ts';
import { PricesTable } from './prices-table.tsx';
import { RecomputeCosts } from './recompute-costs.tsx';
import { UnpricedModels } from './unpriced-models.tsx';
import { api } from '../data/api.ts';
import { ConfirmDialog } from '../parts/confirm-dialog.tsx';
import { Text } from '../parts/text.tsx';

const ROWS = 50;

/**
 * Page with the price of every model and the tenant's own prices. `?model=…` opens the form of a
 * model.
 */
export function PricesPage({ user }: { user: User }) {
  const filters = useFilters();
  const prices = useQuery(modelPrices());
  const without = useQuery(unpriced());
  const [adding, setAdding] = useState(false);
  const [removing, setRemoving] = useState<ModelPrice>();
  const admin = mayAdminister(user);
  const model = filters.get('model');
  const refetch = async () => {
    await Promise.all([prices.refetch(), without.refetch()]);
  };
  const close = () => {
    setAdding(false);
    filters.set({ model: '' }, { replace: true });
  };
  return (
    <Page
      title={t`Model prices`}
      aside={admin && <CreateButton name={t`Add price`} onClick={() => setAdding(true)} />}
    >
      <p className="page-note muted">
        <Trans>
          US dollars per million tokens. A custom price takes precedence over the operator’s file
          and the price table. Costs that were already recorded stay as they are until they are
          recomputed.
        </Trans>
      </p>
      <UnpricedModels models={without.data ?? []} mayPrice={admin} />
      {admin && <RecomputeCosts onDone={without.refetch} />}
      <PriceList
        reading={prices}
        onEdit={admin ? (price) => filters.set({ model: price.model_id }) : undefined}
        onRemove={setRemoving}
      />
      {admin && (adding || model !== '') && prices.data && (
        <PriceForm
          key={model}
          model={model}
          prices={prices.data}
          onSaved={refetch}
          onClose={close}
        />
      )}
      {removing && (
        <DeletePrice price={removing} onDeleted={refetch} onClose={() => setRemoving(undefined)} />
      )}
    </Page>
  );
}

interface PriceListProps {
  reading: ReturnType<typeof useQuery<ModelPrice[]>>;
  onEdit: ((price: ModelPrice) => void) | undefined;
  onRemove: (price: ModelPrice) => void;
}

function PriceList({ reading, onEdit, onRemove }: PriceListProps) {
  const filters = useFilters();
  const offset = offsetOf(filters);
  return (
    <section className="section" aria-label={t`Prices`}>
      <h2>
        <Trans>Prices</Trans>
      </h2>
      <div className="toolbar">
        <SearchField
          label={t`Search models`}
          value={filters.get('q')}
          onChange={(q) => filters.set({ q })}
        />
        <Select
          label={t`Source`}
          all={t`All sources`}
          options={Object.entries(sourceNames).map(([id, name]) => ({ id, name }))}
          value={filters.get('source')}
          onChange={(source) => filters.set({ source })}
        />
      </div>
      <Loaded reading={reading}>
        {(all) => {
          const found = matchingPrices(all, filters.get('q'), filters.get('source'));
          if (found.length === 0)
            return (
              <Empty title={t`No model matches`}>
                <p>
                  <Trans>Change the search or the source, or add a price.</Trans>
                </p>
              </Empty>
            );
          return (
            <>
              <PricesTable
                prices={found.slice(offset, offset + ROWS)}
                onEdit={onEdit}
                onRemove={onRemove}
              />
              <Pager
                label={t`Pages of prices`}
                offset={offset}
                limit={ROWS}
                count={found.length}
                onMove={(offset) => filters.set({ offset: String(offset || '') })}
              />
            </>
          );
        }}
      </Loaded>
    </section>
  );
}

interface DeletePriceProps {
  price: ModelPrice;
  onDeleted: () => Promise<void>;
  onClose: () => void;
}

const DeletePrice = ({ price: { model_id }, onDeleted, onClose }: DeletePriceProps) => (
  <ConfirmDialog
    title={t`Remove custom price`}
    action={t`Remove`}
    onConfirm={() => api.costs.deleteModelCost({ params: { model_id } }).then(onDeleted)}
    onClose={onClose}
  >
    <p>
      <Trans>
        New calls of <Text>{model_id}</Text> get the price of the operator’s file or the price table
        again, or none if neither has one.
      </Trans>
    </p>
  </ConfirmDialog>
);
