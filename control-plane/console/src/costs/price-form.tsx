import { t } from '@lingui/core/macro';
import { useState } from 'react';
import type { SubmitEvent } from 'react';
import { api } from '../data/api.ts';
import type { ModelPrice } from '../data/settings-sources.ts';
import { DialogActions } from '../parts/dialog-actions.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { FormField } from '../parts/form-field.tsx';
import { TextField } from '../parts/text-field.tsx';
import { useAttempt } from '../parts/use-attempt.ts';
import { rateOf } from './price-list.ts';

interface PriceFormProps {
  /** The model whose price is set; empty if the user types its name. */
  model: string;
  prices: readonly ModelPrice[];
  onSaved: () => Promise<void>;
  onClose: () => void;
}

const fields = [
  ['input_cost_per_million', t`Input, $ per million tokens`, true],
  ['output_cost_per_million', t`Output, $ per million tokens`, true],
  ['cache_read_cost_per_million', t`Cache read`, false],
  ['cache_write_cost_per_million', t`Cache write`, false],
] as const;

type Typed = Record<(typeof fields)[number][0], string>;

/**
 * The initial values of the form. Inherited cache rates stay empty, so that they keep their ratio
 * to the input rate.
 */
function typedOf(price: ModelPrice | undefined): Typed {
  const text = (rate: number | undefined) => rate?.toString() ?? '';
  const own = price?.is_override ? price : undefined;
  return {
    input_cost_per_million: text(price?.input_cost_per_million),
    output_cost_per_million: text(price?.output_cost_per_million),
    cache_read_cost_per_million: text(own?.cache_read_cost_per_million),
    cache_write_cost_per_million: text(own?.cache_write_cost_per_million),
  };
}

/** Form for the tenant's own price of a model. */
export function PriceForm({ model, prices, onSaved, onClose }: PriceFormProps) {
  const [name, setName] = useState(model);
  const [typed, setTyped] = useState(() =>
    typedOf(prices.find(({ model_id }) => model_id === model)),
  );
  const { error, attempt } = useAttempt();
  const submit = async (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const saved = await attempt(async () => {
      await api.costs.putModelCost({
        params: { model_id: name.trim() },
        body: {
          input_cost_per_million: rateOf(typed.input_cost_per_million) ?? 0,
          output_cost_per_million: rateOf(typed.output_cost_per_million) ?? 0,
          cache_read_cost_per_million: rateOf(typed.cache_read_cost_per_million) ?? null,
          cache_write_cost_per_million: rateOf(typed.cache_write_cost_per_million) ?? null,
        },
      });
      await onSaved();
    });
    if (saved) onClose();
  };
  return (
    <Dialog title={model === '' ? t`Add price` : t`Set price`} onClose={onClose}>
      <form onSubmit={(event) => void submit(event)}>
        <TextField
          label={t`Model`}
          hint={t`As it is recorded, such as openai/gpt-4o.`}
          className="field mono"
          required
          maxLength={200}
          readOnly={model !== ''}
          value={name}
          onChange={setName}
        />
        <div className="form-grid">
          {fields.map(([field, label, required]) => (
            <FormField
              key={field}
              label={label}
              hint={required ? undefined : t`Leave empty to derive it from the input rate.`}
            >
              {(control) => (
                <input
                  className="field"
                  type="number"
                  min={0}
                  max={1_000_000}
                  step="any"
                  required={required}
                  value={typed[field]}
                  onChange={({ target }) => setTyped({ ...typed, [field]: target.value })}
                  {...control}
                />
              )}
            </FormField>
          ))}
        </div>
        <DialogActions error={error} action={t`Save price`} onClose={onClose} />
      </form>
    </Dialog>
  );
}
