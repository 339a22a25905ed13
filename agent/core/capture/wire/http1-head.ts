import type { Headers } from './exchange.ts';

export type Http1Version = 'http/1.0' | 'http/1.1';

export interface RequestLine {
  method: string;
  target: string;
  version: Http1Version;
}

export interface StatusLine {
  status: number;
  version: Http1Version;
}

const requestLine = /^([!#$%&'*+\-.^_`|~0-9A-Za-z]{1,40})[ \t]+(\S+)[ \t]+HTTP\/1\.([01])[ \t]*$/;
const statusLine = /^HTTP\/1\.([01])[ \t]+([1-9]\d\d)(?:[ \t]|$)/;
const fieldName = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
/** Invalid in a field; a parser that accepts them as line ends would see other fields. */
const controlInField = /[\r\0]/;
/** The maximum of common servers. Bounds the memory for a head of many short lines. */
const MAX_FIELDS = 2000;

export function parseRequestLine(line: string): RequestLine {
  const match = requestLine.exec(line);
  if (!match) throw new Error('not a request line of HTTP/1');
  const [, method = '', target = '', minor] = match;
  return { method, target, version: minor === '0' ? 'http/1.0' : 'http/1.1' };
}

export function parseStatusLine(line: string): StatusLine {
  const match = statusLine.exec(line);
  if (!match) throw new Error('not a status line of HTTP/1');
  return { status: Number(match[2]), version: match[1] === '0' ? 'http/1.0' : 'http/1.1' };
}

/** Collects the field lines of a head or of trailers. */
export interface FieldLines {
  add: (line: string) => void;
  /** Returns the fields so far and clears them. */
  take: () => Headers;
}

export function createFieldLines(): FieldLines {
  const toLowerCase = createNames();
  let fields: [string, string][] = [];
  return {
    add(line) {
      if (controlInField.test(line)) throw new Error('a control character in a header');
      if (isBlank(line.charCodeAt(0))) fold(fields, line);
      else {
        fields.push(parseField(line, toLowerCase));
        if (fields.length > MAX_FIELDS) throw new Error(`more than ${MAX_FIELDS} headers`);
      }
    },
    take() {
      const taken = fields;
      fields = [];
      return taken;
    },
  };
}

function parseField(line: string, toLowerCase: (name: string) => string): [string, string] {
  const colon = line.indexOf(':');
  const name = line.slice(0, Math.max(0, colon));
  return [toLowerCase(name), trimmed(line, colon + 1)];
}

const MAX_KNOWN_NAMES = 200;

/** A cache of lower-case header names: a connection repeats few different ones. */
function createNames(): (name: string) => string {
  const known = new Map<string, string>();
  return (name) => {
    const earlier = known.get(name);
    if (earlier !== undefined) return earlier;
    if (!fieldName.test(name)) throw new Error('not a header');
    const lower = name.toLowerCase();
    if (known.size < MAX_KNOWN_NAMES) known.set(name, lower);
    return lower;
  };
}

/** A line that starts with a blank continues the previous field (RFC 9112, 5.2). */
function fold(fields: [string, string][], line: string): void {
  const last = fields.at(-1);
  if (!last) throw new Error('a continued line without a header');
  last[1] = `${last[1]} ${trimmed(line, 0)}`.trimStart();
}

/**
 * Trims blanks and tabs only. `trim` would also remove a no-break space, which is part of a
 * character here.
 */
function trimmed(line: string, from: number): string {
  let start = from;
  let end = line.length;
  while (start < end && isBlank(line.charCodeAt(start))) start++;
  while (end > start && isBlank(line.charCodeAt(end - 1))) end--;
  return line.slice(start, end);
}

function isBlank(code: number): boolean {
  return code === 32 || code === 9;
}
