import { payloadSchemas } from './payloads.ts';
import { commonKeys, topLevelKeys } from './profile-keys.ts';
import { checkKeys, type Dictionary, isDictionary } from './rule.ts';

/**
 * Validates a parsed profile against Apple's published schema. Returns one line per problem. A
 * payload of a custom type is a preference domain, which may have any keys beyond the common ones.
 */
export function checkAgainstSchema(profile: unknown): string[] {
  if (!isDictionary(profile)) return ['profile: expected a dictionary'];
  const content = profile['PayloadContent'];
  const payloads = Array.isArray(content) ? content.filter(isDictionary) : [];
  const scope = profile['PayloadScope'] === 'System' ? 'device' : 'user';
  return [
    ...checkKeys(profile, topLevelKeys, 'profile'),
    ...payloads.flatMap((payload) => checkPayload(payload, scope)),
    ...['PayloadIdentifier', 'PayloadUUID'].flatMap((key) => repeated(key, [profile, ...payloads])),
  ];
}

function checkPayload(payload: Dictionary, scope: 'device' | 'user'): string[] {
  const type = String(payload['PayloadType']);
  const schema = Object.hasOwn(payloadSchemas, type) ? payloadSchemas[type] : undefined;
  if (!schema) {
    const common = Object.entries(payload).filter(([key]) => key in commonKeys);
    const apples = type.startsWith('com.apple.') ? [`${type}: unknown payload type`] : [];
    return [...apples, ...checkKeys(Object.fromEntries(common), commonKeys, type)];
  }
  const channel = schema.channels.includes(scope)
    ? []
    : [`${type}: not allowed in the ${scope} channel`];
  return [
    ...channel,
    ...checkKeys(payload, { ...commonKeys, ...schema.keys }, type),
    ...schema.together.flatMap((rule) => rule(payload)).map((problem) => `${type}.${problem}`),
  ];
}

function repeated(key: string, dictionaries: Dictionary[]): string[] {
  const values = dictionaries.map((dictionary) => dictionary[key]);
  const duplicates = values.filter((value, i) => values.indexOf(value) !== i);
  return [...new Set(duplicates)].map((value) => `${key}: ${String(value)} is used twice`);
}
