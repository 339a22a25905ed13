import { type FormMembers, incompleteValue, jsonOfForm } from './form-body.ts';

const boundaryParameter = /;\s*boundary\s*=\s*(?:"([^"]{1,100})"|([^\s;"]{1,100}))/i;

/**
 * A `multipart/form-data` body (RFC 7578) as a JSON object of its parts. Files become data URLs,
 * like the files in JSON bodies. Null if the body has no parts.
 */
export function readMultipart(bytes: Uint8Array, contentType: string): string | null {
  const [, quoted, bare] = boundaryParameter.exec(contentType) ?? [];
  const boundary = quoted ?? bare;
  if (boundary === undefined) return null;
  const parts = partsOf(binaryOf(bytes), `--${boundary}`);
  return parts.length === 0 ? null : jsonOfForm(parts.map(memberOf));
}

const MAX_HEADER_LENGTH = 4096;

/** The header and the content of a part, as one character for each byte. */
interface Part {
  header: string;
  content: string;
  /** The body ends before the part does. */
  isTruncated: boolean;
}

function partsOf(body: string, delimiter: string): Part[] {
  const parts: Part[] = [];
  let start = body.startsWith(delimiter) ? 0 : afterBreak(body.indexOf(`\r\n${delimiter}`));
  while (start !== -1 && !body.startsWith('--', start + delimiter.length)) {
    const header = start + delimiter.length;
    const next = body.indexOf(`\r\n${delimiter}`, header);
    const content = body.indexOf('\r\n\r\n', header);
    if (content === -1) break;
    const end = next === -1 ? body.length : next;
    parts.push({
      header: utf8(body.slice(header, Math.min(content, header + MAX_HEADER_LENGTH))),
      content: body.slice(Math.min(content + 4, end), end),
      isTruncated: next === -1,
    });
    start = afterBreak(next);
  }
  return parts;
}

const afterBreak = (at: number): number => (at === -1 ? -1 : at + 2);

const nameParameter = /^content-disposition:[^\r\n]*?;\s*name="([^"\r\n]*)"/im;
const fileNameParameter = /^content-disposition:[^\r\n]*?;\s*filename="([^"\r\n]*)"/im;
const typeOfPart = /^content-type:[ \t]*([\w.+-]{1,100}\/[\w.+-]{1,100})/im;
/** The types of values; parts of other types are files. */
const valueTypes = /^(?:text\/plain|application\/json)$/i;

function memberOf({ header, content, isTruncated }: Part): FormMembers[number] {
  const name = nameParameter.exec(header)?.[1] ?? '';
  const filename = fileNameParameter.exec(header)?.[1];
  const type = typeOfPart.exec(header)?.[1];
  const isFile = /;\s*filename/i.test(header) || (type !== undefined && !valueTypes.test(type));
  if (!isFile) return [name, isTruncated ? incompleteValue(utf8(content)) : utf8(content)];
  const data = `data:${type ?? 'application/octet-stream'};base64,${btoa(content)}`;
  return [name, { ...(filename !== undefined && { filename }), data }];
}

const utf8 = (binary: string): string =>
  new TextDecoder().decode(Uint8Array.from(binary, (byte) => byte.charCodeAt(0)));

const CHUNK = 8192;

/** One character for each byte, so positions are those of bytes. */
function binaryOf(bytes: Uint8Array): string {
  let binary = '';
  for (let at = 0; at < bytes.length; at += CHUNK)
    binary += String.fromCharCode(...bytes.subarray(at, at + CHUNK));
  return binary;
}
