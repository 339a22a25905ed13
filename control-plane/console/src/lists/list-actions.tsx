import type { ReactNode } from 'react';
import { MAX_EXPORTED } from '#contract/filters.ts';
import type { ViewedList } from '../data/list-view-sources.ts';
import type { ListColumn } from './columns.ts';
import { ColumnMenu, ExportMenu } from './list-controls.tsx';
import { ViewMenu } from './view-menu.tsx';
import './list-actions.css';

/** Controls that wrap together. */
export const ActionGroup = ({ children }: { children: ReactNode }) => (
  <div className="list-actions">{children}</div>
);

interface ListActionsProps {
  list: ViewedList;
  columns: readonly Pick<ListColumn<never>, 'id' | 'label' | 'hidden'>[];
  /** Number of rows that match the filter; undefined until it is known. */
  count: number | undefined;
  /** Maximum number of rows in one export. */
  most?: number;
  /** Describes the number of matching rows; only set if the page does not show it elsewhere. */
  total?: string | undefined;
  /** Path of the export route. */
  path: string;
  /** Returns the query at the time of the download, because it may depend on the time. */
  query: () => Parameters<typeof exportAddress>[1];
}

/** Controls for a whole list: saved views, columns and export. */
export const ListActions = ({ list, columns, total, ...file }: ListActionsProps) => (
  <ActionGroup>
    {total !== undefined && <span className="muted">{total}</span>}
    <ViewMenu list={list} />
    <ColumnMenu list={list} columns={columns} />
    <ExportMenu
      count={file.count}
      most={file.most ?? MAX_EXPORTED}
      address={(format) => exportAddress(file.path, { ...file.query(), format })}
    />
  </ActionGroup>
);

/** URL of the export of a list: the route with these query parameters. */
export function exportAddress(
  path: string,
  query: Readonly<Record<string, string | number | readonly string[] | undefined>>,
): string {
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(query))
    for (const one of [value ?? []].flat()) params.append(name, String(one));
  return `${path}?${params}`;
}
