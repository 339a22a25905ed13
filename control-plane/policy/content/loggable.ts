import { redactJson } from '#agent/core/redaction/redact-json.ts';
import { placeholderOf } from '#agent/core/redaction/redact-text.ts';
import { clip } from './clip.ts';

/** Fields with these in their names are never put on record. */
const ALWAYS_REDACTED = [
  'password',
  'secret',
  'token',
  'api_key',
  'apikey',
  'authorization',
  'credential',
  'private_key',
];

/** What one record holds at most of a value. */
const CHARACTERS = 65_536;
const VALUES = 100_000;

export interface LogRules {
  /** Parts of names, in upper or lower case, beside those that are always redacted. */
  redact: readonly string[];
  /** How many values; 0 for as many as a record holds. */
  entries: number;
}

/** As much of a value as is put on record, without what stands under a name to be redacted. */
export function loggable(value: unknown, { redact, entries }: LogRules): unknown {
  const names = [...ALWAYS_REDACTED, ...redact.map((name) => name.toLowerCase())];
  const isRedacted = (member: string): boolean =>
    names.some((name) => member.toLowerCase().includes(name));
  const clipped = clip(value, {
    characters: CHARACTERS,
    // The value that holds the others is none of them.
    values: Math.min(entries === 0 ? Infinity : entries + 1, VALUES),
    placeholder: placeholderOf('NOT_LOGGED'),
  });
  const typeAt = ({ member }: { member: string }) => (isRedacted(member) ? 'REDACTED' : undefined);
  return redactJson(clipped.value, { detectors: [], keys: { some: true, typeAt } }).value;
}
