import { endOf, type Finding } from '../detector.ts';
import { wordsOfName } from './secret-names.ts';
import type { TriggerWords } from '../search/trigger-words.ts';
import { areWords } from './words.ts';

/** A short code that grants access, such as a PIN. Only its name distinguishes it from other numbers. */
export interface NamedCode {
  /** The last words of the name, in any spelling: `card pin` includes `cardPin`. */
  names: readonly string[];
  /** The source of a pattern for the code. */
  value: string;
  /** Further tests of the code. */
  accepts?: (code: string) => boolean;
  /** Numbers of this name mean something else, so that the code is a string. */
  isText?: true;
  /** A blank between the name and the code is enough. */
  isBeside?: true;
  source: string;
  /** The code is in brackets. */
  example: string;
  counterExample: string;
}

/** Words before `pin` without which it may also be a postal code of India, or of a circuit. */
const OWNERS =
  'card, atm, sim, bank, debit card, credit card, account, user, login, device, alarm, wallet, unlock, transaction, upi'.split(
    ', ',
  );
const FACTORS =
  'otp, totp, otp code, totp code, mfa code, 2 fa code, one time code, one time pin, two factor code'.split(
    ', ',
  );

/** Letters and digits in groups of the same length, or without groups. */
const RECOVERY = String.raw`(?:[A-Za-z\d]{4}(?:[- ][A-Za-z\d]{4}){1,7}|[A-Za-z\d]{5}(?:-[A-Za-z\d]{5}){1,7}|[A-Za-z\d]{6}(?:-[A-Za-z\d]{6}){1,5}|[A-Za-z\d]{8,16})(?![A-Za-z\d])`;

/** Words in groups are no code: `user-data`. */
const isRecoveryCode = (code: string): boolean =>
  /\d/.test(code)
    ? !/^(?:19|20)\d{6}$/.test(code)
    : /[- ]/.test(code) && !areWords(code.split(/[- ]/));

/** The first one whose name fits counts. */
export const namedCodes: readonly NamedCode[] = [
  {
    names: ['cvv', 'cvv2', 'cvc', 'cvc2', 'cvv code', 'cvc code', 'cvv number', 'cvc number']
      .concat(['card verification value', 'card verification code', 'card verification number'])
      .concat(['card security code', 'cc csc']),
    value: String.raw`\d{3,4}`,
    isBeside: true,
    source: 'EMV Book 4, WHATWG autofill cc-csc',
    example: 'exp. 12/29, CVV: [737]',
    counterExample: 'the CVV is 3 digits, cvc5 1.2.0, cvv: M',
  },
  {
    // Securities have four digits or more, and enumerations are numbers.
    names: ['security code'],
    value: String.raw`\d{3}`,
    isText: true,
    source: 'docs.adyen.com/api-explorer, developer.worldpay.com',
    example: '{"securityCode": "[737]"}',
    counterExample: '{"securityCode": "7203"}, {"securityCode": 100}',
  },
  {
    names: OWNERS.map((owner) => `${owner} pin`).concat(['card pin code']),
    value: String.raw`\d{4,8}`,
    source: 'ISO 9564-1, 3GPP TS 31.101',
    example: 'cardPin = "[471193]"',
    counterExample: 'user_pin_count: 471193',
  },
  {
    names: ['pin', 'pin code', 'pincode', 'pin number'],
    // Others are pins of circuits, or postal codes of India, which have six digits.
    value: String.raw`\d{4}`,
    source: 'ISO 9564-1',
    example: 'my PIN is [4711]',
    counterExample: 'pin: 13, PIN code 560001, pin 4.2.0, "pin": true',
  },
  {
    names: FACTORS,
    value: String.raw`\d{4,8}`,
    source: 'RFC 4226, RFC 6238, docs.npmjs.com/cli/commands/npm-publish#otp',
    example: 'npm publish --otp [482913]',
    counterExample: 'Erlang/OTP 27, otp: 26.2.5, otp_length: 482913',
  },
  {
    names: ['recovery', 'backup', 'scratch', 'emergency'].flatMap((kind) => [
      `${kind} code`,
      `${kind} codes`,
    ]),
    value: RECOVERY,
    accepts: isRecoveryCode,
    source:
      'docs.github.com/authentication/securing-your-account-with-two-factor-authentication-2fa/configuring-two-factor-authentication-recovery-methods',
    example: 'recovery code: [4f3a1-9bc2e]',
    counterExample: 'recovery code: user-data, backup code: in-progress',
  },
];

/** What tells that a number is a quantity or a part of another number. */
const end = String.raw`(?![\w%])(?![.,:/+-]\w)(?!\s{0,2}(?:digits?|char(?:acter)?s?|numbers?|bytes?|bits?|ms|s|secs?|seconds?|minutes?|hours?|days?|times?|attempts?)\b)`;

