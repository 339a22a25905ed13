import type { Headers } from './exchange.ts';
import { listOf, valuesOf } from './headers.ts';
import type { StatusLine } from './http1-head.ts';

/**
 * The data after a head: a body with a length, in chunks, or up to the end of the connection. After
 * an interim response the final one follows; after a switch, another protocol.
 */
export type Framing =
  | { kind: 'length'; bytes: number }
  | { kind: 'chunked' | 'until-close' | 'interim' | 'switch' };

const emptyBody: Framing = { kind: 'length', bytes: 0 };

/** Returns the framing of a request (RFC 9112, 6.3). */
export function requestFraming(version: StatusLine['version'], headers: Headers): Framing {
  const declared = declaredFraming(version, headers);
  if (declared?.kind === 'until-close') throw new Error('a request without an end');
  return declared ?? emptyBody;
}

/** Returns the framing of the response to a request with this method (RFC 9112, 6.3). */
export function responseFraming(
  method: string,
  { status, version }: StatusLine,
  headers: Headers,
): Framing {
  if (status === 101) return { kind: 'switch' };
  if (status < 200) return { kind: 'interim' };
  if (method === 'CONNECT' && status < 300) return { kind: 'switch' };
  if (method === 'HEAD' || status === 204 || status === 304) return emptyBody;
  return declaredFraming(version, headers) ?? { kind: 'until-close' };
}

/**
 * Rejects differing lengths: client and server might disagree on the end of the message, and
 * everything after it would be parsed wrongly.
 */
function declaredFraming(version: StatusLine['version'], headers: Headers): Framing | undefined {
  let hasCodings = false;
  let lengths: readonly string[] = [];
  // A single pass, because most messages have one length and no coding.
  for (const [name, value] of headers)
    if (name === 'transfer-encoding') hasCodings = true;
    else if (name === 'content-length')
      lengths = lengths.length === 0 ? [value] : [...lengths, value];
  if (!hasCodings) return lengths.length === 0 ? undefined : lengthFraming(lengths);
  const codings = listOf(headers, 'transfer-encoding');
  if (codings.length === 0 || !isNamed(valuesOf(headers, 'transfer-encoding')))
    throw new Error('an invalid transfer coding');
  if (lengths.length > 0) throw new Error('a length beside a transfer coding');
  if (version === 'http/1.0') throw new Error('a transfer coding in HTTP/1.0');
  const chunked = codings.indexOf('chunked');
  if (chunked === -1) return { kind: 'until-close' };
  if (chunked !== codings.length - 1) throw new Error('a transfer coding after chunked');
  return { kind: 'chunked' };
}

/** Servers differ in whether they trim other blanks, or ignore the coding. */
const isNamed = (values: readonly string[]): boolean =>
  values.every((value) => /^[!-~ \t]*$/.test(value));

function lengthFraming(values: readonly string[]): Framing {
  const [value = ''] = values;
  if (values.length === 1 && !value.includes(','))
    return { kind: 'length', bytes: lengthOf(value) };
  const [bytes = 0, ...others] = values.flatMap((list) => list.split(',')).map(lengthOf);
  if (others.some((other) => other !== bytes)) throw new Error('lengths that differ');
  return { kind: 'length', bytes };
}

function lengthOf(value: string): number {
  const [, digits] = /^[ \t]*(\d{1,15})[ \t]*$/.exec(value) ?? [];
  if (digits === undefined) throw new Error('an invalid content length');
  return Number(digits);
}
