import { payloadSchemas } from './payloads.ts';
import { commonKeys, topLevelKeys } from './profile-keys.ts';
import { checkKeys, type Dictionary, isDictionary } from './rule.ts';

/**
 * What Apple's published schema finds wrong with a parsed profile, one line each; none if nothing.
 * A payload of a type of our own is a preference domain: beside the common keys it has any.
 */
export function checkAgainstSchema(profile: unknown): string[] {
  if (!isDictionary(profile)) return ['profile: expected dictionary'];
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
    const known = Object.entries(payload).filter(([key]) => key in commonKeys);
    const apples = type.startsWith('com.apple.') ? [`${type}: is not in this table`] : [];
    return [...apples, ...checkKeys(Object.fromEntries(known), commonKeys, type)];
  }
  const channel = schema.channels.includes(scope)
    ? []
    : [`${type}: is not for the ${scope} channel`];
  return [
    ...channel,
    ...checkKeys(payload, { ...commonKeys, ...schema.keys }, type),
    ...schema.together.flatMap((rule) => rule(payload)).map((line) => `${type}.${line}`),
  ];
}

function repeated(key: string, dictionaries: Dictionary[]): string[] {
  const values = dictionaries.map((dictionary) => dictionary[key]);
  const again = values.filter((value, i) => values.indexOf(value) !== i);
  return [...new Set(again)].map((value) => `${key}: ${String(value)} stands for two things`);
}
