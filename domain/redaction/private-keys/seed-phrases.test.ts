import { describe, expect, test } from 'vitest';
import { sha256 } from '#lib/sha256.ts';
import { BIP39_WORDS } from './bip39-words.ts';
import { builtinDetectors } from '../builtin.ts';
import { memberRules } from '../member-rules.ts';
import { redactJson } from '../redact-json.ts';
import { findSeedPhrases } from './seed-phrases.ts';
import { randomOf } from '../testing/random.ts';
import { seedPhraseOf } from '../testing/wallet-keys.ts';

const rules = { detectors: builtinDetectors(['PRIVATE_KEY']), keys: memberRules([]) };
const redacted = (value: unknown): unknown => redactJson(value, rules).value;
const random = randomOf(21);
const [HIDDEN] = ['##PRIVATE_KEY##'];

// github.com/trezor/python-mnemonic vectors.json
const PUBLISHED = 'legal winner thank year wave sausage worth useful legal winner thank yellow';
const words = PUBLISHED.split(' ');

test('the words are those of the specification', () => {
  const list = new TextEncoder().encode(`${BIP39_WORDS.join('\n')}\n`);
  expect(Buffer.from(sha256(list)).toString('hex')).toBe(
    '2f5eed53a4727b4bf8880d8f3f199efc90e58503646d9ff8eff3a2ed3b24dbda',
  );
});

describe('seed phrases', () => {
  test.each([
    [PUBLISHED, HIDDEN],
    [
      `My recovery phrase is ${PUBLISHED} please help`,
      `My recovery phrase is ${HIDDEN} please help`,
    ],
    [`Seed phrase: ${PUBLISHED}.`, `Seed phrase: ${HIDDEN}.`],
    [`MNEMONIC="${PUBLISHED}"\nPORT=80`, `MNEMONIC="${HIDDEN}"\nPORT=80`],
    [words.map((word, at) => `${at + 1}. ${word}`).join(' '), `1. ${HIDDEN}`],
    [`x\n${words.map((word, at) => `${at + 1}) ${word}`).join('\n')}\ny`, `x\n1) ${HIDDEN}\ny`],
    [words.join(', '), HIDDEN],
    [words.join('\n'), HIDDEN],
    [`${words.slice(0, 6).join(' ')}\n${words.slice(6).join(' ')}`, HIDDEN],
    [`> ${words.slice(0, 6).join(' ')}\n> ${words.slice(6).join(' ')}`, `> ${HIDDEN}`],
    [`> > ${words.slice(0, 8).join(', ')},\n> > ${words.slice(8).join(', ')}`, `> > ${HIDDEN}`],
    [
      words.map((word, at) => `${at % 4 ? ' ' : '\n> '}${at + 1}. ${word}`).join(''),
      `\n> 1. ${HIDDEN}`,
    ],
    [`seed:\n- ${words.join('\n- ')}\n`, `seed:\n- ${HIDDEN}\n`],
    [`  7\t${words.slice(0, 9).join(' ')}\n  8\t${words.slice(9).join(' ')}`, `  7\t${HIDDEN}`],
    [
      `words = [\n${' '.repeat(20)}"${words.join(`",\n${' '.repeat(20)}"`)}"]`,
      `words = [\n${' '.repeat(20)}"${HIDDEN}"]`,
    ],
    [PUBLISHED.toUpperCase(), HIDDEN],
    [`const words = ['${words.join("', '")}'];`, `const words = ['${HIDDEN}'];`],
    [JSON.stringify({ text: `seed:\n${PUBLISHED}` }), `{"text":"seed:\\n${HIDDEN}"}`],
    ['zoo zoo zoo zoo zoo zoo zoo zoo zoo zoo zoo wrong', HIDDEN],
  ])('%s', (text, expected) => {
    expect(redacted(text)).toBe(expected);
  });

  test('lists of words in JSON, also in text', () => {
    const hidden = words.map(() => HIDDEN);
    expect(redacted({ words, n: [1] })).toEqual({ words: hidden, n: [1] });
    expect(redacted(JSON.stringify({ a: { words }, b: 'c' }))).toBe(
      JSON.stringify({ a: { words: hidden }, b: 'c' }),
    );
    const others = words.with(11, 'zoo');
    expect(redacted({ words: others })).toEqual({ words: others });
    expect(redacted(JSON.stringify([others]))).toBe(JSON.stringify([others]));
  });

  test.each([12, 15, 18, 21, 24])('random phrases of %d words, anywhere in a text', (count) => {
    const filler = 'The answer of the model was that it is in the docs. '.repeat(80);
    for (let n = 0; n < 200; n += 1) {
      const phrase = seedPhraseOf(random, count);
      const before = `${filler.slice(0, random.below(2000))}. My seed: `;
      expect(redacted(`${before}${phrase}. ${filler}`)).toBe(`${before}${HIDDEN}. ${filler}`);
    }
  });

  test('in a long text without a word that says so, none is searched', () => {
    const filler = 'The answer of the model was that it is in the docs. '.repeat(80);
    const text = `${filler}${PUBLISHED}`;
    expect(redacted(text)).toBe(text);
  });
});

describe('no seed phrase in', () => {
  test.each([
    ['words with another checksum', words.with(11, 'zoo').join(' ')],
    ['a phrase that is cut off', words.slice(1).join(' ')],
    ['the list in its order', BIP39_WORDS.join('\n')],
    ['the list as code', `seed words = ["${BIP39_WORDS.join('", "')}"]`],
    ['a part of the list', `seed words: ${BIP39_WORDS.slice(100, 112).join(' ')}`],
    ['words with different separators', words.join(' ').replace('year ', 'year; ')],
    [
      'prose',
      'A wallet can recover coins from a seed phrase only if you write every word of it down in the right order, and keep it safe.',
    ],
  ])('%s', (_, text) => {
    expect(redacted(text)).toBe(text);
  });

  test('most rows of words of the list by chance', () => {
    const rows = Array.from({ length: 1000 }, () =>
      Array.from({ length: 12 }, () => random.pick(BIP39_WORDS)).join(' '),
    );
    const found = rows.filter((row) => findSeedPhrases(row).length > 0).length;
    // The checksum has four bits.
    expect(found).toBeGreaterThan(30);
    expect(found).toBeLessThan(100);
  });
});
