import { concatenated } from './conversation.ts';
import { bytesOf } from './recorder.ts';

export const preface = bytesOf('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n');

/** Encodes a frame (RFC 9113, 4.1). */
export function frame(
  type: number,
  flags: number,
  streamId: number,
  payload: Uint8Array = new Uint8Array(),
): Uint8Array {
  const { length } = payload;
  const head = [length >> 16, length >> 8, length, type, flags];
  return concatenated([
    Uint8Array.from([...head, streamId >> 24, streamId >> 16, streamId >> 8, streamId]),
    payload,
  ]);
}

export const END_STREAM = 0x1;
export const END_HEADERS = 0x4;
export const PADDED = 0x8;
export const PRIORITY = 0x20;

export function data(streamId: number, text: string, flags = 0): Uint8Array {
  return frame(0, flags, streamId, bytesOf(text));
}

export function headers(
  streamId: number,
  fields: Record<string, string> | readonly (readonly [string, string])[],
  flags = 0,
): Uint8Array {
  return frame(1, flags | END_HEADERS, streamId, block(fields));
}

export function resetStream(streamId: number, code = 8): Uint8Array {
  return frame(3, 0, streamId, Uint8Array.of(0, 0, 0, code));
}

export function settings(values: Record<number, number> = {}): Uint8Array {
  const payload = Object.entries(values).flatMap(([name, value]) => [
    0,
    Number(name),
    ...[24, 16, 8, 0].map((shift) => (value >>> shift) & 255),
  ]);
  return frame(4, 0, 0, Uint8Array.from(payload));
}

export function goAway(lastStreamId: number): Uint8Array {
  return frame(7, 0, 0, Uint8Array.of(0, 0, 0, lastStreamId, 0, 0, 0, 0));
}

/** Encodes a header block of literals without indexing (RFC 7541, 6.2.2). */
export function block(
  fields: Record<string, string> | readonly (readonly [string, string])[],
): Uint8Array {
  const pairs = Array.isArray(fields) ? fields : Object.entries(fields);
  return concatenated(
    pairs.flatMap(([name, value]) => [Uint8Array.of(0), literal(name), literal(value)]),
  );
}

function literal(text: string): Uint8Array {
  const { length } = text;
  const rest = length - 127;
  const coded =
    length < 127 ? [length] : [127, (rest & 127) | 128, ((rest >> 7) & 127) | 128, rest >> 14];
  return concatenated([Uint8Array.from(coded), bytesOf(text)]);
}
