import type { GivenScore, Progress, ScoreConfig } from '#contract/annotation-queues.ts';
import { MINUTE_MS } from '#lib/time-units.ts';

/**
 * The duration of a claim, which is enough for reading a long run. After it, the item of a reviewer
 * who left is offered again.
 */
const CLAIM_MS = 30 * MINUTE_MS;

export const claimExpiry = (now: number): number => now + CLAIM_MS;

type Value = GivenScore['value'];

/** Returns why the score cannot have this value; undefined if it can. */
function problemOfValue(config: ScoreConfig, value: Value): string | undefined {
  switch (config.data_type) {
    case 'boolean':
      return typeof value === 'boolean' ? undefined : 'expected true or false';
    case 'categorical':
      return typeof value === 'string' && config.values.includes(value)
        ? undefined
        : `expected one of ${config.values.map((one) => `"${one}"`).join(', ')}`;
    case 'numeric': {
      const isWithin =
        typeof value === 'number' &&
        value >= (config.min ?? -Infinity) &&
        value <= (config.max ?? Infinity);
      return isWithin ? undefined : `expected a number${boundsOf(config)}`;
    }
  }
}

function boundsOf({ min, max }: { min: number | null; max: number | null }): string {
  if (min !== null && max !== null) return ` between ${min} and ${max}`;
  if (min !== null) return ` of at least ${min}`;
  return max === null ? '' : ` of at most ${max}`;
}

/**
 * Returns why these scores do not complete an item of a queue with these configurations; undefined
 * if they do.
 */
export function problemOfScores(
  configs: readonly ScoreConfig[],
  given: readonly GivenScore[],
): string | undefined {
  const names = new Set<string>();
  for (const { name, value } of given) {
    const config = configs.find((one) => one.name === name);
    if (!config) return `scores: the queue has no score named "${name}"`;
    if (names.has(name)) return `scores: "${name}" is given twice`;
    names.add(name);
    const problem = problemOfValue(config, value);
    if (problem) return `scores: "${name}": ${problem}`;
  }
  const missing = configs.find(({ name, required }) => required && !names.has(name));
  return missing && `scores: "${missing.name}" is required`;
}

/** Returns the value of a stored score as it was given. */
export function givenValueOf(score: {
  data_type: ScoreConfig['data_type'];
  numeric_value: number | null;
  string_value: string | null;
}): Value {
  if (score.data_type === 'numeric') return score.numeric_value ?? 0;
  return score.data_type === 'boolean' ? score.string_value === 'true' : (score.string_value ?? '');
}

export interface StatusCount {
  status: keyof Progress;
  count: number;
}

export const progressOf = (counts: readonly StatusCount[]): Progress => {
  const of = (wanted: keyof Progress) => counts.find(({ status }) => status === wanted)?.count ?? 0;
  return { pending: of('pending'), completed: of('completed'), skipped: of('skipped') };
};
