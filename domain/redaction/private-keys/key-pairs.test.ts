import { expect, test, vi } from 'vitest';
import { ed25519PublicKey } from '#lib/ed25519.ts';
import { builtinDetectors } from '../builtin.ts';
import { memberRules } from '../member-rules.ts';
import { redactJson } from '../redact-json.ts';
import { randomOf } from '../testing/random.ts';
import { base58, bytesOf } from '../testing/wallet-keys.ts';

vi.mock(import('#lib/ed25519.ts'), async (importOriginal) => {
  const { ed25519PublicKey } = await importOriginal();
  return { ed25519PublicKey: vi.fn(ed25519PublicKey) };
});

const rules = { detectors: builtinDetectors(['PRIVATE_KEY']), keys: memberRules([]) };
const redacted = (value: unknown): unknown => redactJson(value, rules).value;
const random = randomOf(5);
const HIDDEN = '##PRIVATE_KEY##';

const keyPairOf = (seed: number[]): number[] => [
  ...seed,
  ...ed25519PublicKey(Uint8Array.from(seed)),
];
const pair = keyPairOf(bytesOf(random, 32));
const signature = bytesOf(random, 64);

test('secret keys in Base58', () => {
  for (let n = 0; n < 50; n += 1) {
    const key = base58(keyPairOf(bytesOf(random, 32)));
    for (const text of [
      `Keypair.fromSecretKey(bs58.decode("${key}"))`,
      `my wallet: ${key}.`,
      `PRIVATE_KEY=${key}`,
      `ed25519:${key}`,
    ])
      expect(redacted(text)).toBe(text.replace(key, HIDDEN));
  }
});

test.each([
  [`const key = Uint8Array.from([${pair.join(',')}]);`, `const key = Uint8Array.from(${HIDDEN});`],
  [`id.json:\n[${pair.join(', ')}]\n`, `id.json:\n${HIDDEN}\n`],
  [`k = [\n  ${pair.join(',\n  ')},\n]`, `k = ${HIDDEN}`],
])('lists of bytes in text: %s', (text, expected) => {
  expect(redacted(text)).toBe(expected);
});

test('lists of bytes in JSON', () => {
  const hidden = pair.map(() => HIDDEN);
  expect(redacted({ pair, n: [1] })).toEqual({ pair: hidden, n: [1] });
  expect(redacted(JSON.stringify(pair))).toBe(JSON.stringify(hidden));
  expect(redacted(JSON.stringify({ a: { pair } }))).toBe(JSON.stringify({ a: { pair: hidden } }));
});

test('no secret key', () => {
  for (const bytes of [signature, pair.with(63, ((pair[63] ?? 0) + 1) % 256), pair.slice(1)])
    for (const value of [
      `signature ${base58(bytes)}`,
      `Uint8Array.from([${bytes.join(',')}])`,
      { bytes },
      JSON.stringify(bytes),
    ])
      expect(redacted(value)).toEqual(value);
});

test('a list in JSON text is tested once', () => {
  vi.mocked(ed25519PublicKey).mockClear();
  redacted(JSON.stringify({ signature, a: 'b' }));
  expect(ed25519PublicKey).toHaveBeenCalledTimes(1);
});
