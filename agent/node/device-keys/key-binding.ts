import { randomBytes } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { KeyBindingStatus } from '#agent/core/doctor/agent-report.ts';
import { backoffMs, type BackoffLimits } from '#agent/core/backoff.ts';
import { MINUTE_MS } from '#lib/time-units.ts';
import { type Loop, startLoop } from '#lib/loop.ts';
import { errnoOf } from '../state/atomic-file.ts';
import type { KeyFiles } from './key-files.ts';
import type { Sealer, UnsealResult } from './sealer.ts';
import { WRAPPING_KEY_BYTES } from './wrapped-key.ts';

export interface KeyBindingOptions {
  files: KeyFiles;
  sealer: Sealer;
  /** Called when locked keys have become usable. */
  onUnlocked: () => void;
  /** Called with the reason when the keys can never be used on this computer: removes them. */
  onForeign: (reason: string) => void;
  onStatus: (state: KeyBindingStatus) => void;
  backoff?: BackoffLimits | undefined;
  /** How long a computer without a TPM counts as one whose TPM is not found yet. */
  absentMs?: number | undefined;
}

export interface KeyBinding {
  status: () => KeyBindingStatus;
  /** Tries once to unlock the keys. Resolves after `maxMs`, whether it has ended or not. */
  tryToUnlock: (maxMs: number) => Promise<void>;
  /** Unlocks the keys as soon as that is possible, and binds keys that are not bound. */
  start: () => void;
  /**
   * Binds the keys, unless this was tried before. Resolves if that fails, too.
   *
   * @throws DOMException `AbortError` if the agent stops
   */
  bind: () => Promise<void>;
  stop: () => Promise<void>;
}

/**
 * Binds the private keys of a state folder to this computer. Nothing else waits for it for long:
 * without an answer the agent starts with locked keys, observes and stores.
 */
export function createKeyBinding(options: KeyBindingOptions): KeyBinding {
  const { files, sealer, backoff, absentMs = 10 * MINUTE_MS } = options;
  let current: KeyBindingStatus | null = null;
  const stopping = new AbortController();
  let loop: Loop | null = null;
  let unlocking: Promise<number | null> | null = null;
  let binding: Promise<void> | null = null;
  let failures = 0;
  let absentSince: number | null = null;

  const set = (state: KeyBindingStatus): void => {
    current = state;
    options.onStatus(state);
  };

  const discard = (reason: string): null => {
    options.onForeign(reason);
    set({ state: 'none' });
    return null;
  };

  /** Returns the milliseconds until the next attempt; null if none is necessary. */
  const unlock = async (sealed: string): Promise<number | null> => {
    const result = await unseal(sealer, sealed, stopping.signal);
    if (stopping.signal.aborted) return null;
    absentSince = result.kind === 'absent' ? (absentSince ?? performance.now()) : null;
    if (result.kind === 'unsealed') {
      files.unlock(result.secret);
      // An agent that was killed while it wrapped its keys has left some as they were.
      set(wrapPlainKeys(files));
      options.onUnlocked();
      return null;
    }
    const hasBeenAbsent = absentSince !== null && performance.now() - absentSince >= absentMs;
    if (result.kind === 'foreign' || hasBeenAbsent) return discard(result.reason);
    set({ state: 'locked', reason: result.reason });
    return backoffMs(failures++, Math.random(), backoff);
  };
  const unlockOnce = (): Promise<number | null> => {
    const sealed = files.sealedKey();
    if (sealed === null || !files.areLocked()) return Promise.resolve(null);
    unlocking ??= unlock(sealed).finally(() => (unlocking = null));
    return unlocking;
  };

  const bind = async (): Promise<void> => {
    const wrappingKey = randomBytes(WRAPPING_KEY_BYTES);
    const result = await sealReliably(sealer, wrappingKey, stopping.signal);
    stopping.signal.throwIfAborted();
    if ('error' in result) return set({ state: 'not_bound', reason: result.error });
    try {
      // The sealed key is on disk before a key is wrapped with it.
      files.bind(result.sealed, wrappingKey);
    } catch (error) {
      return set(notStored(error));
    }
    set(wrapPlainKeys(files));
  };
  const bindOnce = (): Promise<void> => {
    if (files.sealedKey() !== null) return Promise.resolve();
    binding ??= bind();
    return binding;
  };

  return {
    status: () =>
      current ?? (files.areLocked() ? { state: 'locked', reason: null } : { state: 'none' }),
    tryToUnlock: async (maxMs) => {
      const timer = new AbortController();
      const { signal } = timer;
      await Promise.race([unlockOnce(), wait(maxMs, null, { signal }).catch(() => null)]);
      timer.abort();
    },
    start: () => {
      loop ??= startLoop(async () => {
        const delayMs = await unlockOnce();
        if (delayMs === null && files.hasPlainKeys()) await bindOnce().catch(() => null);
        return delayMs;
      });
    },
    bind: bindOnce,
    stop: async () => {
      stopping.abort();
      await loop?.stop();
    },
  };
}

const notStored = (error: unknown): KeyBindingStatus => ({
  state: 'not_bound',
  reason: `the wrapped keys cannot be stored: ${errnoOf(error) ?? String(error)}`,
});

/** Wraps the keys that are not wrapped; returns the state after that. */
function wrapPlainKeys(files: KeyFiles): KeyBindingStatus {
  try {
    files.wrapPlainKeys();
    return { state: 'bound' };
  } catch (error) {
    return notStored(error);
  }
}

async function unseal(sealer: Sealer, sealed: string, signal: AbortSignal): Promise<UnsealResult> {
  try {
    return await sealer.unseal(sealed, signal);
  } catch (error) {
    return { kind: 'unavailable', reason: (error as Error).message };
  }
}

/** Seals a secret, and checks that it can be unsealed: only then may anything depend on it. */
async function sealReliably(
  sealer: Sealer,
  secret: Buffer,
  signal: AbortSignal,
): ReturnType<Sealer['seal']> {
  try {
    const result = await sealer.seal(secret, signal);
    if ('error' in result) return result;
    const unsealed = await sealer.unseal(result.sealed, signal);
    if (unsealed.kind !== 'unsealed') return { error: unsealed.reason };
    return unsealed.secret.equals(secret)
      ? result
      : { error: 'what was sealed cannot be unsealed again' };
  } catch (error) {
    return { error: (error as Error).message };
  }
}
