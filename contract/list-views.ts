import { z } from 'zod';
import { flag, jsonStrings, timestamp } from './fields.ts';
import { routes } from './route.ts';

/** The lists of the console for which views can be saved. */
export const viewedLists = [
  'runs',
  'llm-calls',
  'sessions',
  'end-users',
  'scores',
  'devices',
  'apps',
  'installations',
  'flows',
  'captures',
  'audit',
  'incidents',
] as const;
export type ViewedList = (typeof viewedLists)[number];

const name = z.string().trim().min(1, 'expected a name').max(100);
const query = z
  .string()
  .max(4000)
  .meta({ description: 'filters and order, as in the URL of the list' });
const columns = jsonStrings
  .nullable()
  .meta({ description: 'ids of the columns shown; null: those of the reader' });
const isShared = flag.meta({ description: 'every user of the tenant sees it' });

export const listView = z.object({
  id: z.string(),
  list: z.enum(viewedLists),
  name: z.string(),
  query: z.string(),
  columns,
  is_shared: isShared,
  is_default: flag.meta({ description: 'the list opens with it, for the caller' }),
  owner: z.string().nullable().meta({ description: 'email; null: the user was deleted' }),
  may_change: flag.meta({ description: 'the caller may rename, share and delete it' }),
  updated_at: timestamp,
});

const BASE_PATH = '/api/v1/observability/list-views/';
const session = { auth: 'session', role: 'viewer', errors: 'text' } as const;
const oneView = z.object({ view_id: z.string() });

/**
 * A view can be changed by its owner, and by administrators if it is shared. Analysts may share.
 */
export const listViewRoutes = routes({
  listViews: {
    ...session,
    method: 'GET',
    path: BASE_PATH,
    summary: 'List the saved views of a list: one’s own and the shared ones, by name',
    query: z.object({ list: z.enum(viewedLists) }),
    response: z.object({ results: z.array(listView) }),
  },
  createView: {
    ...session,
    method: 'POST',
    path: BASE_PATH,
    summary: 'Save a view of a list',
    status: 201,
    body: z.strictObject({
      list: z.enum(viewedLists),
      name,
      query,
      columns: columns.default(null),
      is_shared: isShared.default(0),
    }),
    response: listView,
  },
  updateView: {
    ...session,
    method: 'PATCH',
    path: `${BASE_PATH}{view_id}/`,
    summary: 'Rename, share or change a saved view',
    params: oneView,
    body: z.strictObject({
      name: name.optional(),
      query: query.optional(),
      columns: columns.optional(),
      is_shared: isShared.optional(),
    }),
    response: listView,
  },
  deleteView: {
    ...session,
    method: 'DELETE',
    path: `${BASE_PATH}{view_id}/`,
    summary: 'Delete a saved view',
    params: oneView,
    status: 204,
    response: z.undefined(),
  },
  setDefaultView: {
    ...session,
    method: 'PUT',
    path: `${BASE_PATH}default/{list}/`,
    summary: 'Choose the view that a list opens with, for oneself',
    params: z.object({ list: z.enum(viewedLists) }),
    body: z.strictObject({ view_id: z.string().nullable().meta({ description: 'null: none' }) }),
    status: 204,
    response: z.undefined(),
  },
});