const rules = namedCodes.map(({ names, value, accepts = () => true, isText, isBeside }) => ({
  ending: new RegExp(`(?:^| )(?:${names.map((name) => name.replaceAll(' ', ' ?')).join('|')})$`),
  whole: new RegExp(`^(?:${value})$`),
  inText: new RegExp(`(?:${value})${end}`, 'y'),
  accepts,
  isText: isText ?? false,
  isBeside: isBeside ?? false,
}));

type Rule = (typeof rules)[number];

const MAX_NAME_LENGTH = 60;

function ruleFor(name: string): Rule | undefined {
  const words = wordsOfName(name.slice(-MAX_NAME_LENGTH)).join(' ');
  return rules.find(({ ending }) => ending.test(words));
}

/** A check of the whole string in a member of this name. */
export function codeOfMember(member: string): ((value: string) => boolean) | undefined {
  const rule = ruleFor(member);
  return rule && ((value) => rule.whole.test(value) && rule.accepts(value));
}

/** Like `codeOfMember`, for numbers. */
export function codeOfNumber(member: string): ((digits: string) => boolean) | undefined {
  return ruleFor(member)?.isText === false ? codeOfMember(member) : undefined;
}

/** The name at one of its words, with a word or two before it. */
const nameAt =
  /(?<=(?<![\w-])((?:[A-Za-z\d-]{1,20} ){0,2}[\w.-]{0,40}))(?:(?:cvv2?|cvc2?|otp|pin)(?:[ _-]?(?:code|number))?|(?:verification|security|recovery|backup|scratch|emergency|mfa|2fa|factor|time)[ _-]?(?:codes?|value|number))(?![A-Za-z\d_-])/iy;
/** A part of a longer word: `mapping`. */
const isPartOfWord = /(?<=[a-z])pin|(?<=[a-su-z])otp|(?<=[A-Z])PIN|(?<=[A-SU-Z])OTP/y;

const quote = String.raw`\\{0,7}["'\x60*_]{0,3}`;
const assigned = new RegExp(
  String.raw`${quote}\]?[ \t]{0,20}(?:=>|:=|[:=])(?![:=])\s{0,3}[ \t]{0,20}${quote}`,
  'y',
);
const said = new RegExp(
  String.raw`${quote}(?: (?:for|of|to|on)(?: [\w'-]{1,20}){1,4}?)? (?:is|are|was|ist|lautet|est|es)(?: (?:now|still))?:? {1,2}${quote}`,
  'iy',
);
const inElement = />(?=[^<\n]{1,100}<\/)/y;
const beside = / {1,2}(?=\d)/y;
/** At the end of the name of an option. */
const option = /(?<=(?:^|\s)--[\w-]{0,40})/y;

/** Before the first code of a list, and between a code and the next one. */
const bullet = String.raw`(?:(?:[-*\u2022]|\d{1,2}[.)])\s{1,2})?["'\x60]?`;
const startOfList = new RegExp(String.raw`\s{0,3}\[?\s{0,3}${bullet}`, 'y');
const nextOfList = new RegExp(String.raw`["'\x60]?,?\s{1,3}${bullet}`, 'y');
const MAX_CODES = 24;

/** The codes next to their names in text. */
export function findCodes(text: string, words: TriggerWords): Finding[] {
  const findings: Finding[] = [];
  let done = 0;
  for (const word of words('code')) {
    if (word < done) continue;
    nameAt.lastIndex = word;
    const [name, before = ''] = (endOf(isPartOfWord, text, word) === -1 && nameAt.exec(text)) || [];
    if (name === undefined) continue;
    done = word + name.length;
    const rule = ruleFor(before + name);
    const start = rule ? startOfValue(text, rule, word - before.length, done) : -1;
    if (rule && start !== -1) done = Math.max(done, addCodes(findings, text, rule, start));
  }
  return findings;
}

/** The start of the value after a name, or -1. */
function startOfValue(
  text: string,
  { isText, isBeside }: Rule,
  nameStart: number,
  nameEnd: number,
): number {
  const found = endOf(assigned, text, nameEnd);
  if (isText) return found !== -1 && /["']/.test(text.charAt(found - 1)) ? found : -1;
  if (found !== -1) return found;
  const spoken = endOf(said, text, nameEnd);
  if (spoken !== -1) return spoken;
  if (text[nameStart - 1] === '<') return endOf(inElement, text, nameEnd);
  const isOption = endOf(option, text, nameEnd) !== -1;
  return isBeside || isOption ? endOf(beside, text, nameEnd) : -1;
}

/** Adds the code at a position and those that follow it in a list, and returns their end. */
function addCodes(findings: Finding[], text: string, rule: Rule, first: number): number {
  const isList = rule.accepts === isRecoveryCode;
  let end = first;
  let start = isList ? endOf(startOfList, text, first) : first;
  for (let count = 0; count < MAX_CODES && start !== -1; count += 1) {
    const codeEnd = endOf(rule.inText, text, start);
    if (codeEnd === -1 || !rule.accepts(text.slice(start, codeEnd))) break;
    findings.push({ start, end: codeEnd });
    end = codeEnd;
    start = isList ? endOf(nextOfList, text, end) : -1;
  }
  return end;
}
