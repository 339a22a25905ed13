import type { ActiveObservation } from './call-observation.ts';

/** Reads the bytes of a body. Both functions return the bytes to pass on to the agent. */
export interface BodyContent {
  add(bytes: Uint8Array): Uint8Array;
  end(): Uint8Array;
}

export const NO_BYTES = new Uint8Array();

/** Reads a body that is one JSON value. */
export function wholeResponse({ reader }: ActiveObservation): BodyContent {
  const decoder = new TextDecoder();
  let json = '';
  return {
    add(bytes) {
      json += decoder.decode(bytes, { stream: true });
      return bytes;
    },
    end() {
      const value = parsedJson(json + decoder.decode());
      if (value !== undefined) reader.read(value);
      return NO_BYTES;
    },
  };
}

export function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
