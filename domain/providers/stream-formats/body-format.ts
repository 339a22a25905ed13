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
 * Decodes text, and drops a truncated character at its end. Null if the bytes are not text.
 *
 * The charset of the content type counts only for bytes that are not UTF-8: most servers ignore it,
 * because JSON has none (RFC 8259, 8.1), and text in another charset than the one it is read in would
 * be redacted in vain.
 */
export function decodeText(bytes: Uint8Array, contentType: string | null): string | null {
  const isBinaryLikely = maybeBinary.includes(formatOf(contentType));
  const charset = charsetParameter.exec(contentType ?? '')?.[1] ?? 'utf-8';
  const text =
    (mayBeUtf8(bytes, charset) ? decodeAs('utf-8', bytes, true) : null) ??
    decodeAs(wideCharset(bytes) ?? charset, bytes, isBinaryLikely) ??
    (isBinaryLikely ? null : decodeAs('utf-8', bytes, false));
  return text === null || text.includes('\0') ? null : text;
}

const ESCAPE = 0x1b;

/** Text has no zeros. ISO-2022-JP is ASCII whose meaning escape sequences change. */
const mayBeUtf8 = (bytes: Uint8Array, charset: string): boolean =>
  !bytes.includes(0) && !(/2022/.test(charset) && bytes.includes(ESCAPE));

/**
 * The charset of JSON in two bytes per character, which parsers detect by the zeros around its first
 * character (RFC 4627, 3), whatever the content type says.
 */
function wideCharset([first, second, third, fourth]: Uint8Array): string | null {
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  if (first === 0) return mayBeginJson(second) ? 'utf-16be' : null;
  return second === 0 && mayBeginJson(first) && (third || fourth) ? 'utf-16le' : null;
}

const mayBeginJson = (code = 0): boolean => /[[{"\s]/.test(String.fromCharCode(code));

function decodeAs(charset: string, bytes: Uint8Array, fatal: boolean): string | null {
  try {
    return new TextDecoder(charset, { fatal }).decode(bytes, { stream: true });
  } catch {
    return null;
  }
}
