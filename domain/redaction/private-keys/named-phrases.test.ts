import { expect, test } from 'vitest';
import { builtinDetectors } from '../builtin.ts';
import { memberRules } from '../member-rules.ts';
import { redactJson } from '../redact-json.ts';
import { redactText } from '../redact-text.ts';

const detectors = builtinDetectors(['PRIVATE_KEY']);
const redacted = (text: string): string => redactText(text, detectors).text;

/** With a wrong checksum. */
const WRONG = 'legal winner thank year wave sausage worth useful legal winner thank zoo';
// Monero has lists of other words.
const MONERO =
  'tavern wounded inkling bagpipe jogger puffin zinger unopened lilac oust waking vitals abrasive pencil rejoices hull syringe gags fuming ensign sneeze tyrant otter bluntly abrasive';

test.each([
  `MNEMONIC="[${WRONG}]"\nPORT=80`,
  `MNEMONIC=[${WRONG}]\nPORT=80`,
  `mnemonic: '[${MONERO}]',`,
  `const mnemonic: string = "[${WRONG}]";`,
  `Recovery phrase: [${WRONG}]`,
  `backup phrase: [${WRONG}]`,
  `my seed phrase is [${WRONG}].\nWhy?`,
  `{\\"mnemonic\\": \\"[${WRONG}]\\"}`,
  `MNEMONIC=[${WRONG.toUpperCase()}]`,
  // The other languages, from the vectors of bip-0039.
  `mnemonic = "[abaisser abaisser abaisser abaisser abaisser abaisser abaisser abaisser abaisser abaisser abaisser abeille]"`,
  `mnemonic = "[的 的 的 的 的 的 的 的 的 的 的 在]"`,
  `mnemonic = "[あいこくしん　あいこくしん　あいこくしん　あいこくしん　あいこくしん　あいこくしん　あいこくしん　あいこくしん　あいこくしん　あいこくしん　あいこくしん　あおぞら]"`,
  `mnemonic = "[가격 가격 가격 가격 가격 가격 가격 가격 가격 가격 가격 가능]"`,
])('the phrase in %s', (text) => {
  const secret = /\[([^\]]*)\]/;
  expect(redacted(text.replace(secret, '$1'))).toBe(text.replace(secret, '##PRIVATE_KEY##'));
});

test.each([
  'mnemonic: the twelve words that your wallet shows when you create an account',
  'mnemonic: "enter twelve words from any wallet that supports BIP39 standard phrases here now"',
  'Recovery phrase: write down these twelve words and keep them somewhere very safe please',
  `note: "${WRONG}"`,
  `mnemonic: "${WRONG} more words"`,
  'seed words: arrive art artefact artist artwork ask aspect assault asset assist assume attack',
  'mnemonic = generateMnemonic(128)',
])('no phrase in %s', (text) => {
  expect(redacted(text)).toBe(text);
});

test('members of JSON', () => {
  const value = {
    mnemonic: WRONG,
    seedPhrase: MONERO,
    secretPhrase: WRONG,
    mnemonic_hint: 'twelve words',
    note: WRONG,
  };
  expect(redactJson(value, { detectors, keys: memberRules([]) }).value).toEqual({
    ...value,
    mnemonic: '##PRIVATE_KEY##',
    seedPhrase: '##PRIVATE_KEY##',
    secretPhrase: '##PRIVATE_KEY##',
  });
});
