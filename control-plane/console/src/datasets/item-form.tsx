import { Trans } from '@lingui/react/macro';
import { useState } from 'react';
import type { SubmitEvent } from 'react';
import type { NewItem } from '../data/dataset-sources.ts';
import { Dialog } from '../parts/dialog.tsx';
import { DialogActions } from '../parts/dialog-actions.tsx';
import { useAttempt } from '../parts/use-attempt.ts';
import { itemOf } from './item-draft.ts';
import type { ItemDraft, ItemErrors } from './item-draft.ts';
import { ItemFields } from './item-fields.tsx';

interface ItemFormProps {
  title: string;
  action: string;
  first: ItemDraft;
  readOnly?: boolean;
  onSave: (item: Pick<NewItem, 'input' | 'expected_output' | 'metadata'>) => Promise<unknown>;
  /** Archives or restores the item; absent for new items. */
  onArchive?: { name: string; act: () => Promise<unknown> };
  onClose: () => void;
}

/** Dialog that adds or changes an item. */
export function ItemForm(props: ItemFormProps) {
  const { title, action, first, readOnly = false, onSave, onArchive, onClose } = props;
  const [draft, setDraft] = useState(first);
  const [errors, setErrors] = useState<ItemErrors>({});
  const { error, busy, attempt } = useAttempt();
  const submit = async (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const read = itemOf(draft);
    setErrors(read.errors ?? {});
    if (read.errors || busy) return;
    if (await attempt(() => onSave(read.item))) onClose();
  };
  const archive = async () => {
    if (onArchive && (await attempt(onArchive.act))) onClose();
  };
  return (
    <Dialog title={title} onClose={onClose} wide>
      <form onSubmit={(event) => void submit(event)}>
        <fieldset className="plain-fieldset" disabled={readOnly}>
          <ItemFields draft={draft} errors={errors} onChange={setDraft} />
        </fieldset>
        {onArchive && !readOnly && (
          <div className="button-row">
            <button type="button" className="button" disabled={busy} onClick={() => void archive()}>
              {onArchive.name}
            </button>
          </div>
        )}
        {readOnly ? (
          <div className="dialog-actions">
            <button type="button" className="button" onClick={onClose}>
              <Trans>Close</Trans>
            </button>
          </div>
        ) : (
          <DialogActions error={error} action={action} onClose={onClose} />
        )}
      </form>
    </Dialog>
  );
}
