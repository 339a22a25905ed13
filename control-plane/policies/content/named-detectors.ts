import type { BuiltinType } from '#contract/settings.ts';
import { builtinDetectors } from '#domain/redaction/builtin.ts';
import {
  awsKey,
  genericToken,
  githubToken,
  namedApiKey,
  ownKey,
  password,
  secret,
} from '#control-plane/policies/content/named-credentials.ts';
import type { Detector } from '#domain/redaction/detector.ts';
import {
  cardFormat,
  ssnFormat,
  usPhoneFormat,
} from '#control-plane/policies/content/unchecked-number-formats.ts';

/** Detectors by the name that policy rules use. The placeholder is the name in capitals. */
type Named = Readonly<Record<string, readonly Detector[]>>;

export const personalData = {
  ssn: [...builtinDetectors(['US_SSN']), ssnFormat],
  email: builtinDetectors(['EMAIL']),
  phone: [...builtinDetectors(['PHONE']), usPhoneFormat],
  credit_card: [...builtinDetectors(['CREDIT_CARD']), cardFormat],
  iban: builtinDetectors(['IBAN']),
  national_id: builtinDetectors(['NATIONAL_ID']),
  ip_address: builtinDetectors(['IP_ADDRESS']),
} satisfies Named;

/**
 * Credentials, the most specific names first, because several detectors can match the same text.
 */
export const credentials = {
  github_pat: [githubToken],
  aws_key: [awsKey],
  svc_key: [ownKey],
  password: [password, ...builtinDetectors(['PASSWORD'])],
  api_key: [namedApiKey],
  secret: [secret, ...builtinDetectors(['SECRET'])],
  token: [...builtinDetectors(['API_KEY']), genericToken],
  private_key: builtinDetectors(['PRIVATE_KEY']),
  jwt: builtinDetectors(['JWT']),
  authorization: builtinDetectors(['AUTHORIZATION']),
  url_credentials: builtinDetectors(['URL_CREDENTIALS']),
} satisfies Named;

/**
 * The built-in types as which a device redacts each name. A device has one type for all keys of a
 * recognizable form, and one for all secrets that are recognized by their name.
 */
export const redactedAs: Readonly<Record<PersonalData | Credential, readonly BuiltinType[]>> = {
  ssn: ['US_SSN'],
  email: ['EMAIL'],
  phone: ['PHONE'],
  credit_card: ['CREDIT_CARD'],
  iban: ['IBAN'],
  national_id: ['NATIONAL_ID'],
  ip_address: ['IP_ADDRESS'],
  github_pat: ['API_KEY'],
  aws_key: ['API_KEY'],
  svc_key: ['API_KEY'],
  password: ['PASSWORD'],
  api_key: ['API_KEY', 'SECRET', 'AUTHORIZATION'],
  secret: ['SECRET'],
  token: ['API_KEY', 'SECRET'],
  private_key: ['PRIVATE_KEY'],
  jwt: ['JWT'],
  authorization: ['AUTHORIZATION'],
  url_credentials: ['URL_CREDENTIALS'],
};

export type PersonalData = keyof typeof personalData;
export type Credential = keyof typeof credentials;

/** Members whose whole value is a credential, whatever its form. */
const members: Readonly<Partial<Record<Credential, readonly string[]>>> = {
  password: ['password', 'passwd', 'passphrase', 'pwd'],
  api_key: ['api_key', 'api-key', 'apikey', 'x-api-key'],
  secret: ['secret', 'secret_key', 'secretkey', 'client_secret', 'clientsecret'],
  authorization: ['authorization', 'proxy-authorization'],
};

/** Returns the names of such members, in lower case. */
export const membersOf = (name: Credential): readonly string[] => members[name] ?? [];

export const personalDataNames = Object.keys(personalData) as PersonalData[];
export const credentialNames = Object.keys(credentials) as Credential[];
