import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { KeyBindingStatus } from '#agent/core/doctor/agent-report.ts';
import { createKeyBinding, type KeyBinding, type KeyBindingOptions } from './key-binding.ts';
import { type KeyFiles, openKeyFiles } from './key-files.ts';
import type { Sealer, UnsealResult } from './sealer.ts';

const PEM = '-----BEGIN PRIVATE KEY-----\nMIGHAgEAMBMG\n-----END PRIVATE KEY-----\n';

let dir: string;
let bindings: KeyBinding[];
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'key-binding-'));
  bindings = [];
});
afterEach(async () => {
  await Promise.all(bindings.map((binding) => binding.stop()));
  rmSync(dir, { recursive: true });
});

const stored = (name: string): string => readFileSync(join(dir, name), 'utf8');

/** Seals by encoding, and unseals with the next of the given results, then truly. */
function sealerOf(...results: UnsealResult[]): Sealer {
  return {
    seal: async (secret) => ({ sealed: secret.toString('base64') }),
    unseal: async (sealed) =>
      results.shift() ?? { kind: 'unsealed', secret: Buffer.from(sealed, 'base64') },
  };
}

function bindingOf(files: KeyFiles, sealer: Sealer, more: Partial<KeyBindingOptions> = {}) {
  const events: string[] = [];
  const states: KeyBindingStatus['state'][] = [];
  const binding = createKeyBinding({
    files,
    sealer,
    onUnlocked: () => events.push('unlocked'),
    onForeign: (reason) => {
      files.removeAll();
      events.push(`foreign: ${reason}`);
    },
    onStatus: ({ state }) => states.push(state),
    backoff: { firstMs: 1, maxMs: 1 },
    ...more,
  });
  bindings.push(binding);
  return { binding, events, states };
}

/** Binds a key, as an earlier process has. */
async function bindKey(sealer = sealerOf()): Promise<void> {
  const files = openKeyFiles(dir);
  files.write('identity', PEM);
  await bindingOf(files, sealer).binding.bind();
}

test('a bound key is not readable in the folder, and usable after the next start', async () => {
  await bindKey();
  expect(stored('identity.key.pem')).not.toContain('MIGHAgEAMBMG');
  const files = openKeyFiles(dir);
  const { binding, events } = bindingOf(files, sealerOf());
  expect([binding.status(), files.read('identity')]).toEqual([
    { state: 'locked', reason: null },
    null,
  ]);
  await binding.tryToUnlock(60_000);
  expect([binding.status(), files.read('identity')]).toEqual([{ state: 'bound' }, PEM]);
  expect(events).toEqual(['unlocked']);
});

test('keys of an earlier version are bound at the next start', async () => {
  openKeyFiles(dir).write('identity', PEM);
  openKeyFiles(dir).write('intermediate', PEM);
  const files = openKeyFiles(dir);
  const { binding } = bindingOf(files, sealerOf());
  binding.start();
  await vi.waitFor(() => expect(binding.status()).toEqual({ state: 'bound' }));
  expect([files.hasPlainKeys(), files.read('identity')]).toEqual([false, PEM]);
  expect(stored('intermediate.key.pem')).not.toContain('MIGHAgEAMBMG');
});

test('without keys nothing is sealed', async () => {
  const seal = vi.fn<Sealer['seal']>();
  const { binding } = bindingOf(openKeyFiles(dir), { ...sealerOf(), seal });
  binding.start();
  await binding.tryToUnlock(60_000);
  await binding.stop();
  expect(seal).not.toHaveBeenCalled();
});

describe('keys stay as they are', () => {
  const failing = (result: UnsealResult): [string, Sealer] => ['reason', sealerOf(result)];
  test.each<[string, string, Sealer]>([
    ['nothing can be sealed', 'no TPM', { ...sealerOf(), seal: async () => ({ error: 'no TPM' }) }],
    [
      'sealing fails unexpectedly',
      'ENOSPC',
      {
        ...sealerOf(),
        seal: async () => {
          throw new Error('ENOSPC');
        },
      },
    ],
    ['what was sealed cannot be unsealed', ...failing({ kind: 'unavailable', reason: 'reason' })],
    ['what was sealed is foreign at once', ...failing({ kind: 'foreign', reason: 'reason' })],
    [
      'another secret is unsealed',
      'what was sealed cannot be unsealed again',
      sealerOf({ kind: 'unsealed', secret: Buffer.alloc(32) }),
    ],
  ])('if %s', async (_, reason, sealer) => {
    await bindKey(sealer);
    expect(bindings[0]?.status()).toEqual({ state: 'not_bound', reason });
    expect(stored('identity.key.pem')).toBe(PEM);
    expect(openKeyFiles(dir).sealedKey()).toBeNull();
  });
});

