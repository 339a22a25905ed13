import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useState } from 'react';
import type { SubmitEvent } from 'react';
import type { ListView, ViewedList } from '../data/list-view-sources.ts';
import { mayWrite, readSession } from '../data/session.ts';
import { Dialog } from '../parts/dialog.tsx';
import { DialogActions } from '../parts/dialog-actions.tsx';
import { TextField } from '../parts/text-field.tsx';
import { useAttempt } from '../parts/use-attempt.ts';
import { api } from '../data/api.ts';

interface EditViewProps {
  list: ViewedList;
  /** Undefined for a new view. */
  view: ListView | undefined;
  shown: Shown;
  onChanged: () => void;
  onClose: () => void;
}

/** Dialog that saves, renames, shares or deletes a view. */
export function EditView({ list, view, shown, onChanged, onClose }: EditViewProps) {
  const [draft, setDraft] = useState(() => draftOf(view));
  const { error, busy, attempt } = useAttempt();
  const run = async (action: () => Promise<unknown>) => {
    if (!(await attempt(action))) return;
    onChanged();
    onClose();
  };
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    void run(() => saveView(list, view, draft, shown));
  };
  return (
    <Dialog title={view ? t`Saved view` : t`Save view`} onClose={onClose}>
      <form onSubmit={submit}>
        <ViewFields
          view={view}
          draft={draft}
          onChange={(changes) => setDraft({ ...draft, ...changes })}
        />
        {view?.may_change && (
          <button
            type="button"
            className="button danger"
            disabled={busy}
            onClick={() => void run(() => deleteView(view))}
          >
            <Trans>Delete view</Trans>
          </button>
        )}
        <DialogActions error={error} action={t`Save`} onClose={onClose} />
      </form>
    </Dialog>
  );
}

interface ViewFieldsProps {
  view: ListView | undefined;
  draft: ViewDraft;
  onChange: (changes: Partial<ViewDraft>) => void;
}

function ViewFields({ view, draft, onChange }: ViewFieldsProps) {
  const mayChange = view?.may_change ?? true;
  return (
    <>
      <TextField
        label={t`Name`}
        required
        maxLength={100}
        disabled={!mayChange}
        value={draft.name}
        onChange={(value) => onChange({ name: value })}
      />
      {mayChange && mayShare() && (
        <Check
          label={t`Shared with all members`}
          checked={draft.is_shared}
          onChange={(is_shared) => onChange({ is_shared })}
        />
      )}
      <Check
        label={t`Open this list with this view`}
        checked={draft.is_default}
        onChange={(is_default) => onChange({ is_default })}
      />
      {view?.may_change && (
        <Check
          label={t`Replace its filters and columns with the current ones`}
          checked={draft.replaces}
          onChange={(replaces) => onChange({ replaces })}
        />
      )}
    </>
  );
}

function mayShare(): boolean {
  const session = readSession();
  return session.status === 'signed-in' && mayWrite(session.user);
}

interface CheckProps {
  label: string;
  checked: boolean;
  onChange: (checked: boolean) => void;
}

const Check = ({ label, checked, onChange }: CheckProps) => (
  <label className="menu-check">
    <input type="checkbox" checked={checked} onChange={(event) => onChange(event.target.checked)} />
    {label}
  </label>
);

interface ViewDraft {
  name: string;
  is_shared: boolean;
  is_default: boolean;
  /** Whether the view is overwritten with what the list currently shows. */
  replaces: boolean;
}

/** The filter and the columns of the list. */
interface Shown {
  query: string;
  columns: string[] | null;
}

const draftOf = (view: ListView | undefined): ViewDraft => ({
  name: view?.name ?? '',
  is_shared: view?.is_shared ?? false,
  is_default: view?.is_default ?? false,
  replaces: view === undefined,
});

/** Stores a new view or the changes of an existing one. */
async function saveView(
  list: ViewedList,
  view: ListView | undefined,
  draft: ViewDraft,
  shown: Shown,
): Promise<void> {
  const id = await storeView(list, view, draft, shown);
  if (draft.is_default === (view?.is_default ?? false)) return;
  const body = { view_id: draft.is_default ? id : null };
  await api.listViews.setDefaultView({ params: { list }, body });
}

async function storeView(
  list: ViewedList,
  view: ListView | undefined,
  { name, is_shared, replaces }: ViewDraft,
  shown: Shown,
): Promise<string> {
  if (!view)
    return (await api.listViews.createView({ body: { list, name, is_shared, ...shown } })).id;
  const body = { name, is_shared, ...(replaces && shown) };
  if (view.may_change) await api.listViews.updateView({ params: { view_id: view.id }, body });
  return view.id;
}

const deleteView = ({ id }: ListView): Promise<unknown> =>
  api.listViews.deleteView({ params: { view_id: id } });
