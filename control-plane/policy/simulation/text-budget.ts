import type { RecordedRun } from './recorded-run.ts';

/** What runs that go on say is kept until it is looked at. */
export interface Held {
  /** The run with as much of its texts as there is room for. */
  take(run: RecordedRun): RecordedRun;
  giveBack(run: RecordedRun): void;
  /** Of how many runs there was no room for the texts. */
  leftOut(): number;
}

const MOST_CHARACTERS = 32_000_000;

/** However many runs go on at the same time, their texts take no more memory than this. */
export function createHeld(most = MOST_CHARACTERS): Held {
  let characters = 0;
  let leftOut = 0;
  const sizeOf = ({ telemetry }: RecordedRun): number => telemetry?.textLength ?? 0;
  return {
    take(run) {
      const kept = { ...run, inputs: null };
      const { telemetry } = run;
      if (!telemetry || characters + sizeOf(run) <= most) {
        characters += sizeOf(run);
        return kept;
      }
      leftOut += 1;
      const without = { calls: [], tools: [], textLength: 0 };
      return { ...kept, result: null, telemetry: { ...telemetry, ...without } };
    },
    giveBack(run) {
      characters -= sizeOf(run);
    },
    leftOut: () => leftOut,
  };
}
