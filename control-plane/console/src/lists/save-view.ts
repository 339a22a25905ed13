import { api } from '../data/api.ts';
import type { ListView, ViewedList } from '../data/list-view-sources.ts';

export interface ViewDraft {
  name: string;
  is_shared: boolean;
  is_default: boolean;
  /** The view gets what the list shows now. */
  replaces: boolean;
}

/** What the list shows. */
export interface Shown {
  query: string;
  columns: string[] | null;
}

export const draftOf = (view: ListView | undefined): ViewDraft => ({
  name: view?.name ?? '',
  is_shared: view?.is_shared ?? false,
  is_default: view?.is_default ?? false,
  replaces: view === undefined,
});

/** Stores a new view, or what has changed of one. */
export async function saveView(
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

export const deleteView = ({ id }: ListView): Promise<unknown> =>
  api.listViews.deleteView({ params: { view_id: id } });
