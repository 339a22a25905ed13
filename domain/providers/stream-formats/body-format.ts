export type BodyFormat =
  | 'sse'
  | 'json-values'
  | 'aws-event-stream'
  | 'connect-json'
  | 'form'
  | 'multipart'
  | 'text'
  /** The type is missing: possibly text. */
  | 'unknown'
  /** Pages, scripts, media, files, and formats that cannot be read without a schema. */
  | 'other';

/** The types of bodies that are read. All others are not. */
const formats: readonly (readonly [type: RegExp, format: BodyFormat])[] = [
  [/^text\/event-stream$/, 'sse'],
  [/^application\/(?:(?:x-)?ndjson|(?:x-)?jsonl(?:ines)?|json-seq|stream\+json)$/, 'json-values'],
  [/^application\/vnd\.amazon\.eventstream$/, 'aws-event-stream'],
  [/^application\/connect\+json$/, 'connect-json'],
  // Frames in a binary envelope.
  [/^application\/grpc/, 'other'],
  [/^application\/x-www-form-urlencoded$/, 'form'],
  [/^multipart\/form-data$/, 'multipart'],
  // The type of AWS's JSON protocols: smithy.io/2.0/aws/protocols/aws-json-1_0-protocol.html
  [/^application\/x-amz-json-1\.\d$/, 'text'],
  [/^(?:text\/plain|text\/(?:x-)?json|application\/graphql)$|[/+]json$/, 'text'],
  [/^$/, 'unknown'],
];

export function formatOf(contentType: string | null): BodyFormat {
  const type = (contentType ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
  return formats.find(([pattern]) => pattern.test(type))?.[1] ?? 'other';
}

/** Formats in which curl and others also send files, unless the user sets another type. */
const maybeBinary: readonly BodyFormat[] = ['form', 'unknown'];

const charsetParameter = /;\s*charset\s*=\s*"?([\w.:-]+)/i;

/**
 * Decodes text in the charset of its content type and drops a truncated character at its end. Null
 * if the bytes are not text.
 */
export function decodeText(bytes: Uint8Array, contentType: string | null): string | null {
  const isText = !maybeBinary.includes(formatOf(contentType));
  const charset = charsetParameter.exec(contentType ?? '')?.[1] ?? 'utf-8';
  const text =
    decodeAs(charset, bytes, !isText) ?? (isText ? decodeAs('utf-8', bytes, false) : null);
  // Text in another charset than its type names would be redacted in vain.
  return text === null || text.includes('\0') ? null : text;
}

function decodeAs(charset: string, bytes: Uint8Array, fatal: boolean): string | null {
  try {
    return new TextDecoder(charset, { fatal }).decode(bytes, { stream: true });
  } catch {
    return null;
  }
}
