import { formatMany } from '../format.ts';

/** How long users may pause capture, such as `up to 30 minutes`. */
export function pauseText(minutes: number | undefined): string {
  if (minutes === undefined) return 'inherited';
  return minutes === 0 ? 'not allowed' : `up to ${formatMany(minutes, 'minute')}`;
}
