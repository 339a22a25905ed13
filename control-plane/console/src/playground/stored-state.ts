import { isEmpty } from './playground-state.ts';
import type { PlaygroundState, Variant } from './playground-state.ts';

const KEY = 'gatehouse.playground';
const PREVIOUS = 'gatehouse.playground.previous';

/**
 * Reads the state of this browser tab. If storage is not allowed or full, a reload loses the state.
 */
export const readState = (): PlaygroundState | undefined => read(KEY);

export function storeState(state: PlaygroundState): void {
  const stored = { ...state, variants: state.variants.map(markStopped) };
  // If long outputs do not fit, they are dropped: they can be produced again, the edited prompts
  // cannot.
  if (!write(KEY, stored)) write(KEY, { ...stored, variants: stored.variants.map(withoutOutcome) });
}

/** The variants before they were last replaced. */
export const readPrevious = (): PlaygroundState | undefined => read(PREVIOUS);

export function storePrevious(state: PlaygroundState | undefined): void {
  if (state && !isEmpty(state))
    write(PREVIOUS, { ...state, variants: state.variants.map(markStopped) });
  else remove(PREVIOUS);
}

/** Marks a running request as stopped, because a reload ends it. */
const markStopped = (variant: Variant): Variant =>
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
    // Storage is not allowed, so there is nothing to remove.
  }
}
