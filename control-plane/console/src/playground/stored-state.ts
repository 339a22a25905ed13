import { isEmpty } from './playground-state.ts';
import type { PlaygroundState, Variant } from './playground-state.ts';

const KEY = 'gatehouse.playground';
const PREVIOUS = 'gatehouse.playground.previous';

/** The state of this browser tab. Storage may be forbidden or full, and then a reload loses it. */
export const readState = (): PlaygroundState | undefined => read(KEY);

export function storeState(state: PlaygroundState): void {
  const stored = { ...state, variants: state.variants.map(stopped) };
  // Long outputs may not fit: what was written is worth more than what can be run again.
  if (!write(KEY, stored)) write(KEY, { ...stored, variants: stored.variants.map(withoutOutcome) });
}

/** The variants before they were replaced by others. */
export const readPrevious = (): PlaygroundState | undefined => read(PREVIOUS);

export function storePrevious(state: PlaygroundState | undefined): void {
  if (state && !isEmpty(state))
    write(PREVIOUS, { ...state, variants: state.variants.map(stopped) });
  else remove(PREVIOUS);
}

/** A reload ends a request. */
const stopped = (variant: Variant): Variant =>
  variant.outcome?.status === 'running'
    ? { ...variant, outcome: { ...variant.outcome, status: 'stopped' } }
    : variant;

const withoutOutcome = (variant: Variant): Variant => ({ ...variant, outcome: null });

function read(key: string): PlaygroundState | undefined {
  try {
    const state = JSON.parse(sessionStorage.getItem(key) ?? '') as PlaygroundState;
    return Array.isArray(state.variants) && state.variants.length > 0 ? state : undefined;
  } catch {
    return undefined;
  }
}

function write(key: string, state: PlaygroundState): boolean {
  try {
    sessionStorage.setItem(key, JSON.stringify(state));
    return true;
  } catch {
    return false;
  }
}

function remove(key: string): void {
  try {
    sessionStorage.removeItem(key);
  } catch {
    // As above.
  }
}
