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
  /** Rows that the filter matches; undefined until it is known. */
  count: number | undefined;
  /** More are not exported at once. */
  most?: number;
  /** Rows that match, in words, where the page says it nowhere else. */
  total?: string | undefined;
  /** The path of the route of the file. */
  path: string;
  /** Its query when it is downloaded: it may depend on the time. */
  query: () => Parameters<typeof exportAddress>[1];
}

/** Controls of a whole list: its saved views, its columns, its file. */
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

/** The address of a file with the rows of a list: its route with these query parameters. */
export function exportAddress(
  path: string,
  query: Readonly<Record<string, string | number | readonly string[] | undefined>>,
): string {
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(query))
    for (const one of [value ?? []].flat()) params.append(name, String(one));
  return `${path}?${params}`;
}
