import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { builtinDetectors } from './builtin.ts';
import type { Detector, Finding, SearchRanges } from './detector.ts';
import { encodedFindings } from './encoded.ts';
import { mergeFindings } from './merge-findings.ts';
import { placeholderOf, redactText } from './redact-text.ts';
import { lookAlikes } from './testing/look-alikes.ts';
import { positives } from './testing/positives.ts';
import { randomOf } from './testing/random.ts';
import { TextIndex } from './text-index.ts';

const detectors = builtinDetectors();
const secrets = positives(randomOf(3)).map(({ text }) => text);
const harmless = lookAlikes(randomOf(4), 1000);

/** Ranges that cover the whole text, so that no detector skips anything except for words. */
const everywhere = (text: string): SearchRanges => {
  const whole = [{ start: 0, end: text.length }];
  const { words, seedPhrases } = new TextIndex(text);
  return { numbers: whole, keyRuns: whole, words, seedPhrases };
};

const sorted = (findings: readonly Finding[]): Finding[] =>
  findings.toSorted((a, b) => a.start - b.start || a.end - b.end);

const foundBy = (detector: Detector, text: string, ranges: SearchRanges) => ({
  type: detector.type,
  text,
  findings: sorted(detector.find(text, ranges)),
});

/** Parts of findings, of near misses and of plain text, in any order. */
const piece = fc.oneof(
  fc.constantFrom(...secrets),
  fc.constantFrom(...harmless),
  fc.constantFrom(
    ...' |\n|, |.|-|a|1|12|+|@|:|=|ssn |tel.: (030) - |CPF |https://|é|😀|AB|0|  |    |     '.split(
      '|',
    ),
  ),
  fc
    .array(fc.tuple(fc.constantFrom('', ' ', '-', '.', ' / ', ') ', 'A', '    '), fc.nat(99)))
    .map((groups) => groups.flat().join('')),
  fc.constantFrom('fax 03 / 04 / 05 / 06 / 07', '1.2.3-4.5.6-7.8.9-0', 'AB 1 2 3 4 5 6 A'),
  fc.tuple(fc.constantFrom(...secrets), fc.nat(200)).map(([text, at]) => text.slice(at)),
  fc.nat(400).map((length) => 'lorem ipsum '.repeat(40).slice(0, length)),
);
const text = fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join(''));

test('encoded secrets are found in key runs as in the whole text', () => {
  const encoded = [...secrets, ...harmless].map(
    (text) => ` ${Buffer.from(text).toString('base64')}, ${encodeURI(text)}`,
  );
  for (const text of encoded)
    expect(encodedFindings(text, detectors)).toEqual(
      encodedFindings(text, detectors, everywhere(text)),
    );
});

describe('each detector finds the same in its search ranges as in the whole text', () => {
  test('in the corpus', () => {
    for (const corpus of [...secrets, ...harmless, secrets.join('\n'), harmless.join(' ')])
      for (const detector of detectors)
        expect(foundBy(detector, corpus, new TextIndex(corpus))).toEqual(
          foundBy(detector, corpus, everywhere(corpus)),
        );
  });

  test('in any text', () => {
    fc.assert(
      fc.property(text, (text) => {
        for (const detector of detectors)
          expect(foundBy(detector, text, new TextIndex(text))).toEqual(
            foundBy(detector, text, everywhere(text)),
          );
      }),
      { numRuns: 1500 },
    );
  });
});

/** Like `redactText`, but searches the whole remaining text in each round. */
function redactedInFull(text: string, round = 0): string {
  if (text === '' || round === 8) return text;
  const found = detectors.flatMap((detector) =>
    text.length < (detector.minLength ?? 1)
      ? []
      : detector.find(text).map((finding) => ({ ...finding, type: detector.type })),
  );
  let redacted = '';
  let done = 0;
  for (const { type, start, end } of mergeFindings([
    ...found,
    ...encodedFindings(text, detectors),
  ])) {
    redacted += redactedInFull(text.slice(done, start), round + 1) + placeholderOf(type);
    done = end;
  }
  return done === 0 ? text : redacted + redactedInFull(text.slice(done), round + 1);
}

test('searching only new edges masks the same as searching the whole text again', () => {
  const filler = fc
    .tuple(fc.constantFrom('lorem ipsum ', 'a', '1 ', 'é. '), fc.nat(9000))
    .map(([words, length]) => words.repeat(1000).slice(0, length));
  const long = fc
    .array(fc.oneof(text, filler), { minLength: 2, maxLength: 5 })
    .map((pieces) => pieces.join(''))
    .filter((text) => !text.includes('##'));
  fc.assert(
    fc.property(long, (text) => {
      expect(redactText(text, detectors).text).toBe(redactedInFull(text));
    }),
    { numRuns: 400 },
  );
});
