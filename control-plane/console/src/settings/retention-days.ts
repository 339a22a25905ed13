import type { RecordingSettings } from '../data/settings-sources.ts';

export type Days = Pick<RecordingSettings, 'retention_days' | 'capture_retention_days'>;

export const textOf = (days: number | null): string => days?.toString() ?? '';

export const daysOf = (text: string): number | null => (text.trim() === '' ? null : Number(text));

/** Whether the change deletes data that the current settings keep. */
export const deletesMore = (before: Days, after: Days): boolean =>
  isShorter(before.retention_days, after.retention_days) ||
  isShorter(capturesOf(before), capturesOf(after));

const capturesOf = ({ retention_days, capture_retention_days }: Days): number | null =>
  capture_retention_days ?? retention_days;

const isShorter = (before: number | null, after: number | null): boolean =>
  (after ?? Infinity) < (before ?? Infinity);
