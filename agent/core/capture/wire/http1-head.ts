import type { Headers } from './exchange.ts';

export type Http1Version = 'http/1.0' | 'http/1.1';

export interface RequestLine {
  method: string;
  /** In origin form, except for CONNECT and `OPTIONS *`. */
  target: string;
  /** The authority of a target in another form (RFC 9112, 3.2). */
  authority: string | null;
  version: Http1Version;
}

export interface StatusLine {
  status: number;
  version: Http1Version;
}

const requestLine = /^([!#$%&'*+\-.^_`|~0-9A-Za-z]{1,40})[ \t]+(\S+)[ \t]+HTTP\/1\.([01])[ \t]*$/;
/** `http://host/path`. The user information is not part of the authority. */
const absoluteForm = /^https?:\/\/(?:[^/?#@]*@)?([^/?#]*)(.*)$/is;
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
  const version = minor === '0' ? 'http/1.0' : 'http/1.1';
  if (method === 'CONNECT') return { method, target, authority: target, version };
  const [, authority = null, rest = ''] = absoluteForm.exec(target) ?? [];
  if (authority === null) return { method, target, authority, version };
  return { method, target: rest.startsWith('/') ? rest : `/${rest}`, authority, version };
}

export function parseStatusLine(line: string): StatusLine {
  const match = statusLine.exec(line);
  if (!match) throw new Error('not a status line of HTTP/1');
  return { status: Number(match[2]), version: match[1] === '0' ? 'http/1.0' : 'http/1.1' };
}

/** Parses start lines. One that equals the previous one of its connection is not parsed again. */
export function createStartLineParser<T>(parse: (line: string) => T): (line: string) => T {
  let last: { line: string; parsed: T } | undefined;
  return (line) => {
    if (last?.line !== line) last = { line, parsed: parse(line) };
    return last.parsed;
  };
}

type Field = Headers[number];

/** Collects the field lines of a head or of trailers. */
export interface FieldLines {
  add: (line: string) => void;
  /**
   * Adds the line that begins here if the previous head had the same one in this place. Returns its
   * length with the line end, or 0.
   */
  addRepeated: (text: string, from: number) => number;
  /** Returns the fields so far and clears them. */
  take: () => Headers;
}

const MAX_KNOWN_LINES = 64;
/** The maximum length of a line that is compared with the previous head's; longer ones are not. */
const MAX_KNOWN_LENGTH = 512;

/**
 * The heads of a connection differ in few lines. Lines that repeat are not parsed again, and their
 * fields share memory.
 */
export function createFieldLines(): FieldLines {
  const known: ({ line: string; field: Field } | undefined)[] = [];
  let fields: Field[] = [];
  return {
    add(line) {
      if (controlInField.test(line)) throw new Error('a control character in a header');
      if (isBlank(line.charCodeAt(0))) return fold(fields, line);
      const field = parseField(line);
      if (fields.length < MAX_KNOWN_LINES)
        known[fields.length] = line.length < MAX_KNOWN_LENGTH ? { line, field } : undefined;
      fields.push(field);
      if (fields.length > MAX_FIELDS) throw new Error(`more than ${MAX_FIELDS} headers`);
    },
    addRepeated(text, from) {
      const expected = known[fields.length];
      if (!expected || !text.startsWith(expected.line, from)) return 0;
      const end = from + expected.line.length;
      const next = text.startsWith('\r\n', end) ? end + 2 : end + 1;
      if (text[next - 1] !== '\n') return 0;
      fields.push(expected.field);
      return next - from;
    },
    take() {
      const taken = fields;
      fields = [];
      return taken;
    },
  };
}

function parseField(line: string): Field {
  const colon = line.indexOf(':');
  const name = line.slice(0, Math.max(0, colon));
  if (!fieldName.test(name)) throw new Error('not a header');
  return [name.toLowerCase(), trimmed(line, colon + 1)];
}

/** A line that starts with a blank continues the previous field (RFC 9112, 5.2). */
function fold(fields: Field[], line: string): void {
  const last = fields.pop();
  if (!last) throw new Error('a continued line without a header');
  fields.push([last[0], `${last[1]} ${trimmed(line, 0)}`.trimStart()]);
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
