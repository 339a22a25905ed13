import { flag, type Keys, list, required, text, uuid } from './rule.ts';

const words = {
  PayloadIdentifier: required(text),
  PayloadUUID: required(uuid),
  PayloadVersion: required({ type: 'integer', oneOf: [1] }),
  PayloadDisplayName: text,
  PayloadDescription: text,
  PayloadOrganization: text,
} satisfies Keys;

/** The keys that every payload has. */
export const commonKeys: Keys = { ...words, PayloadType: required(text) };

/** The keys of the profile that contains the payloads. */
export const topLevelKeys: Keys = {
  ...words,
  PayloadType: required({ type: 'string', oneOf: ['Configuration'] }),
  PayloadContent: required(list({ type: 'dictionary', each: { type: 'any' } })),
  PayloadScope: { type: 'string', oneOf: ['System', 'User'], since: '10.8' },
  PayloadRemovalDisallowed: flag,
  PayloadExpirationDate: { type: 'date' },
  TargetDeviceType: { type: 'integer', oneOf: [0, 1, 2, 3, 4, 5], since: '10.15' },
  ConsentText: { type: 'dictionary', each: text },
  RemovalDate: { type: 'date' },
  DurationUntilRemoval: { type: 'real' },
  HasRemovalPasscode: flag,
  IsEncrypted: flag,
  EncryptedPayloadContent: { type: 'data' },
};
