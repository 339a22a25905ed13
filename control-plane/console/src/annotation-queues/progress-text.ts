import { t } from '@lingui/core/macro';
import type { Progress } from '../data/annotation-queue-sources.ts';
import { formatCount } from '../format.ts';

export const progressText = ({ pending, completed, skipped }: Progress): string =>
  [
    t`${formatCount(pending)} pending`,
    t`${formatCount(completed)} completed`,
    t`${formatCount(skipped)} skipped`,
  ].join(' · ');
