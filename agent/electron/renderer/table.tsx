import type { ReactNode } from 'react';

interface TableProps {
  label: string;
  className: string;
  columns: readonly string[];
  rows: readonly { key: string; cells: readonly ReactNode[] }[];
}

/**
 * A table whose rows become blocks in a narrow window. Its roles are explicit: screen readers ignore
 * the role of a cell that is not laid out as a table cell.
 */
export function Table({ label, className, columns, rows }: TableProps) {
  return (
    // oxlint-disable jsx-a11y/no-redundant-roles
    <table role="table" aria-label={label} className={className}>
      <thead role="rowgroup">
        <tr role="row">
          {columns.map((name) => (
            <th key={name} scope="col" role="columnheader">
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody role="rowgroup">
        {rows.map(({ key, cells }) => (
          <tr key={key} role="row">
            {cells.map((cell, at) => (
              <td key={columns[at]} role="cell" data-column={columns[at]}>
                {cell}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
