import { redactJson } from '#domain/redaction/redact-json.ts';
import { placeholderOf } from '#domain/redaction/redact-text.ts';
import { clip } from './clip.ts';

/** Fields whose names contain these are never logged. */
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

/** The limits of one logged value. */
const CHARACTERS = 65_536;
const VALUES = 100_000;

export interface LogRules {
  /** Substrings of names, matched case-insensitively, in addition to `ALWAYS_REDACTED`. */
  redact: readonly string[];
  /** The maximum number of values; 0 for the limit of one log record. */
  entries: number;
}

/** Returns the part of a value that is logged, with redacted fields replaced. */
export function loggable(value: unknown, { redact, entries }: LogRules): unknown {
  const names = [...ALWAYS_REDACTED, ...redact.map((name) => name.toLowerCase())];
  const isRedacted = (member: string): boolean =>
    names.some((name) => member.toLowerCase().includes(name));
  const clipped = clip(value, {
    characters: CHARACTERS,
    // The outermost value is not counted.
    values: Math.min(entries === 0 ? Infinity : entries + 1, VALUES),
    placeholder: placeholderOf('NOT_LOGGED'),
  });
  const typeAt = ({ member }: { member: string }) => (isRedacted(member) ? 'REDACTED' : undefined);
  return redactJson(clipped.value, { detectors: [], keys: { hasRules: true, typeAt } }).value;
}
