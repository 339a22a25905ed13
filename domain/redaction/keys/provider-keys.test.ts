import { crc32 } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { apiKey } from './api-key.ts';
import { builtinDetectors } from '../builtin.ts';
import { keyFormats } from './key-formats.ts';
import { markedFormats, MIN_MARKED_RUN } from './marked-key-formats.ts';
import { memberRules } from '../member-rules.ts';
import { redactJson } from '../redact-json.ts';
import { providerKeys } from '../testing/provider-keys.ts';
import { randomOf } from '../testing/random.ts';
import { keyOf, scannerKeys } from '../testing/scanner-keys.ts';
import { TextIndex } from '../text-index.ts';

const rules = { detectors: builtinDetectors(), keys: memberRules([]) };
const redacted = (value: unknown): string => JSON.stringify(redactJson(value, rules).value);
const around = (key: string): readonly string[] => [
  `I use ${key} and get a 401.`,
  `7,${key},31`,
  `x="${key}"`,
  `(${key})`,
  `GET https://api.example.com/v1?k=${encodeURIComponent(key)}&page=2`,
  key,
];
const random = randomOf(5);

test('the samples are of at least forty formats', () => {
  expect(new Set(providerKeys.map(({ provider }) => provider)).size).toBeGreaterThanOrEqual(40);
});

test.each(providerKeys)('$provider', ({ pieces }) => {
  const key = pieces.join('');
  for (const text of around(key)) expect(redacted({ content: text })).not.toContain(key.slice(-12));
  expect(redacted({ usage: { [key]: 1 } })).not.toContain(key.slice(-12));
});

const isFound = (key: string): boolean =>
  apiKey.find(key).some(({ start, end }) => start === 0 && end === key.length);

describe('formats of other collections of rules', () => {
  test.each(scannerKeys)('$provider: $description', (described) => {
    const keys = Array.from({ length: 1000 }, () => keyOf(described, random));
    const found = keys.filter(isFound);
    // By chance, a key may look like words or like an example.
    expect(found.length).toBeGreaterThanOrEqual(990);
    for (const key of found.slice(0, 20))
      for (const text of around(key))
        expect(redacted({ content: text })).not.toContain(key.slice(-8));
  });
});

describe('text that resembles a key stays', () => {
  test.each([
    [
      'a publishable key of Stripe',
      ['pk_live', '_51Hx8aB3dE5fG7hI9jK1lM3nO5pQ7rS9tU1vW3xY5z'].join(''),
    ],
    ['a project key of PostHog', ['phc', '_WQV1jrBNdIiYiHaXoWIb5KqZv18vt4JQbNBVuGihaYw'].join('')],
    [
      'a public token of Mapbox',
      ['pk.eyJ1IjoiYWJj', 'ZGVmZ2hpamtsbW5vcHFy.lUneMao3NucXN189'].join(''),
    ],
    [
      'a publishable key of Supabase',
      ['sb_publishable', '_a1B2c3D4e5F6g7H8i9J0k1_l2M3n4O5'].join(''),
    ],
    ['a mobile key of LaunchDarkly', ['mob', '-1c9dbaf0-2b3c-4d5e-8f60-718293a4b5c6'].join('')],
    ['a function', 're_exports_AllModulesOfThePackage'],
    ['a web component', 'md-OutlinedTextFieldLabels'],
    ['a class', 'pa-DataTableHeaderCellContainer_withSortIconButton'],
    ['a test', 'test_userCanChangeTheirPasswordAfterSignIn'],
    ['a member', 'live_streamOfEventsFromTheControlPlane'],
    ['a column', 'key_0123456789abcdef0123456789abcdef'],
    ['an id with a short prefix', 'sk_0123456789abcdef0123456789abcdef0123456789abcdef01'],
    ['an id of a request', 'api-1c9dbaf0-2b3c-1d5e-8f60-718293a4b5c6'],
    ['a file with its hash', '0123456789abcdef0123456789abcdef.chunkbundlemain0'],
    [
      'Base64 with the signature of Azure elsewhere',
      `${'a1B2c3D4'.repeat(5)}+ASb${'a1B2c3D4'.repeat(5)}=`,
    ],
    ['Base64 of zeros', `data:application/octet-stream;base64,${'A'.repeat(120)}=`],
    ['Base32 without the checksum', 'a2b3c4d5e6f7g2h3i4j5k6l7m2n3o4p5q6r7s2t3u4v5w6x7y2z3'],
    ['a number', '2.5000000000000001, 1.0000000000000002, 0.1000000000000000055511151231257827'],
    ['a path', '2/1234567890123456/comments/9876543210987654'],
  ])('%s', (_, text) => {
    expect(apiKey.find(text)).toEqual([]);
    expect(apiKey.find(`see ${text}, or "${text}"`)).toEqual([]);
  });
});

/** A token of a user, from 28 random bytes. */
function azureDevopsToken(): string {
  const secret = Array.from({ length: 28 }, () => random.below(256));
  const sum = (crc32(Buffer.from(secret)) ^ 0xe0_b9_69_2d) >>> 0;
  const checksum = [22, 8, 7, 2];
  const bytes = Array.from({ length: 32 }, (_, at) => {
    const index = checksum.indexOf(at);
    return index === -1 ? (secret.shift() ?? 0) : (sum >>> (8 * index)) & 0xff;
  });
  const bits = bytes.map((byte) => byte.toString(2).padStart(8, '0')).join('');
  return (bits.match(/.{1,5}/g) ?? [])
    .map((five) =>
      'abcdefghijklmnopqrstuvwxyz234567'.charAt(Number.parseInt(five.padEnd(5, '0'), 2)),
    )
    .join('');
}

test('a token of Azure DevOps is recognized by its checksum alone', () => {
  const token = azureDevopsToken();
  expect(apiKey.find(`use ${token} now`)).toEqual([{ start: 4, end: 56 }]);
  const first = token.startsWith('b') ? 'c' : 'b';
  expect(apiKey.find(`use ${first}${token.slice(1)} now`)).toEqual([]);
  expect(apiKey.find(`use ${token}a now`)).toEqual([]);
});

test.each(['xoxd-a1B2c3-', '0a1b2c3d4e5f60718293a4b5c6d7e8f9-us1-', 'glpat-a1B2c3'])(
  'what is part of a key is not searched again: %s',
  (unit) => {
    expect(apiKey.find(unit.repeat(300))).toHaveLength(1);
  },
);

test('every format names a source', () => {
  for (const { issuer, source } of [...keyFormats, ...markedFormats])
    expect({ issuer, source: source.length > 5 }).toEqual({ issuer, source: true });
});

test('prefixes consist of ASCII characters, two at least', () => {
  for (const begins of keyFormats.flatMap((format) => format.begins))
    expect(begins).toMatch(/^[!-~]{2,}$/);
});

test.each(markedFormats.filter(({ anywhere }) => !anywhere))(
  'the mark of $issuer, $mark, is in a long run of key characters',
  ({ example, mark }) => {
    const key = example.join('');
    const run = new TextIndex(` ${key} `).keyRuns.find(
      ({ start, end }) => start <= key.indexOf(mark) + 1 && end > key.indexOf(mark) + mark.length,
    );
    expect((run?.end ?? 0) - (run?.start ?? 0)).toBeGreaterThanOrEqual(MIN_MARKED_RUN);
  },
);
