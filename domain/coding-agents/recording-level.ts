import type { RecordingLevel } from '#contract/guard.ts';

/** What coding agents report, and the base URL of the OTLP routes to which they send. */
export interface RecordingTarget {
  level: RecordingLevel;
  endpoint: string;
}

type Level = Pick<RecordingTarget, 'level'>;

export const recordsPrompts = ({ level }: Level): boolean => level !== 'metadata';

export const recordsTools = ({ level }: Level): boolean => level === 'tools';
