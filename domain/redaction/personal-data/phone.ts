import { callingCodeOf, isInternational } from './calling-codes.ts';
import { type Detector, endOf, type Finding, isAlphanumeric, regexDetector } from '../detector.ts';
import { wordsOfName } from '../named-secrets/secret-names.ts';
import { nearNumbers } from '../text-index.ts';

/** E.164 allows 15 digits, the country code included. Numbers with fewer than nine are rare. */
const MAX_DIGITS = 15;
const MIN_DIGITS = 9;

const digitsOf = (text: string): string => text.replaceAll(/\D/g, '');

// The lookahead requires enough digits, so other text costs nothing more.
const plus = /(?<![A-Za-z0-9+])\+(?=[1-9](?:[ ().\-/]{0,2}\d){8})/g;
const group = /(?: ?\(\d{1,4}\) ?|[ .\-/])?\d{1,15}/y;

/** Numbers with a country code: `+49 (0)30 1234567`, `+1-202-555-0143`. */
function findInternational(text: string): Finding[] {
  if (!text.includes('+')) return [];
  const findings: Finding[] = [];
  plus.lastIndex = 0;
  for (let match = plus.exec(text); match; match = plus.exec(text)) {
    const end = endOfNumber(text, plus.lastIndex);
    if (end === -1) continue;
    findings.push({ start: match.index, end });
    plus.lastIndex = end;
  }
  return findings;
}

const trunkZero = /^ ?\(0/;

/** The end of the longest prefix of digit groups that is a valid number, or -1. */
function endOfNumber(text: string, from: number): number {
  let found = -1;
  let digits = '';
  let end = endOf(group, text, from);
  while (end !== -1) {
    const first = digits === '';
    digits = digitsOf(text.slice(from, end));
    // The country code is written without separators: `+3.1415926535` is not a number of +31. Its
    // last digit can be the zero before the area code: `+38 (067)` is a number of +380.
    if (digits.length > MAX_DIGITS) break;
    if (first && callingCodeOf(digits) === undefined && !trunkZero.test(text.slice(end, end + 3)))
      break;
    if (digits.length >= MIN_DIGITS && isInternational(digits) && !isAlphanumeric(text, end))
      found = end;
    end = endOf(group, text, end);
  }
  return found;
}

/** Numbers in North American notation: `(202) 555-0143`, `202-555-0143`, `1.202.555.0143`. */
const northAmerican = regexDetector({
  type: 'PHONE',
  prefilter: /\d\d\)?[ .-]?\d{3}[ .-]\d{4}/,
  pattern:
    /(?<![A-Za-z0-9])(?<!\d[-./])(?<!(?:build|version|release|rev)[ :]{1,2})(?:1[ .-])?(?:\([2-9]\d\d\)[ -]?[2-9]\d\d[ .-]|[2-9]\d\d-[2-9]\d\d-|[2-9]\d\d\.[2-9]\d\d\.)\d{4}(?![A-Za-z0-9])(?![-.]\d)/gi,
});

/** A date, or a range of times. */
const isTime = (text: string): boolean =>
  /^(?:19|20)\d\d[-./][01]\d[-./][0-3]\d(?!\d)|^[012]?\d\.[0-5]\d ?- ?[012]?\d\.[0-5]\d$/.test(
    text,
  );

/** A domestic number of any country. */
function isNational(text: string): boolean {
  const digits = digitsOf(text).length;
  return digits >= 7 && digits <= MAX_DIGITS && !isTime(text);
}

/**
 * Words that announce a number, in languages of Europe and East Asia. Compounds end with one of them or
 * with the word for a number: `Telefonnummer`, `numéro de téléphone`.
 */
const latin = [
  '(?:tele)?(?:phone|tel|mobile|fax)|cell[ -]?phone|whatsapp|(?:mobil|fest)?telefon|tlf|mobil|handy|ruf|rufnummer|durchwahl',
  'telefax|telefoon|mobiel|gsm|tél|téléphone|portable|teléfono|telefono|móvil',
  'celular|cellulare|telefone|telemóvel|komórka|puhelin|puh|matkapuhelin|telefonszám|cep',
  'cep telefonu|tel\\. kom|kom',
];
const invitation = String.raw`(?:call|text|ring|phone|reach|contact) (?:me|us|him|her|them)(?: back)? (?:at|on|under)`;
/** Lists, because a raw template must be ASCII in the bundle (`control-plane/build.ts`). */
const cyrillicAndGreek =
  'телефон|тел|моб|мобильный|τηλέφωνο|τηλ|κινητό|טלפון|נייד|هاتف|جوال|मोबाइल|फ़ोन|फोन|โทร|โทรศัพท์'.split(
    '|',
  );
