import type { BuiltinType } from '#contract/settings.ts';
import { isCardNumber } from './credit-card.ts';
import type { Detector } from '../detector.ts';
import {
  isAustralian,
  isBelgian,
  isBrazilian,
  isBritishHealth,
  isCanadian,
  isDutch,
  isFrench,
  isGerman,
  isIndian,
  isKorean,
  isNorwegian,
  isPolish,
  isPortuguese,
  isRomanian,
  isSouthAfrican,
  isSwedish,
  isSwiss,
  isTurkish,
} from './national-id-checks.ts';
import { codeOfNumber } from '../named-secrets/named-codes.ts';
import { isPhoneName } from './phone.ts';
import { secretKindOf, wordsOfName } from '../named-secrets/secret-names.ts';
import { isAssignable } from './us-ssn.ts';

/** JSON numbers that their member's name identifies, with the check digits of their type. */
export interface NamedNumber {
  type: BuiltinType;
  /** The last words of the member's name, in any spelling: `card number` includes `cardNumbers`. */
  names: readonly string[];
  /** The lengths of the number. Leading zeros are lost in JSON, so up to two may be missing. */
  lengths: readonly number[];
  isValid: (digits: string) => boolean;
  source: string;
  example: readonly [member: string, value: number];
  counterExample: readonly [member: string, value: number];
}

const nationalId = (
  names: string,
  lengths: readonly number[],
  isValid: NamedNumber['isValid'],
  source: string,
  example: NamedNumber['example'],
  counterExample: NamedNumber['example'],
): NamedNumber => ({
  type: 'NATIONAL_ID',
  names: names.split(', '),
  lengths,
  isValid,
  source,
  example,
  counterExample,
});

/**
 * A bare number is never redacted: one in ten ids of a fitting length passes the check of a card.
 * `isValid` alone would be no reason either, so the names are those of the number itself.
 */
export const namedNumbers: readonly NamedNumber[] = [
  {
    type: 'CREDIT_CARD',
    names: ['card', 'card number', 'card no', 'card num', 'cc number', 'cc num', 'cc no']
      .concat(['credit card', 'debit card', 'payment card'])
      .concat(['pan', 'primary account number']),
    lengths: [12, 13, 14, 15, 16],
    isValid: (digits) => isCardNumber(digits, 0, digits.length),
    source: 'ISO/IEC 7812-1, WHATWG autofill cc-number',
    example: ['card_number', 4111111111111111],
    counterExample: ['card_id', 4111111111111111],
  },
  {
    type: 'US_SSN',
    names: ['ssn', 'social security', 'social security number', 'social security no'],
    lengths: [9],
    isValid: (digits) => isAssignable(digits),
    source: 'ssa.gov/employer/stateweb.htm',
    example: ['ssn', 536904399],
    counterExample: ['ssn', 666123456],
  },
  nationalId(
    'cpf, numero cpf',
    [11],
    isBrazilian,
    'gov.br/receitafederal',
    ['cpf', 52998224725],
    ['cpf', 52998224726],
  ),
  nationalId('pesel', [11], isPolish, 'gov.pl', ['pesel', 44051401359], ['pesel', 44051401358]),
  nationalId(
    'aadhaar, aadhar, aadhaar number, aadhar number, uidai',
    [12],
    isIndian,
    'uidai.gov.in',
    ['aadhaarNumber', 234123412346],
    ['uid', 234123412346],
  ),
  nationalId(
    'bsn, burgerservicenummer',
    [9],
    isDutch,
    'rvig.nl',
    ['bsn', 111222333],
    ['bsn', 111222334],
  ),
  nationalId(
    'nif, contribuinte',
    [9],
    isPortuguese,
    'portaldasfinancas.gov.pt',
    ['nif', 123456789],
    ['nif', 123456788],
  ),
  nationalId(
    'tfn, tax file number',
    [9],
    isAustralian,
    'ato.gov.au',
    ['tfn', 123456782],
    ['tfn', 123456783],
  ),
  nationalId(
    'sin, social insurance number',
    [9],
    isCanadian,
    'canada.ca',
    ['sin', 46454286],
    ['sin', 46454287],
  ),
  nationalId(
    'nhs, nhs number, nhs no',
    [10],
    isBritishHealth,
    'datadictionary.nhs.uk',
    ['nhs_number', 9434765919],
    ['nhs_number', 9434765918],
  ),
  nationalId(
    'steuer id, steueridentifikationsnummer, idnr, steuer id nr',
    [11],
    isGerman,
    'bzst.de',
    ['steuerId', 86095742719],
    ['steuerId', 86095742718],
  ),
  nationalId(
    'nir, numero securite sociale, secu',
    [15],
    isFrench,
    'service-public.fr',
    ['nir', 255081416802538],
    ['nir', 255081416802539],
  ),
  nationalId(
    'fodselsnummer, fnr',
    [11],
    isNorwegian,
    'skatteetaten.no',
    ['fnr', 1010750160],
    ['fnr', 1010750161],
  ),
  nationalId(
    'personnummer, personal identity number',
    [10, 12],
    isSwedish,
    'skatteverket.se',
    ['personnummer', 8112289874],
    ['personnummer', 8112289875],
  ),
  nationalId(
    'rijksregisternummer, insz, niss, numero registre national',
    [11],
    isBelgian,
    'ibz.rrn.fgov.be',
    ['insz', 85073003328],
    ['insz', 85073003329],
  ),
  nationalId(
    'ahv, ahv number, ahv nr, avs, ahvn13',
    [13],
    isSwiss,
    'zas.admin.ch',
    ['ahvNumber', 7569217076985],
    ['ahvNumber', 7569217076984],
  ),
  nationalId(
    'cnp, cod numeric personal',
    [13],
    isRomanian,
    'depabd.mai.gov.ro',
    ['cnp', 1800101221144],
    ['cnp', 1800101221145],
  ),
  nationalId(
    'tckn, tc kimlik no, tc kimlik, tc no',
    [11],
    isTurkish,
    'nvi.gov.tr',
    ['tckn', 10000000146],
    ['tckn', 10000000147],
  ),
  nationalId(
    'id number, identity number, national id, national id number',
    [13],
    isSouthAfrican,
    'dha.gov.za',
    ['id_number', 8001015009087],
    ['id', 8001015009087],
  ),
  nationalId(
    'rrn, resident registration number',
    [13],
    isKorean,
    'mois.go.kr',
    ['rrn', 9001011234568],
    ['rrn', 9001011234567],
  ),
];

