import { runsOf } from '../redaction/search/character-runs.ts';
import { endOfAll } from '../redaction/detector.ts';
import { textOfBase64, textOfEscapes } from '../redaction/encoded.ts';
import { jsonLiterals } from '../redaction/json-literals.ts';

/** A body without the data of its files. */
export interface WithoutFiles {
  text: string;
  /** The content of those files that are text. It may only be searched, never reported. */
  fileTexts: string[];
}

/**
 * Replaces images, audio and other files inside a body with their size: data URLs, and strings that
 * are base64. Everything else stays as it was, also in JSON text that is truncated or that is a
 * string of other JSON.
 */
export function withoutFileData(text: string): WithoutFiles {
  const fileTexts: string[] = [];
  return { text: replaceData(text, noPlace, fileTexts), fileTexts };
}

/** Where a string is: the name of its member, and whether its object also names a type of file. */
interface Place {
  member: string;
  isTyped: boolean;
}

const noPlace: Place = { member: '', isTyped: false };

/** Base64 has a slash after 64 characters on average, which some programs escape in JSON. */
const MIN_RUN_LENGTH = 32;
const base64Runs = runsOf(/[A-Za-z0-9+/_=-]/, MIN_RUN_LENGTH);

function replaceData(text: string, place: Place, fileTexts: string[]): string {
  if (base64Runs(text).length === 0) return text;
  const literals = jsonLiterals(text, place.member, (_, name) => name);
  if (!literals) return replaceInString(text, place, fileTexts);
  const typed = new Set(
    literals.filter(({ location }) => typeMember.test(location)).map(({ object }) => object),
  );
  let replaced = '';
  let done = 0;
  for (const { start, end, value, location, object, isTruncated } of literals) {
    if (typeof value !== 'string') continue;
    const inner = { member: location, isTyped: object !== -1 && typed.has(object) };
    const changed = replaceData(value, inner, fileTexts);
    if (changed === value) continue;
    const literal = JSON.stringify(changed);
    replaced += text.slice(done, start) + (isTruncated ? literal.slice(0, -1) : literal);
    done = end;
  }
  return replaced + text.slice(done);
}

/** RFC 2397, also with the escaped slashes of JSON. */
const dataUrl =
  /data:(?:[\w.+-]{1,100}\\?\/[\w.+-]{1,100})?(?:;[\w.+-]{1,100}=[^\s;,"']{0,200}){0,5};base64,/gi;
/** The characters of base64, and the escapes of `+`, `/` and `=` in URLs and of `/` in JSON. */
const moreData = /[A-Za-z0-9+/_=%\\-]{1,1000}/y;
const escaped = /%2B|%2F|%3D/gi;
const notData = /[\r\n=\\]/g;

function replaceInString(text: string, place: Place, fileTexts: string[]): string {
  if (isFileData(text, place)) return sizeOf(text, fileTexts);
  if (!text.includes(';base64,')) return text;
  let replaced = '';
  let done = 0;
  dataUrl.lastIndex = 0;
  for (let match = dataUrl.exec(text); match; match = dataUrl.exec(text)) {
    const start = dataUrl.lastIndex;
    const end = endOfAll(moreData, text, start);
    replaced += text.slice(done, start) + sizeOf(text.slice(start, end), fileTexts);
    done = end;
    dataUrl.lastIndex = end;
  }
  return replaced + text.slice(done);
}

/** The size in bytes, in place of the data. The type is beside it: in the URL or another member. */
function sizeOf(data: string, fileTexts: string[]): string {
  const base64 = data.replaceAll(escaped, textOfEscapes).replaceAll(notData, '');
  const fileText = textOfBase64(base64);
  if (fileText !== undefined) fileTexts.push(fileText);
  return `[${Math.floor((base64.length * 3) / 4)} bytes, not uploaded]`;
}

/**
 * Members of the providers' APIs that hold files: `data` (Anthropic, Gemini, OpenAI), `file_data`,
 * `b64_json` and `audio` (OpenAI), `bytes` (Bedrock), `images` (Ollama), `bytesBase64Encoded`
 * (Vertex AI), and names like these.
 */
const fileMember = /(?:data|bytes|audio|images?|video|b64|b64_json|base64|base64encoded|blob)$/i;
/** Members beside them: `media_type`, `mimeType`, `format`, `filename`. */
const typeMember = /^(?:(?:media|mime|content)_?type|format|file_?name)$/i;
/** Such a string may also be a key, unless the type of a file is beside it. */
const MIN_LENGTH_IN_FILE_MEMBER = 200;
/** A string in another member may also be a token. */
const MIN_LENGTH = 512;

/** Ids may be long: those of GitHub Copilot are encrypted. */
const idMember = /(?:^id|_id|Id)$/;

function isFileData(text: string, { member, isTyped }: Place): boolean {
  if (idMember.test(member)) return false;
  const isFileMember = fileMember.test(member);
  const minLength = isTyped ? 1 : MIN_LENGTH_IN_FILE_MEMBER;
  return text.length >= (isFileMember ? minLength : MIN_LENGTH) && isBase64(text, isFileMember);
}

const base64Character = /[A-Za-z0-9+/_=-]/;
/** The shortest line of wrapped base64 but the last (RFC 1421 has 64, RFC 2045 has 76). */
const MIN_LINE_LENGTH = 60;

/**
 * Whether the whole text is base64, possibly of several pieces, each with its padding.
 *
 * @param isUniform accepts also text of a single kind of characters, such as the zeros of silence
 */
function isBase64(text: string, isUniform: boolean): boolean {
  let lineLength = 0;
  for (let at = 0; at < text.length; at += 1) {
    const character = text.charAt(at);
    if (base64Character.test(character)) lineLength += 1;
    else if (character === '\n' && lineLength >= MIN_LINE_LENGTH) lineLength = 0;
    else if (character !== '\r') return false;
  }
  return isUniform || (/[a-z]/.test(text) && /[A-Z]/.test(text) && /\d/.test(text));
}
