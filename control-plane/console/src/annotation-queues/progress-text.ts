import type { Progress } from '../data/annotation-queue-sources.ts';
import { formatCount } from '../format.ts';

export const progressText = ({ pending, completed, skipped }: Progress): string =>
  [
    `${formatCount(pending)} pending`,
    `${formatCount(completed)} completed`,
    `${formatCount(skipped)} skipped`,
  ].join(' · ');
