import type { ActiveObservation } from './call-observation.ts';
import { type BodyContent, NO_BYTES, parsedJson } from './body-content.ts';

const LINE_END = /\r\n|\n|\r/;
const DATA = /^data: ?/;
const LF = 10;
const CR = 13;

/**
 * Reads server-sent events; their data is JSON, except the last one of OpenAI (`[DONE]`). If some
 * may be hidden from the agent, each event is passed on when it is complete.
 */
export function serverSentEvents(watch: ActiveObservation): BodyContent {
  const decoder = new TextDecoder();
  let rest: Uint8Array = NO_BYTES;
  /** Returns whether the event is passed on to the agent. */
  const readEvent = (event: Uint8Array): boolean => {
    const lines = decoder.decode(event).split(LINE_END);
    const data = lines.filter((line) => DATA.test(line)).map((line) => line.replace(DATA, ''));
    const value = parsedJson(data.join('\n'));
    if (value === undefined) return true;
    watch.firstAt ??= Date.now();
    watch.reader.add(value);
    return !watch.isHidden?.(value);
  };
  return {
    add(bytes) {
      // The blank line may have begun in the bytes before.
      let from = Math.max(0, rest.length - 3);
      const all = joined([rest, bytes]);
      const shown: Uint8Array[] = [];
      let start = 0;
      for (let end = endOfEvent(all, from); end !== -1; end = endOfEvent(all, from)) {
        const event = all.subarray(start, end);
        if (readEvent(event)) shown.push(event);
        start = from = end;
      }
      rest = all.subarray(start);
      return watch.isHidden ? joined(shown) : bytes;
    },
    end() {
      const last = rest;
      rest = NO_BYTES;
      return readEvent(last) && watch.isHidden ? last : NO_BYTES;
    },
  };
}

/** The index after the blank line that ends an event, or -1. */
function endOfEvent(bytes: Uint8Array, from: number): number {
  for (let i = from; i < bytes.length; i++) {
    const [first, second] = [bytes[i], bytes[i + 1]];
    if (first !== LF && first !== CR) continue;
    if (second === first) return i + 2;
    if (first === CR && second === LF && bytes[i + 2] === CR && bytes[i + 3] === LF) return i + 4;
  }
  return -1;
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  const all = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}
