import type { States } from '../evaluate.ts';

/** What policies remember of their subjects, as long as a simulation takes. */
export function createMemory(): States {
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
