import type { Detector } from '../detector.ts';
import { isNameLabel } from './name-labels.ts';
import { wordsOfName } from '../named-secrets/secret-names.ts';

/** Members that hold a person's data which the value alone does not reveal. */
export interface StructuredField {
  type: 'PERSON_NAME' | 'POSTAL_ADDRESS';
  /** The last words of the member's name, in any spelling: `first name` includes `firstName`. */
  names: readonly string[];
  /** The format of its values. */
  value: RegExp;
  source: string;
  /** Pairs of a member and its value. */
  example: readonly [member: string, value: string];
  counterExample: readonly [member: string, value: string];
}

/**
 * Letters of any script with separators between the parts of a name. Paths, ids and sentences do
 * not match.
 */
const name = /^\p{L}[\p{L}\p{M}'’.-]{0,40}(?:,? [\p{L}\p{M}'’.-]{1,40}){0,5}$/u;
/** A street has letters, and a number or a second word. */
const street = /^(?=.{0,200}\p{L})(?=.{0,200}[\p{N}\s])(?!\w+:)[^@<>{}=\\_|]{4,200}$/su;
/** More than one word, so that wallets, hosts and ids do not match. */
const address = /^(?=.{0,200}\p{L})(?=.{0,200}\s)(?!\w+:)[^@<>{}=\\_|]{5,200}$/su;
const code = /^(?=.{0,10}\d)[A-Za-z\d][A-Za-z\d -]{2,9}$/;

/**
 * Some names are left out on purpose: `name`, `display_name`, `user_name` and `customer_name` also
 * name things, tools and companies; `address` also means a machine, mailbox or wallet; `city` and
 * `country` are common arguments of tools.
 */
export const structuredFields: readonly StructuredField[] = [
  {
    type: 'PERSON_NAME',
    names: ['first name', 'given name', 'given names', 'forename', 'fname', 'middle name'],
    value: name,
    source: 'OpenID Connect Core 5.1 given_name, schema.org givenName, WHATWG autofill given-name',
    example: ['customer_first_name', 'Jane'],
    counterExample: ['filename', 'Jane'],
  },
  {
    type: 'PERSON_NAME',
    names: ['last name', 'family name', 'surname', 'lname', 'maiden name', 'birth name'],
    value: name,
    source:
      'OpenID Connect Core 5.1 family_name, schema.org familyName, WHATWG autofill family-name',
    example: ['lastName', 'van der Berg'],
    counterExample: ['model_name', 'Opus'],
  },
  {
    type: 'PERSON_NAME',
    names: ['full name', 'person name', 'patient name', 'employee name', 'passenger name'],
    value: name,
    source: 'HL7 FHIR HumanName, schema.org Person',
    example: ['full_name', 'Jane O’Neil'],
    // GitHub calls a repository's name `full_name`.
    counterExample: ['full_name', 'octocat/hello-world'],
  },
  {
    type: 'PERSON_NAME',
    names: [
      'cardholder',
      'card holder',
      'cardholder name',
      'card holder name',
      'name on card',
    ].concat(['account holder', 'account holder name', 'cc name']),
    value: name,
    source: 'ISO/IEC 7813 track 1, WHATWG autofill cc-name',
    example: ['cardholderName', 'JANE DOE'],
    counterExample: ['card_name', 'Jane Doe'],
  },
  {
    type: 'POSTAL_ADDRESS',
    names: ['street', 'street address', 'street name', 'street line 1', 'street line 2']
      .concat(['address line', 'address line 1', 'address line 2', 'address line 3'])
      .concat(['address 1', 'address 2']),
    value: street,
    source: 'OpenID Connect Core 5.1.1 street_address, RFC 6350 ADR, WHATWG autofill address-line1',
    example: ['shipping_addressLine1', '12 Main Street'],
    counterExample: ['ip_address', '12 Main Street'],
  },
  {
    type: 'POSTAL_ADDRESS',
    names: ['home address', 'postal address', 'mailing address', 'billing address'].concat([
      'shipping address',
      'delivery address',
      'residential address',
      'formatted address',
    ]),
    value: address,
    source: 'schema.org PostalAddress, Google Geocoding formatted_address',
    example: ['homeAddress', 'Hauptstraße 5, 10115 Berlin'],
    counterExample: ['billing_address', '0x52908400098527886E0F7030069857D2E4169EE7'],
  },
  {
    type: 'POSTAL_ADDRESS',
    names: ['postal code', 'post code', 'zip code', 'zip'],
    value: code,
    source: 'OpenID Connect Core 5.1.1 postal_code, WHATWG autofill postal-code',
    example: ['postalCode', 'SW1A 1AA'],
    counterExample: ['zip', 'archive.zip'],
  },
];

/** Placeholders for values in schemas, forms, templates and tests. */
const placeholder =
  /^(?:string|text|str|varchar|null|none|nil|undefined|unknown|true|false|yes|no|n\/a|na|required|optional|example|test|todo|name)$/i;
const instruction =
  /^(?:enter|your|please|type|select|choose|the|a|an|e\.g\.|must|invalid|missing)\b/i;

const MAX_NAME_LENGTH = 80;
/** The key of a text in a file of translations: `Start typing a person name`. */
const sentence = /^\S+(?: \S+){3}/;

interface Field {
  /** Matches the words of a member's name, separated by blanks. */
  ending: RegExp;
  value: RegExp;
}

const fieldOf = ({ names, value }: StructuredField): Field => ({
  ending: new RegExp(`(?:^| )(?:${names.map((words) => words.replaceAll(' ', ' ?')).join('|')})$`),
  value,
});

/**
 * Creates a detector for values that only their member name identifies. It finds nothing in plain
 * text.
 */
function fieldDetector(type: StructuredField['type']): Detector {
  const fields = structuredFields.filter((field) => field.type === type).map(fieldOf);
  return {
    type,
    find: () => [],
    ofMember(member) {
      if (member.length > MAX_NAME_LENGTH || sentence.test(member)) return undefined;
      const words = wordsOfName(member).join(' ');
      const field = fields.find(({ ending }) => ending.test(words));
      return (
        field &&
        ((value) =>
          field.value.test(value) &&
          isValue(words, value) &&
          !(type === 'PERSON_NAME' && isNameLabel(value)))
      );
    },
  };
}

/** A name with members in code, such as `Cache.invoice`. Initials and titles end with a dot, too. */
const identifier =
  /^(?!(?:Dr|Prof|St|Mr|Mrs|Ms|Hr|Fr|Sr|Jr)\.)[\p{L}\p{N}_$]{2,}(?:\.[\p{L}\p{N}_$]+)+$/u;

/** Whether the value is neither a placeholder nor the name of the field itself, such as a label. */
const isValue = (words: string, value: string): boolean =>
  !placeholder.test(value) &&
  !instruction.test(value) &&
  !identifier.test(value) &&
  !words.endsWith(value.toLowerCase());

export const personName = fieldDetector('PERSON_NAME');
export const postalAddress = fieldDetector('POSTAL_ADDRESS');
