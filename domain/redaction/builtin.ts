import { type BuiltinType, builtinTypes } from '#contract/settings.ts';
import { apiKey } from './keys/api-key.ts';
import { creditCard } from './personal-data/credit-card.ts';
import type { Detector } from './detector.ts';
import { email } from './personal-data/email.ts';
import { iban } from './personal-data/iban.ts';
import { ipAddress } from './personal-data/ip-addresses.ts';
import { macAddress } from './personal-data/mac-address.ts';
import { withNumbers } from './personal-data/named-numbers.ts';
import { namedPassword, namedSecret } from './named-secrets/named-secret.ts';
import { nationalId } from './personal-data/national-id.ts';
import { phone } from './personal-data/phone.ts';
import { privateKey } from './private-keys/private-key.ts';
import { authorization, jwt } from './http-credentials/request-credentials.ts';
import { personName, postalAddress } from './personal-data/structured-fields.ts';
import { urlCredentials } from './http-credentials/url-credentials.ts';
import { usSsn } from './personal-data/us-ssn.ts';

const detectors: Readonly<Record<BuiltinType, Detector>> = {
  PRIVATE_KEY: privateKey,
  JWT: jwt,
  API_KEY: apiKey,
  PASSWORD: namedPassword,
  SECRET: namedSecret,
  AUTHORIZATION: authorization,
  URL_CREDENTIALS: urlCredentials,
  EMAIL: email,
  CREDIT_CARD: creditCard,
  IBAN: iban,
  US_SSN: usSsn,
  NATIONAL_ID: nationalId,
  PHONE: phone,
  IP_ADDRESS: ipAddress,
  MAC_ADDRESS: macAddress,
  PERSON_NAME: personName,
  POSTAL_ADDRESS: postalAddress,
};

const byType = new Map(builtinTypes.map((type) => [type, withNumbers(detectors[type])] as const));

/** The detectors of these types, the most specific first, regardless of the order of `types`. */
export const builtinDetectors = (types: readonly BuiltinType[] = builtinTypes): Detector[] =>
  builtinTypes.flatMap((type) => (types.includes(type) ? (byType.get(type) ?? []) : []));
