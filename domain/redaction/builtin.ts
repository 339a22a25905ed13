import { type BuiltinType, builtinTypes } from '#contract/settings.ts';
import { apiKey } from './api-key.ts';
import { creditCard } from './credit-card.ts';
import type { Detector } from './detector.ts';
import { email } from './email.ts';
import { iban } from './iban.ts';
import { ipAddress } from './ip-addresses.ts';
import { macAddress } from './mac-address.ts';
import { withNumbers } from './named-numbers.ts';
import { namedPassword, namedSecret } from './named-secret.ts';
import { nationalId } from './national-id.ts';
import { phone } from './phone.ts';
import { privateKey } from './private-key.ts';
import { authorization, jwt } from './request-credentials.ts';
import { personName, postalAddress } from './structured-fields.ts';
import { urlCredentials } from './url-credentials.ts';
import { usSsn } from './us-ssn.ts';

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
