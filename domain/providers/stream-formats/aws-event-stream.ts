import type { StreamEvent } from '../api.ts';
import { field, textOf } from '../json-fields.ts';
import { parseJson } from '../parse-json.ts';

const POLYNOMIAL = 0xedb88320;

const table = Uint32Array.from({ length: 256 }, (_, byte) => {
  let rest = byte;
  for (let bit = 0; bit < 8; bit += 1) rest = rest & 1 ? (rest >>> 1) ^ POLYNOMIAL : rest >>> 1;
  return rest;
});

/** The CRC-32 of gzip (RFC 1952 section 8) and Ethernet. */
export function crc32(bytes: Uint8Array): number {
  let rest = 0xffffffff;
  for (const byte of bytes) rest = (rest >>> 8) ^ (table[(rest ^ byte) & 0xff] ?? 0);
  return (rest ^ 0xffffffff) >>> 0;
}

/** The length of the prelude: total length, length of the headers, and a checksum of both. */
const PRELUDE = 12;
const CHECKSUM = 4;

/**
 * The events of an `application/vnd.amazon.eventstream`, up to the first invalid checksum. Bytes in
 * which Bedrock wraps a model's output are unwrapped.
 */
export function readAwsEventStream(bytes: Uint8Array): StreamEvent[] {
  const events: StreamEvent[] = [];
  for (let at = 0; at + PRELUDE + CHECKSUM <= bytes.length;) {
    const message = messageAt(bytes, at);
    if (!message) break;
    events.push(eventOf(message));
    at += message.length;
  }
  return events;
}

interface Message {
  length: number;
  headers: ReadonlyMap<string, string>;
  payload: Uint8Array;
}

function messageAt(bytes: Uint8Array, start: number): Message | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset + start, bytes.length - start);
  const length = view.getUint32(0);
  const headersLength = view.getUint32(4);
  const payloadAt = PRELUDE + headersLength;
  if (view.byteLength < length || length < payloadAt + CHECKSUM) return undefined;
  const message = bytes.subarray(start, start + length);
  const isWhole =
    crc32(message.subarray(0, 8)) === view.getUint32(8) &&
    crc32(message.subarray(0, -CHECKSUM)) === view.getUint32(length - CHECKSUM);
  if (!isWhole) return undefined;
  return {
    length,
    headers: readHeaders(message.subarray(PRELUDE, payloadAt)),
    payload: message.subarray(payloadAt, -CHECKSUM),
  };
}

/** The length of values by header type. Other types start with a two-byte length. */
const fixedLengths = new Map([
  [0, 0],
  [1, 0],
  [2, 1],
  [3, 2],
  [4, 4],
  [5, 8],
  [8, 8],
  [9, 16],
]);
const STRING = 7;

/** Reads text headers only; the others do not describe the event. */
function readHeaders(bytes: Uint8Array): ReadonlyMap<string, string> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const headers = new Map<string, string>();
  let at = 0;
  while (at < bytes.length) {
    const nameEnd = at + 1 + view.getUint8(at);
    if (nameEnd + 1 > bytes.length) break;
    const type = view.getUint8(nameEnd);
    const fixed = fixedLengths.get(type);
    if (fixed === undefined && nameEnd + 3 > bytes.length) break;
    const valueAt = nameEnd + (fixed === undefined ? 3 : 1);
    const end = valueAt + (fixed ?? view.getUint16(nameEnd + 1));
    if (type === STRING)
      headers.set(utf8(bytes.subarray(at + 1, nameEnd)), utf8(bytes.subarray(valueAt, end)));
    at = end;
  }
  return headers;
}

const utf8 = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);

function eventOf({ headers, payload }: Message): StreamEvent {
  const name = headers.get(':event-type') ?? headers.get(':exception-type') ?? null;
  const code = headers.get(':error-code');
  if (code !== undefined)
    return { name: code, data: { message: headers.get(':error-message') ?? code } };
  const text = utf8(payload);
  const data = parseJson(text) ?? text;
  const inner = name === 'chunk' ? textOf(field(data, 'bytes')) : null;
  return { name, data: inner === null ? data : (unwrapped(inner) ?? data) };
}

function unwrapped(base64: string): unknown {
  try {
    return parseJson(utf8(Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))));
  } catch {
    return undefined;
  }
}
