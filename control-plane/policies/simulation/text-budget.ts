import type { RecordedRun } from './recorded-run.ts';

/** Bounds the memory that the texts of active runs take. */
export interface TextBudget {
  /** Returns the run, without its texts if they exceed the budget. */
  admit(run: RecordedRun): RecordedRun;
  release(run: RecordedRun): void;
  /** The number of runs whose texts exceeded the budget. */
  leftOut(): number;
}

const MAX_CHARACTERS = 32_000_000;

/**
 * Creates a budget: the texts of all runs that are active at the same time have at most this many
 * characters.
 */
export function createTextBudget(max = MAX_CHARACTERS): TextBudget {
  let characters = 0;
  let leftOut = 0;
  const sizeOf = ({ telemetry }: RecordedRun): number => telemetry?.textLength ?? 0;
  return {
    admit(run) {
      const withoutInputs = { ...run, inputs: null };
      const { telemetry } = run;
      if (!telemetry || characters + sizeOf(run) <= max) {
        characters += sizeOf(run);
        return withoutInputs;
      }
      leftOut += 1;
      const without = { calls: [], tools: [], textLength: 0 };
      return { ...withoutInputs, result: null, telemetry: { ...telemetry, ...without } };
    },
    release(run) {
      characters -= sizeOf(run);
    },
    leftOut: () => leftOut,
  };
}
