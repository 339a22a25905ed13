import { Trans } from '@lingui/react/macro';
import { MAX_SORTED } from '#contract/filters.ts';
import { formatCount } from '../format.ts';
import { Notice } from '../parts/notice.tsx';

/** Says that a list has more rows than are sorted by another field than the time. */
export const SortedNotice = ({ rows }: { rows: string }) => (
  <Notice tone="warn">
    <Trans>
      Only the latest {formatCount(MAX_SORTED)} {rows} are sorted: narrow the time or another
      filter.
    </Trans>
  </Notice>
);
