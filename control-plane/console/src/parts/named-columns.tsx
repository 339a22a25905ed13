import { t } from '@lingui/core/macro';
import { Link } from 'wouter';
import { Clipped } from './badge.tsx';
import type { Column } from './data-table.tsx';

interface Named {
  name: string;
  description: string;
}

/**
 * The first two columns of a list whose items have pages: the name as a link, and the description.
 */
export const namedColumns = <Row extends Named>(
  title: string,
  width: Column<Row>['width'],
  pathOf: (row: Row) => string,
): Column<Row>[] => [
  {
    name: title,
    width,
    cell: (row) => (
      <Link to={pathOf(row)} className="row-link">
        <Clipped text={row.name} />
      </Link>
    ),
  },
  {
    name: t`Description`,
    wideOnly: true,
    cell: ({ description }) => (
      <span className="muted">
        <Clipped text={description} />
      </span>
    ),
  },
];
