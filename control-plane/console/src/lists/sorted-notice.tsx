import { t } from '@lingui/core/macro';
import { MAX_SORTED } from '#contract/filters.ts';
import { formatCount } from '../format.ts';
import { Notice } from '../parts/notice.tsx';

const most = formatCount(MAX_SORTED);

const notices = {
  entries: t`Only the latest ${most} entries are sorted: narrow the time or another filter.`,
  flows: t`Only the latest ${most} flows are sorted: narrow the time or another filter.`,
  captures: t`Only the latest ${most} captures are sorted: narrow the time or another filter.`,
} as const;

/** Notice that a list has too many rows for sorting all of them by this field. */
export const SortedNotice = ({ rows }: { rows: keyof typeof notices }) => (
  <Notice tone="warn">{notices[rows]}</Notice>
);
