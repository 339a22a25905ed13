import type { States } from '../evaluate.ts';

/** Policy states for the duration of a simulation. */
export function createInMemoryStates(): States {
  const states = new Map<string, unknown>();
  return {
    get({ category }, situation) {
      const subject = category.stateOf?.(situation);
      return typeof subject === 'string' ? states.get(subject) : undefined;
    },
    set({ category }, situation, state) {
      const subject = category.stateOf?.(situation);
      if (typeof subject === 'string') states.set(subject, state);
    },
  };
}
