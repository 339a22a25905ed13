import { t } from '@lingui/core/macro';
import type { GivenScore, ScoreConfig } from '../data/annotation-queue-sources.ts';

/**
 * The values of an item as text, by score name. An empty or absent value means that no score is
 * given.
 */
export type ReviewDraft = Readonly<Record<string, string>>;

export const draftOfGiven = (given: readonly GivenScore[]): ReviewDraft =>
  Object.fromEntries(given.map(({ name, value }) => [name, String(value)]));

export const hasValue = (draft: ReviewDraft, { name }: ScoreConfig): boolean =>
  (draft[name] ?? '') !== '';

/** The body to send. Values of scores that the queue no longer has are omitted. */
export const givenScoresOf = (configs: readonly ScoreConfig[], draft: ReviewDraft): GivenScore[] =>
  configs
    .filter((config) => hasValue(draft, config))
    .map((config) => ({ name: config.name, value: valueOf(config, draft[config.name] ?? '') }));

function valueOf({ data_type }: ScoreConfig, text: string): GivenScore['value'] {
  if (data_type === 'numeric') return Number(text);
  return data_type === 'boolean' ? text === 'true' : text;
}

export interface Option {
  value: string;
  name: string;
}

const booleans: Option[] = [
  { value: 'true', name: t`True` },
  { value: 'false', name: t`False` },
];

/** The values to choose from; undefined if the score is a number to type. */
export function optionsOf(config: ScoreConfig): Option[] | undefined {
  if (config.data_type === 'numeric') return undefined;
  if (config.data_type === 'boolean') return booleans;
  return config.values.map((value) => ({ value, name: value }));
}

/** The option that a digit chooses: `1` is the first. */
export const optionOfKey = (config: ScoreConfig, key: string): Option | undefined =>
  /^[1-9]$/.test(key) ? optionsOf(config)?.[Number(key) - 1] : undefined;

export type ReviewKey = { kind: 'complete' | 'skip' | 'comment' } | { kind: 'value'; key: string };

interface Press {
  key: string;
  ctrlKey: boolean;
  metaKey: boolean;
  altKey: boolean;
}

/**
 * The action of a key during a review. If `typing` is true, a field has the focus and keys are
 * text.
 */
export function reviewKeyOf(press: Press, typing: boolean): ReviewKey | undefined {
  const { key, ctrlKey, metaKey, altKey } = press;
  if (key === 'Enter' && (ctrlKey || metaKey) && !altKey) return { kind: 'complete' };
  if (typing || ctrlKey || metaKey || altKey) return undefined;
  if (key === 's') return { kind: 'skip' };
  if (key === 'c') return { kind: 'comment' };
  return /^[0-9]$/.test(key) ? { kind: 'value', key } : undefined;
}

/** The allowed range of a number, shown beside its field. */
export function boundsText(config: ScoreConfig): string | undefined {
  if (config.data_type !== 'numeric') return undefined;
  const { min = null, max = null } = config;
  if (min !== null && max !== null) return t`${min} to ${max}`;
  if (min !== null) return t`at least ${min}`;
  return max === null ? undefined : t`at most ${max}`;
}
