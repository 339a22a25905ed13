import fc from 'fast-check';
import { vi } from 'vitest';
import { limitShrinking } from './limit-shrinking.ts';
import { PATIENCE_MS } from './patience.ts';

/** Run before each test file: defaults that vitest and fast-check have no settings for. */
fc.installGlobalPlugin(limitShrinking(30_000));

const { waitFor } = vi;
vi.waitFor = (callback, options) => {
  const given = typeof options === 'number' ? { timeout: options } : options;
  return waitFor(callback, { timeout: PATIENCE_MS, ...given });
};
