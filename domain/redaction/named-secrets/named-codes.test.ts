import { expect, test } from 'vitest';
import { builtinDetectors } from '../builtin.ts';
import { memberRules } from '../member-rules.ts';
import { namedCodes } from './named-codes.ts';
import { redactJson } from '../redact-json.ts';

const rules = { detectors: builtinDetectors(), keys: memberRules([]) };
const redacted = <T>(value: T): T => redactJson(value, rules).value;

test.each(namedCodes)('$example', ({ example, counterExample }) => {
  expect(redacted(example.replaceAll(/[[\]]/g, ''))).toBe(
    example.replaceAll(/\[[^\]]*\]/g, '##PASSWORD##'),
  );
  expect(redacted(counterExample)).toBe(counterExample);
});

/** The codes are in brackets. */
test.each([
  'the PIN for the card is [4711], the CVV is [737]',
  'My pin is [4711].',
  'Die PIN lautet [4711]',
  'CVV [737], cvc: [7371], **CVC**: [737]',
  'export CARD_PIN=[471193]\nexport PORT=4711',
  'const pin = "[4711]";',
  'card=x&cvv=[737]&exp=1229',
  '<card><cvv>[737]</cvv></card>',
  'Your OTP is [482913]. Do not share it.',
  'Your one-time code: [482913]',
  'npm publish --otp=[482913]',
  'pay --card-pin [47119]',
  'mfa_code=[482913] totp: [4829] 2FA code is [482913]',
  'recovery codes:\n- [4f3a1-9bc2e]\n- [4f3a2-9bc2f]\n\nKeep them safe.',
  'Backup codes:\n1. [1234 5678]\n2. [2345 6789]\n',
  'backup codes: [12345-67890], [abcd-efgh], and so on',
  'recovery_codes = ["[abqzd-efxqh]", "[abqze-efxqi]"]',
  String.raw`log: {\"cvv\":\"[737]\",\"pin\":\"[4711]\"} end`,
])('the codes in %j', (marked) => {
  const codes = /\[((?:\d{3,8}|[a-z\d]{4,5}[- ][a-z\d]{4,5}))\]/g;
  expect(redacted(marked.replaceAll(codes, '$1'))).toBe(marked.replaceAll(codes, '##PASSWORD##'));
});

test.each([
  [{ cvv: '737' }, { cvv: '##PASSWORD##' }],
  [{ cardCvc: 737 }, { cardCvc: '##PASSWORD##' }],
  [{ card_verification_value: '7371' }, { card_verification_value: '##PASSWORD##' }],
  [{ securityCode: '737' }, { securityCode: '##PASSWORD##' }],
  [{ pin: 4711 }, { pin: '##PASSWORD##' }],
  [{ pin_code: '4711' }, { pin_code: '##PASSWORD##' }],
  [{ card_pin: 471193 }, { card_pin: '##PASSWORD##' }],
  [{ otp: { value: '482913' } }, { otp: { value: '##PASSWORD##' } }],
  [{ totp_code: 482913 }, { totp_code: '##PASSWORD##' }],
  [
    { name: 'otp', value: '482913' },
    { name: 'otp', value: '##PASSWORD##' },
  ],
  [{ one_time_password: '482913' }, { one_time_password: '##PASSWORD##' }],
  [{ passcode: '4711' }, { passcode: '##PASSWORD##' }],
  [{ recoveryCodes: ['abcd-efgh', 'x'] }, { recoveryCodes: ['##PASSWORD##', 'x'] }],
  [{ backup_code: '12345-67890' }, { backup_code: '##PASSWORD##' }],
])('%j becomes %j', (value, expected) => {
  expect(redacted(value)).toEqual(expected);
  expect(redacted(JSON.stringify(value))).toBe(JSON.stringify(expected));
});

test.each<unknown>([
  { pin: 13, led_pin: 4, pins: [2, 13], pin_code: 560001, pincode: '560001' },
  { pin: true, cvv: 'M', cvc: null, otp: 27, securityCode: 100, security_code: '7203' },
  { password: 123, pass: 999, phone: 112, cvv: 12, cvv_result: 123, pin_count: 4711 },
  { otp: '27.1.2', otp_version: '2712', pin: '4.2.0', recovery_code: 'user-data' },
  { recovery_codes: ['in-progress', '20261102', 'production'] },
  'GPIO pin 13, pin 4711 of the board, LED pin: 13, pinMode: 4711, mapping: 4711, spin = 4711',
  'pin = 1234.5, pin: 2024-11-02, pin: 4711 ms, the pin is 4711 characters long',
  'Mumbai, Pincode: 560001 and PIN code 560001',
  'pin 4.2.0, pip pin numpy==1234, the CVV is 3 digits',
  'Erlang/OTP 27 [erts-15.0], OTP 26.2.5, OTP: 27, otp: 26',
  'if (pin === 4711) return; if (otp == 482913) return;',
  'recovery codes: keep them; recovery code: user-data; backup codes are shown once',
  'security code: 737, securityCode = 401, securityCode: SecurityCode.Missing',
])('nothing in %j', (value) => {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  expect(redacted(value)).toEqual(value);
  expect(redacted(text)).toBe(text);
});
