export type BodyFormat =
  | 'sse'
  | 'json-values'
  | 'aws-event-stream'
  | 'connect-json'
  | 'text'
  /** Possibly text: the type is missing, generic or a multipart form. */
  | 'unknown'
  | 'binary';

const formats: readonly (readonly [type: RegExp, format: BodyFormat])[] = [
  [/^text\/event-stream$/, 'sse'],
  [/^application\/(?:(?:x-)?ndjson|(?:x-)?jsonl(?:ines)?|json-seq|stream\+json)$/, 'json-values'],
  [/^application\/vnd\.amazon\.eventstream$/, 'aws-event-stream'],
  [/^application\/connect\+json$/, 'connect-json'],
  // Protocol Buffers frames cannot be read without their schema.
  [/^application\/(?:grpc|connect\+|(?:x-)?protobuf)/, 'binary'],
  [/^(?:image|audio|video|font)\/(?!svg\+xml)/, 'binary'],
  [/^application\/(?:pdf|zip|gzip|wasm)$/, 'binary'],
  [/^text\/|[/+](?:json|xml|javascript|x-www-form-urlencoded|graphql)$/, 'text'],
];

export function formatOf(contentType: string | null): BodyFormat {
  const type = (contentType ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
  return formats.find(([pattern]) => pattern.test(type))?.[1] ?? 'unknown';
}

const charsetParameter = /;\s*charset\s*=\s*"?([\w.:-]+)/i;

/**
 * Decodes text in the charset of its content type and drops a truncated character at its end. Null
 * if the bytes are not text.
 */
export function decodeText(bytes: Uint8Array, contentType: string | null): string | null {
  const isText = formatOf(contentType) !== 'unknown';
  const charset = charsetParameter.exec(contentType ?? '')?.[1] ?? 'utf-8';
  const text =
    decodeAs(charset, bytes, !isText) ?? (isText ? decodeAs('utf-8', bytes, false) : null);
  return text === null || (!isText && text.includes('\0')) ? null : text;
}

function decodeAs(charset: string, bytes: Uint8Array, fatal: boolean): string | null {
  try {
    return new TextDecoder(charset, { fatal }).decode(bytes, { stream: true });
  } catch {
    return null;
  }
}
