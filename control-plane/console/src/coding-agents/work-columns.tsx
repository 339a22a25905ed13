import { t } from '@lingui/core/macro';
import type { CodingWork } from '../data/coding-agent-sources.ts';
import { formatCount, formatCountInShort, formatMoneyInShort, NONE } from '../format.ts';
import type { Column } from '../parts/data-table.tsx';

/** The percentage of decided edits that were accepted; a dash if no edits were decided. */
export function acceptanceOf({ edits_accepted, edits_rejected }: CodingWork): string {
  const all = edits_accepted + edits_rejected;
  const percent = Math.round((edits_accepted / all) * 100);
  return all === 0 ? NONE : t`${percent} % of ${formatCount(all)}`;
}

export const linesOf = ({ lines_added, lines_removed }: CodingWork): string =>
  lines_added + lines_removed === 0
    ? NONE
    : `+${formatCountInShort(lines_added)} −${formatCountInShort(lines_removed)}`;

/** The columns that all tables of work share, after the name of the row. */
export const workColumns: readonly Column<CodingWork>[] = [
  { name: t`Sessions`, width: 92, align: 'end', cell: ({ sessions }) => formatCount(sessions) },
  { name: t`Prompts`, width: 92, align: 'end', cell: ({ prompts }) => formatCount(prompts) },
  { name: t`Edits accepted`, width: 138, align: 'end', cell: acceptanceOf },
  { name: t`Lines`, width: 124, align: 'end', cell: linesOf },
  {
    name: t`Tokens`,
    width: 104,
    align: 'end',
    wideOnly: true,
    cell: ({ tokens }) => formatCountInShort(tokens),
  },
  { name: t`Cost`, width: 106, align: 'end', cell: ({ cost }) => formatMoneyInShort(cost) },
];
