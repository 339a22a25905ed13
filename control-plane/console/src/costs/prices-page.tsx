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
import { DeletePrice } from './delete-price.tsx';
import { PriceForm } from './price-form.tsx';
import { matchingPrices, sourceNames } from './price-list.ts';
import { PricesTable } from './prices-table.tsx';
import { RecomputeCosts } from './recompute-costs.tsx';
import { UnpricedModels } from './unpriced-models.tsx';

const ROWS = 50;

/** The price of every model, and the tenant's own prices. `?model=…` opens the form of a model. */
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
      title="Model prices"
      aside={admin && <CreateButton name="Add price" onClick={() => setAdding(true)} />}
    >
      <p className="page-note muted">
        US dollars per million tokens. Your own price of a model comes before the operator’s file
        and the price table. Costs that were recorded before stay as they are until they are
        recomputed.
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
    <section className="section" aria-label="Prices">
      <h2>Prices</h2>
      <div className="toolbar">
        <SearchField
          label="Search models"
          value={filters.get('q')}
          onChange={(q) => filters.set({ q })}
        />
        <Select
          label="Source"
          all="All sources"
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
              <Empty title="No model matches">
                <p>Change the search or the source, or add a price.</p>
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
                label="Pages of prices"
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
