import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { builtinTypes } from '#contract/settings.ts';
import { builtinDetectors } from './builtin.ts';
import { type Detector, regexDetector } from './detector.ts';
import { redactText } from './redact-text.ts';

const all = builtinDetectors();
const words = (type: string, pattern: RegExp): Detector => regexDetector({ type, pattern });

test('counts what it masks, by type', () => {
  expect(redactText('a@b.io, c@d.io and +49 30 12345678', all)).toEqual({
    text: '##EMAIL##, ##EMAIL## and ##PHONE##',
    counts: { EMAIL: 2, PHONE: 1 },
  });
});

test.each([
  ['password=abc', 'password=##AUTH##', [words('AUTH', /(?<=password=)\w+/g)]],
  ['##EMAIL## EMAIL', '##EMAIL## ##WORD##', [words('WORD', /[A-Z]{5}/g)]],
  ['##EMAIL####PHONE##', '##EMAIL####PHONE##', [words('WORD', /[A-Z#]+/g)]],
  ['##not one##', '##not ##WORD####', [words('WORD', /one/g)]],
  ['https://a:b@c.io', 'https://##URL_CREDENTIALS##@c.io', all],
  ['no detector', 'no detector', []],
])('%j becomes %j', (text, expected, detectors) => {
  expect(redactText(text, detectors).text).toBe(expected);
});

test('a finding that appears only next to a placeholder is masked too', () => {
  const detectors = [words('A', /aa/g), words('B', /^b/g)];
  expect(redactText('aabc', detectors).text).toBe('##A####B##c');
});

const far = '-'.repeat(6000);

test.each([
  ['beginning', `aab${far}`, /^b/g, `##A####B##${far}`],
  ['end', `${far}baa`, /b$/g, `${far}##B####A##`],
  ['beginning, however long it is', `aa${'b'.repeat(6000)}${far}`, /^b+/g, `##A####B##${far}`],
  ['end, however long it is', `${far}${'b'.repeat(6000)}aa`, /b+$/g, `${far}##B####A##`],
  ['end of a part only', `${far}bb${far}`, /b$/g, `${far}bb${far}`],
])('a finding at the new %s of a long text is masked', (_, text, pattern, expected) => {
  expect(redactText(text, [words('A', /aa/g), words('B', pattern)]).text).toBe(expected);
});

/** Complete and broken examples of what detectors look for, in any order. */
const pieces = fc.constantFrom(
  ...[
    'jane|@|example.com|.|4111 1111 1111 1111|4111| |-|1|23|536-90-4399|+49|(0)|30 1234567|:',
    '203.0.113.7|2001:db8::1|DE89 3704 0044 0532 0130 00|Bearer |authorization: |sk-|tel |ssn |\n',
    'a1B2c3D4e5F6g7H8i9J0k1L2|https://|user:pass|/|?|-----BEGIN PRIVATE KEY-----|##|#|A|"|\\|é|😀',
    '-----END PRIVATE KEY-----|MIGHAgEAMBMGByqGSM49|eyJhbGciOiJub25lIn0|##EMAIL##|##X_1##',
  ].flatMap((line) => line.split('|')),
);
const text = fc.oneof(
  fc.array(pieces, { maxLength: 20 }).map((parts) => parts.join('')),
  fc.string({ unit: 'grapheme', maxLength: 80 }),
);
const detectors = fc.subarray([...builtinTypes]).map((types) => builtinDetectors(types));

describe('for any text', () => {
  test('masking a masked text changes nothing', () => {
    fc.assert(
      fc.property(text, detectors, (text, detectors) => {
        const once = redactText(text, detectors).text;
        expect(redactText(once, detectors)).toEqual({ text: once, counts: {} });
      }),
      { numRuns: 3000 },
    );
  });

  test('existing placeholders stay, and new ones are counted', () => {
    const placeholders = (of: string) => of.match(/##[A-Z][A-Z0-9_]*##/g)?.length ?? 0;
    fc.assert(
      fc.property(fc.array(fc.constantFrom('##EMAIL##', '##A1_##')), text, (marks, text) => {
        const given = marks.map((mark) => `${mark} `).join('') + text;
        const masked = redactText(given, all);
        expect(masked.text.startsWith(marks.map((mark) => `${mark} `).join(''))).toBe(true);
        const put = Object.values(masked.counts).reduce((sum, n) => sum + n, 0);
        expect(placeholders(masked.text)).toBeLessThanOrEqual(placeholders(given) + put);
      }),
    );
  });
});