test.each<UnsealResult>([
  { kind: 'unavailable', reason: 'the TPM does not answer' },
  { kind: 'absent', reason: 'there is no TPM' },
])('keys are kept while they cannot be unlocked: $kind', async (result) => {
  await bindKey();
  const files = openKeyFiles(dir);
  const failures = Array.from({ length: 5 }, () => result);
  const { binding, events, states } = bindingOf(files, sealerOf(...failures));
  binding.start();
  await vi.waitFor(() => expect(events).toEqual(['unlocked']));
  expect(files.read('identity')).toBe(PEM);
  expect(new Set(states)).toEqual(new Set(['locked', 'bound']));
});

test('a sealer that throws is tried again', async () => {
  await bindKey();
  let attempts = 0;
  const working = sealerOf();
  const { binding, events } = bindingOf(openKeyFiles(dir), {
    ...working,
    unseal: async (...given) => {
      attempts += 1;
      if (attempts < 3) throw new Error('ENOSPC');
      return working.unseal(...given);
    },
  });
  binding.start();
  await vi.waitFor(() => expect(events).toEqual(['unlocked']));
});

test('keys that this computer has not sealed are given up at once', async () => {
  await bindKey();
  const foreign: UnsealResult = { kind: 'foreign', reason: 'another TPM' };
  const { binding, events } = bindingOf(openKeyFiles(dir), sealerOf(foreign));
  await binding.tryToUnlock(60_000);
  expect(events).toEqual(['foreign: another TPM']);
  expect(binding.status()).toEqual({ state: 'none' });
});

test('keys are given up on a computer that has no TPM for long', async () => {
  await bindKey();
  const sealer = {
    ...sealerOf(),
    unseal: async () => ({ kind: 'absent', reason: 'gone' }) as const,
  };
  const { binding, events } = bindingOf(openKeyFiles(dir), sealer, { absentMs: 50 });
  const begun = performance.now();
  binding.start();
  await vi.waitFor(() => expect(events).toEqual(['foreign: gone']));
  expect(performance.now() - begun).toBeGreaterThanOrEqual(50);
});

test('after keys were given up, new ones are bound', async () => {
  await bindKey();
  const files = openKeyFiles(dir);
  const foreign: UnsealResult = { kind: 'foreign', reason: 'another TPM' };
  const { binding } = bindingOf(files, sealerOf(foreign));
  await binding.tryToUnlock(60_000);
  await binding.bind();
  files.write('identity', PEM);
  expect([binding.status(), files.hasPlainKeys()]).toEqual([{ state: 'bound' }, false]);
});

test('the start does not wait for a TPM that does not answer', async () => {
  await bindKey();
  let answer = (): void => {};
  const answered = new Promise<void>((resolve) => (answer = resolve));
  const working = sealerOf();
  const { binding, events } = bindingOf(openKeyFiles(dir), {
    ...working,
    unseal: async (...given) => {
      await answered;
      return working.unseal(...given);
    },
  });
  await binding.tryToUnlock(1);
  expect(binding.status()).toEqual({ state: 'locked', reason: null });
  binding.start();
  answer();
  await vi.waitFor(() => expect(events).toEqual(['unlocked']));
});

test('a wrapped key without its sealed key is damaged', async () => {
  await bindKey();
  rmSync(join(dir, 'sealed-key.json'));
  const files = openKeyFiles(dir);
  expect([files.areLocked(), files.read('identity')]).toEqual([false, stored('identity.key.pem')]);
});

test('a key that was stored before an agent was killed is wrapped at the next start', async () => {
  await bindKey();
  writeFileSync(join(dir, 'intermediate.key.pem'), PEM);
  const files = openKeyFiles(dir);
  expect(files.read('intermediate')).toBeNull();
  await bindingOf(files, sealerOf()).binding.tryToUnlock(60_000);
  expect([files.hasPlainKeys(), files.read('intermediate')]).toEqual([false, PEM]);
});
