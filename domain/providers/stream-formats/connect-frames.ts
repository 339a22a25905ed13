import type { StreamEvent } from '../api.ts';
import { isObject } from '../json-fields.ts';
import { parseJson } from '../parse-json.ts';

const HEADER = 5;
const COMPRESSED = 1;
const END = 2;

/**
 * The messages of a Connect stream in JSON (`application/connect+json`). Each starts with a byte of
 * flags and its length. The last contains only trailers. Compressed messages are omitted.
 */
export function readConnectFrames(bytes: Uint8Array): StreamEvent[] {
  const events: StreamEvent[] = [];
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  for (let at = 0; at + HEADER <= bytes.length;) {
    const flags = view.getUint8(at);
    const end = at + HEADER + view.getUint32(at + 1);
    if (end > bytes.length) break;
    const data = parseJson(new TextDecoder().decode(bytes.subarray(at + HEADER, end)));
    const isEmptyEnd = (flags & END) !== 0 && isObject(data) && Object.keys(data).length === 0;
    if ((flags & COMPRESSED) === 0 && data !== undefined && !isEmptyEnd)
      events.push({ name: null, data });
    at = end;
  }
  return events;
}
