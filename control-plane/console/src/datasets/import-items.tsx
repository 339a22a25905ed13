import { plural, t } from '@lingui/core/macro';
import { useState } from 'react';
import type { SubmitEvent } from 'react';
import { MAX_ITEMS_ADDED } from '#contract/datasets.ts';
import { api } from '../data/api.ts';
import type { Dataset, NewItem } from '../data/dataset-sources.ts';
import { formatCount } from '../format.ts';
import { Dialog } from '../parts/dialog.tsx';
import { DialogActions } from '../parts/dialog-actions.tsx';
import { FormField } from '../parts/form-field.tsx';
import { useAttempt } from '../parts/use-attempt.ts';
import { readItems } from './read-items.ts';

/** Characters per request, well below the limit of ten million bytes. */
const MAX_CHARACTERS = 2_000_000;

interface ImportItemsProps {
  dataset: Dataset;
  onAdded: () => Promise<void>;
  onClose: () => void;
}

/** Dialog that adds the items of a CSV or JSON Lines file. */
export function ImportItems({ dataset, onAdded, onClose }: ImportItemsProps) {
  const [read, setRead] = useState<ReturnType<typeof readItems>>();
  const [added, setAdded] = useState(0);
  const { error, busy, attempt } = useAttempt();
  const items = read && 'items' in read ? read.items : [];
  const choose = async (file: File | undefined) => {
    setRead(file && readItems(file.name, await file.text()));
    setAdded(0);
  };
  const add = async () => {
    // After an error, a new attempt skips the items that have been added.
    for (const batch of batchesOf(items.slice(added))) {
      const params = { dataset_id: dataset.id };
      await api.datasets.addDatasetItems({ params, body: { items: batch } });
      setAdded((before) => before + batch.length);
    }
  };
  const submit = async (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (busy || items.length === 0) return;
    const isAdded = await attempt(add);
    await onAdded();
    if (isAdded) onClose();
  };
  return (
    <Dialog title={t`Import items`} onClose={onClose}>
      <form onSubmit={(event) => void submit(event)}>
        <FormField
          label={t`File`}
          hint={t`CSV with a header, or JSON Lines. CSV columns are variables, except expected_output and metadata; JSON lines have input, expected_output and metadata.`}
          error={read && 'error' in read ? read.error : undefined}
        >
          {(control) => (
            <input
              {...control}
              type="file"
              accept=".csv,.jsonl,.ndjson,text/csv"
              required
              onChange={({ target }) => void choose(target.files?.[0])}
            />
          )}
        </FormField>
        <p role="status" className="muted">
          {busy || added > 0
            ? t`${formatCount(added)} of ${plural(items.length, { one: '# item', other: '# items' })} added`
            : items.length > 0 &&
              t`${plural(items.length, { one: '# item', other: '# items' })} in the file`}
        </p>
        <DialogActions error={error} action={t`Import`} onClose={onClose} />
      </form>
    </Dialog>
  );
}

/** Splits the items into batches that fit into a request. */
function batchesOf(items: readonly NewItem[]): NewItem[][] {
  const batches: NewItem[][] = [];
  let batch: NewItem[] = [];
  let length = 0;
  for (const item of items) {
    const more = JSON.stringify(item).length;
    const isFull = batch.length === MAX_ITEMS_ADDED || length + more > MAX_CHARACTERS;
    if (isFull && batch.length > 0) {
      batches.push(batch);
      batch = [];
      length = 0;
    }
    batch.push(item);
    length += more;
  }
  return batch.length > 0 ? [...batches, batch] : batches;
}