const eastAsian =
  '電話|電話番号|携帯|携帯電話|携帯番号|电话|电话号码|手机|手机号|手机号码|手機|手機號碼|전화|전화번호|휴대폰|핸드폰|연락처'.split(
    '|',
  );
const suffixes = 's?nummer|nummern?|numarası|[ _-]?numbers?'.split('|');
const copulas = 'is|ist|lautet|est|es|è|é|to|är|er'.split('|');
const suffix = String.raw`(?:${suffixes.join('|')}|[ _-]?no\.?)?(?: (?:${copulas.join('|')}))?`;
/** Of the cells of a table, only those that are announced like a number: `cell: 555 1234567`. */
const cell = String.raw`cell(?: number|(?=\.?:|\.? \|))`;
/** After a header of CSV: the rest of the header, and the fields before in the first row. */
const firstRow = String.raw`["']?(?:[,;\t][^\n]{0,60}\r?\n(?:[^\n]{0,60}[,;\t])?|\r?\n[^\n]{0,60}[,;\t])["']?`;
/** Between a label and its value in HTML. */
const htmlBetween = String.raw`[:\s]{0,3}(?:</[a-z]{1,10}>[:\s]{0,12}){1,2}(?:<[a-z]{1,10}(?: [^<>\n]{0,60})?>\s{0,8}){1,2}`;
/** Tests, at the start of a number, whether such a word is before it. */
const announced = new RegExp(
  String.raw`(?<=(?:(?<!\p{L})(?:(?:${latin.join('|')}|${cyrillicAndGreek.join('|')})${suffix}|${invitation}|${cell})|${eastAsian.join('|')})(?:[^\p{L}\d\n+(]{1,6}|${htmlBetween}|${firstRow}))`,
  'iuy',
);
const digitGroups = /(?<!\d)\(?\d(?:[ .()/-]{0,4}\d){6,17}(?![A-Za-z\d])/g;

/** `415 234 5678`, which is a phone number after a verb only. */
const spaced = /^[2-9]\d\d [2-9]\d\d \d{4}$/;
const verb = /(?<=(?<![a-z])(?:call|text|ring|phone|reach|contact|dial) [^\d\n]{0,24})/iy;

/** Numbers right after a word that announces them: `Tel.: 030 1234567`. */
function findAnnounced(text: string): Finding[] {
  const findings: Finding[] = [];
  digitGroups.lastIndex = 0;
  for (let match = digitGroups.exec(text); match; match = digitGroups.exec(text)) {
    const [number] = match;
    const start = match.index;
    const isAnnounced =
      (endOf(announced, text, start) !== -1 && isNational(number)) ||
      (spaced.test(number) && endOf(verb, text, start) !== -1);
    if (isAnnounced) findings.push({ start, end: digitGroups.lastIndex });
  }
  return findings;
}

/** Members that hold a phone number: `phone`, `homePhone`, `mobile_number`, `fax`. */
const phoneWords = new Set(
  `phone telephone tel mobile cellphone fax whatsapp msisdn telefon telefono telefone telefoon telefax
  handy handynummer telefonnummer mobilnummer faxnummer telefoonnummer mobil mobiel movil celular
  cellulare telemovel`.split(/\s+/),
);
const numberWords = new Set('number no nr num nummer e164'.split(' '));

export function isPhoneName(member: string): boolean {
  const words = wordsOfName(member).map((word) => word.replace(/(?<=[a-z]{3})\d$/, ''));
  if (numberWords.has(words.at(-1) ?? '')) words.pop();
  const [last = '', before = ''] = words.toReversed();
  return phoneWords.has(last) || (before === 'cell' && last === 'phone');
}

const wholeNumber = /^\s?\+?\(?\d(?:[ .()/-]{0,4}\d){6,17}(?: ?(?:x|ext\.? ?)\d{1,6})?\s?$/i;

export const phone: Detector = {
  type: 'PHONE',
  minLength: 9,
  find: nearNumbers((text) => [
    ...findInternational(text),
    ...northAmerican.find(text),
    ...findAnnounced(text),
  ]),
  ofMember: (member) =>
    isPhoneName(member)
      ? (value) => value.length <= 40 && wholeNumber.test(value) && isNational(value)
      : undefined,
};
