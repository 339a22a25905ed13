import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { builtinDetectors } from './builtin.ts';
import { redactText } from './redact-text.ts';

/** Runs `work` and counts the characters that regular expressions and `indexOf` read in it. */
function charactersRead(work: () => void): number {
  let read = 0;
  const exec = Reflect.get(RegExp.prototype, 'exec');
  const spy = vi.spyOn(RegExp.prototype, 'exec').mockImplementation(function (
    this: RegExp,
    text: string,
  ) {
    const from = this.global || this.sticky ? this.lastIndex : 0;
    const match = exec.call(this, text);
    // A sticky pattern reads at one position; other patterns read on until they match.
    if (this.sticky) read += (match?.[0].length ?? 0) + 1;
    else read += (match ? match.index + match[0].length : text.length) - from + 1;
    return match;
  });
  const indexOf = Reflect.get(String.prototype, 'indexOf');
  const search = vi.spyOn(String.prototype, 'indexOf').mockImplementation(function (
    this: string,
    piece: string,
    from = 0,
  ) {
    const at = indexOf.call(this, piece, from);
    read += (at === -1 ? this.length : at) - from + 1;
    return at;
  });
  try {
    work();
    return read;
  } finally {
    spy.mockRestore();
    search.mockRestore();
  }
}

const seeds = [
  'a|1|1 |1-|-|.|@|a@|a.|@a.|:|a:|1.|1.1.1.|+|+1|+1 |://|://a:|://a:b|eyJ|eyJa.|sk-|A|DE89|DE89 |(',
  'Bearer |authorization:|-----BEGIN |-----BEGIN PRIVATE KEY-----|-----END |4111 1111 |##|tel: 1',
  '-----END PRIVATE KEY-----|MIGHAgEAMBMGByqGSM49 ',
  'password|password=|key|api_key: |secret=a1|token="|--token |gh|ghp_|live_|Q~|-us|.atlasv1.',
  '%|%4|%41|%E0|%FF|%3D|YWJj|aGVsbG8gd29ybGQgYWJj |+|=|&',
  'curl | -u |-u a:b|form-data; name="password"|\r\n|"\r\n\r\n',
].flatMap((line) => line.split('|'));
const unit = fc.array(fc.constantFrom(...seeds), { minLength: 1, maxLength: 3 });

test.each([
  'sk-1',
  'eyJ',
  'eyJhbGciOiJub25lIn0.',
  'Bearer 1',
  '://',
  '4111 ',
  '-----BEGIN ',
  '["',
  '+1',
  'a@',
])('megabytes of %j are redacted like any text', (beginning) => {
  for (const filler of ['a', '1 ', beginning, '\\\\'])
    expect(() =>
      redactText(beginning + filler.repeat(2_000_000 / filler.length), builtinDetectors()),
    ).not.toThrow();
});

test.each([
  ['sk-1', 'API_KEY'],
  ['eyJhbGciOiJub25lIn0.', 'JWT'],
  ['Bearer 1', 'AUTHORIZATION'],
] as const)('a secret that begins with %s is found up to its end', (beginning, type) => {
  const start = beginning.startsWith('Bearer') ? 'Bearer ' : '';
  expect(
    redactText(`${beginning}${'a1B2c3'.repeat(9000)} end`, builtinDetectors([type])).text,
  ).toBe(`${start}##${type}## end`);
});

test('the work grows linearly with the length of the text', () => {
  const readOf = (text: string) => charactersRead(() => void redactText(text, builtinDetectors()));
  fc.assert(
    fc.property(unit, fc.constantFrom(...seeds), (unit, tail) => {
      const text = unit.join('').repeat(400);
      // Quadratic work would read sixteen times as much. A text longer than the longest key needs
      // more rounds, so a factor of five is acceptable.
      expect(readOf(text.repeat(4) + tail)).toBeLessThan(8 * readOf(text + tail));
    }),
    { numRuns: 150 },
  );
});
