/** The person who can fix a problem. */
export type Actor = 'IT' | 'admin' | 'user';

export interface Advice {
  who: Actor;
  /** One sentence. */
  what: string;
}

/** The result of one check. Contains no secrets. */
export interface Check {
  /** Stable across versions: support searches for it, and the documentation explains it. */
  id: string;
  state: 'ok' | 'problem' | 'not checked';
  /** The observation, in one sentence. */
  seen: string;
  advice: Advice | null;
}

export const ok = (id: string, seen: string): Check => ({ id, state: 'ok', seen, advice: null });

export const problem = (id: string, seen: string, who: Actor, what: string): Check => ({
  id,
  state: 'problem',
  seen,
  advice: { who, what },
});

/**
 * Creates a check that is not a problem itself: another check explains it, or this user lacks the
 * permission.
 */
export const notChecked = (id: string, seen: string, advice: Advice | null = null): Check => ({
  id,
  state: 'not checked',
  seen,
  advice,
});

export const sudoAdvice: Advice = { who: 'user', what: 'Run the same command with sudo.' };
