import type { PlistValue } from 'plist';
import { parse, parseBinary } from 'plist';

/**
 * Returns the value in an XML or binary property list.
 *
 * @throws Error with a line that contains no part of the content, which may be secret
 */
export function parsePlist(bytes: Buffer): PlistValue {
  const binary = bytes.subarray(0, 8).toString('latin1').startsWith('bplist');
  try {
    return binary
      ? parseBinary(bytes)
      : withoutConsoleErrors(() => parse(stripByteOrderMark(bytes.toString('utf8'))));
  } catch (error) {
    throw new Error(`not a well-formed ${binary ? 'binary' : 'XML'} property list`, {
      cause: error,
    });
  }
}

/** Strips a byte order mark, which some editors add and the XML parser rejects. */
function stripByteOrderMark(text: string): string {
  return text.startsWith('\ufeff') ? text.slice(1) : text;
}

// The XML parser in plist also prints its errors to the console, quoting the content, and plist has
// no option to disable that. Parsing is synchronous, so nothing else can print meanwhile.
function withoutConsoleErrors<T>(work: () => T): T {
  const { console } = globalThis;
  const before = console.error;
  console.error = () => {};
  try {
    return work();
  } finally {
    console.error = before;
  }
}
