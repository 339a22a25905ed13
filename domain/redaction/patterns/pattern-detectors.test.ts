import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { redactText } from '../redact-text.ts';
import { compilePattern, type Pattern } from './pattern.ts';
import { patternDetectors } from './pattern-detectors.ts';

const compiled = (sources: Record<string, string>): Pattern[] =>
  Object.entries(sources)
    .map(([name, source]) => compilePattern(name, source))
    .filter((pattern) => 'matcher' in pattern);

const redact = (sources: Record<string, string>, text: string, now = () => 0) =>
  redactText(text, patternDetectors(compiled(sources), { now }));

test.each([
  ['EMP-\\d+', 'EMP-12 and EMP-345.', '##X## and ##X##.'],
  ['\\bcat\\b', 'cat concat cat', '##X## concat ##X##'],
  ['(?m)^\\w+:', 'name: a\nb name: c', '##X## a\nb name: c'],
  ['\\d+$', '12 34', '12 ##X##'],
  ['[äöü]\\p{Greek}', 'aäωb 😀üλ', 'a##X##b 😀##X##'],
  ['(?i)SECRET', 'a Secret', 'a ##X##'],
])('%s in %j', (source, text, expected) => {
  expect(redact({ X: source }, text).text).toBe(expected);
});

test('a word boundary is not assumed at the end of the previous match', () => {
  const [detector] = patternDetectors(compiled({ X: '\\bx' }), { now: () => 0 });
  expect(detector?.find('xx x')).toEqual([
    { start: 0, end: 1 },
    { start: 3, end: 4 },
  ]);
});

test('several patterns mask under their own names', () => {
  expect(redact({ A: 'a+', B: 'b+', C: 'c+' }, 'aa-bbb')).toEqual({
    text: '##A##-##B##',
    counts: { A: 1, B: 1 },
  });
});

describe('in long texts', () => {
  const filler = (length: number) => 'x '.repeat(length / 2);

  test('a match is found at any position', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(40_000), { maxLength: 6 }), (gaps) => {
        const text = [...gaps.map((gap) => `${filler(gap)}EMP-123456`), filler(5000)].join(' ');
        expect(redact({ ID: '\\bEMP-\\d{6}\\b' }, text)).toEqual({
          text: text.replaceAll('EMP-123456', '##ID##'),
          counts: gaps.length > 0 ? { ID: gaps.length } : {},
        });
      }),
      { numRuns: 30 },
    );
  });

  test.each(Array.from({ length: 12 }, (_, i) => 8 * 1024 - i))('at position %i', (start) => {
    const text = `${'x'.repeat(start)}EMP-123456${'x'.repeat(9000)}`;
    expect(redact({ ID: 'EMP-\\d{6}' }, text).text).toBe(text.replace('EMP-123456', '##ID##'));
  });

  test.each(['\\d+', '\\d+\\b', '(?s)BEGIN\\d*END'])(
    '%s matches 30,000 characters as a whole',
    (source) => {
      const digits = '1'.repeat(30_000);
      const match = source.includes('BEGIN') ? `BEGIN${digits.slice(0, 1000)}END` : digits;
      const text = `${filler(9000)}${match} ${filler(9000)}`;
      expect(redact({ N: source }, text).text).toBe(text.replace(match, '##N##'));
    },
  );

  test('the end of a window does not count as the end of the text', () => {
    const text = `${'1'.repeat(5000)} ${filler(100)}`;
    expect(redact({ N: '\\d+$' }, text).text).toBe(text);
  });
});

describe('a pattern that takes too long', () => {
  /** A clock that advances by `step()` milliseconds at each reading. */
  const clock = (step: () => number) => {
    let time = 0;
    return () => (time += step());
  };

  test('masks the whole text', () => {
    expect(
      redact(
        { SLOW: 'a' },
        'banana',
        clock(() => 100),
      ),
    ).toEqual({
      text: '##SLOW##',
      counts: { SLOW: 1 },
    });
  });

  test('is suspended in the search as well, while other patterns continue', () => {
    const now = clock(() => 20);
    const detectors = patternDetectors(compiled({ SLOW: 'a', OTHER: 'q' }), { now });
    const masked = (text: string) => redactText(text, detectors).text;
    expect(Array.from({ length: 4 }, (_, i) => masked(`banana ${i}`))).toEqual(
      Array<string>(4).fill('##SLOW##'),
    );
    const before = now();
    expect(masked('banana 5')).toBe('##SLOW##');
    // Only the combined pass and a refused search read the clock; matches do not.
    expect((now() - before) / 20).toBeLessThan(6);
    expect(masked('quiz')).toBe('##OTHER##uiz');
  });

  test('is suspended for ten seconds after three overruns in a row', () => {
    let step = 100;
    let looks = 0;
    const now = clock(() => {
      looks += 1;
      return step;
    });
    const detectors = patternDetectors(compiled({ SLOW: 'a' }), { now });
    const masked = (text: string) => redactText(text, detectors).text;
    expect(['a1', 'a2', 'a3'].map(masked)).toEqual(['##SLOW##', '##SLOW##', '##SLOW##']);
    step = 1;
    looks = 0;
    expect(masked('quick')).toBe('##SLOW##');
    expect(looks).toBeLessThan(3);
    step = 10_000;
    masked('time goes by');
    step = 1;
    expect(masked('quick again')).toBe('quick ##SLOW##g##SLOW##in');
  });

  test('reads a bounded part of the text for each match', () => {
    const reads: number[] = [];
    const [pattern] = compiled({ X: '(?s)a.*z|a' });
    if (!pattern) throw new Error('the pattern does not compile');
    const { matcher } = pattern;
    const counting = {
      ...pattern,
      matcher: { matcher: (text: string) => (reads.push(text.length), matcher.matcher(text)) },
    } as unknown as Pattern;
    const [detector] = patternDetectors([counting], { now: () => 0 });
    detector?.find('a'.repeat(3000));
    expect(Math.max(...reads)).toBeLessThanOrEqual(2049);
  });
});