const MAX_LOST_ZEROS = 2;

/** The number with the leading zeros that make it one of the lengths. */
function paddedTo(lengths: readonly number[], digits: string): string | undefined {
  const length = lengths.find(
    (length) => length >= digits.length && length - digits.length <= MAX_LOST_ZEROS,
  );
  return length === undefined ? undefined : digits.padStart(length, '0');
}

type OfNumber = NonNullable<Detector['ofNumber']>;
type OfMember = NonNullable<Detector['ofMember']>;

interface NamedRule {
  /** Matches the words of a member's name. */
  ending: RegExp;
  accepts: (digits: string) => boolean;
  /** For strings, which may have separators. */
  acceptsText: (text: string) => boolean;
}

const separated = /^\d(?:[ ./-]?\d){5,30}$/;

function ruleOf({ names, lengths, isValid }: NamedNumber): NamedRule {
  const words = names.map((name) => name.replaceAll(' ', ' ?')).join('|');
  const accepts = (digits: string): boolean => {
    const padded = paddedTo(lengths, digits);
    return padded !== undefined && isValid(padded);
  };
  return {
    ending: new RegExp(`(?:^| )(?:${words})s?$`),
    accepts,
    acceptsText: (text) => separated.test(text) && accepts(text.replaceAll(/\D/g, '')),
  };
}

/** Returns a function that finds the rule of this type for a member's name. */
function namedRulesOf(type: string): ((member: string) => NamedRule | undefined) | undefined {
  const rules = namedNumbers.filter((rule) => rule.type === type).map(ruleOf);
  if (rules.length === 0) return undefined;
  return (member) => {
    const words = wordsOfName(member.slice(-MAX_NAME_LENGTH)).join(' ');
    return rules.find(({ ending }) => ending.test(words));
  };
}

const MAX_NAME_LENGTH = 80;
const MIN_PHONE_DIGITS = 9;
const MIN_PASSWORD_DIGITS = 4;

/** A number named `pass` is usually a count of passed tests. */
const countName = /pass$/i;

/** Types whose numbers have no check digits. */
const unchecked: Partial<Record<string, OfNumber>> = {
  PHONE: (member) =>
    isPhoneName(member)
      ? (digits) => digits.length >= MIN_PHONE_DIGITS && digits.length <= 15
      : undefined,
  PASSWORD: (member) =>
    secretKindOf(member) === 'password' && !countName.test(member)
      ? (digits) => digits.length >= MIN_PASSWORD_DIGITS
      : codeOfNumber(member),
};

/** The detector, extended to JSON numbers of its type, and to strings that are such a number. */
export function withNumbers(detector: Detector): Detector {
  const always = unchecked[detector.type];
  if (always) return { ...detector, ofNumber: always };
  const ruleFor = namedRulesOf(detector.type);
  if (!ruleFor) return detector;
  const ofMember: OfMember = (member) => {
    const [own, rule] = [detector.ofMember?.(member), ruleFor(member)];
    if (!own || !rule) return own ?? rule?.acceptsText;
    return (value) => own(value) || rule.acceptsText(value);
  };
  const ofNumber: OfNumber = (member) => {
    const [own, rule] = [detector.ofNumber?.(member), ruleFor(member)];
    if (!own || !rule) return own ?? rule?.accepts;
    return (digits) => own(digits) || rule.accepts(digits);
  };
  return { ...detector, ofNumber, ofMember };
}
