import { findInCommands } from './command-secrets.ts';
import { type Detector, endOf, type Finding } from './detector.ts';
import { findInProse } from './prose-credentials.ts';
import { type SecretKind, secretKindOf } from './secret-names.ts';
import { isSecretValue } from './secret-value.ts';

/** The name characters before and after the keyword, up to a maximum distance. */
const nameBefore = /(?<=(?<![\w.-])([\w.-]{0,60}))/y;
const nameAfter = /[\w.-]{0,40}/y;

/** The end of a name in quotes, in brackets or in bold type. */
const endOfName = String.raw`\\?["'\x60\]*]{0,2}`;
const typeName = String.raw`&?[A-Za-z][\w.[\]<>]{0,30}`;
/** As in `api_key: str = "…"`. */
const annotation = String.raw`(?:\s{0,3}:\s{0,2}${typeName}(?: ?\| ?${typeName}){0,3}(?=\s{1,2}=\s))?`;
/** The last two only before a string: `process.env.KEY || "…"`, `setenv("KEY", "…")`. */
const operators = String.raw`=>|:=|<-|\?=|\|\|=|\?\?=|=(?!=)|:(?![:=])|(?:\|\||\?\?)(?=\s{0,3}["'])|,(?=\s{0,3}\\?["'])`;
const assignmentOperator = new RegExp(
  String.raw`${endOfName}${annotation}\s{0,3}(?:${operators})(?:\*\*)?\s{0,3}`,
  'y',
);
/** An XML element or an option: `<password>value`, `--password value`. */
const elementOrOption = /(?:>| {1,3}(?=[^\s=:-]))/y;
/** Directives whose value follows after a blank: `ENV DB_PASSWORD …`, `setx API_KEY "…"`. */
const directive = /(?<=(?:^|[\n;&|]\s{0,8})(?:ENV|setx|#define|set -gx) {1,3})/y;

/** The number of leading characters that classify a value. The rest is redacted along with them. */
const CLASSIFIED_LENGTH = 120;

/** A prefix of Python's strings, or a type around one. */
const wrapper = String.raw`(?:[rbfu]{1,2}(?=["'])|SecretStr\()?`;

/** Styles of values: the opening quote, and the characters of the value. */
const styles = [
  [String.raw`${wrapper}\\?"`, String.raw`[^"\\\n]`],
  [String.raw`${wrapper}\\?'`, String.raw`[^'\\\n]`],
  ['`', '[^`\\\\\\n]'],
  ['', '[^\\s"\'`,;&<>\\\\]'],
] as const;
const BARE = styles.length;
const values = new RegExp(
  styles.map(([quote, one]) => `${quote}(${one}{1,${CLASSIFIED_LENGTH}})`).join('|'),
  'y',
);
const continuations = styles.map(([, one]) => new RegExp(`${one}{1,880}`, 'y'));
/** On a line of its own, as in a settings file, a value extends to the next blank. */
const wholeWord = /[^\s"'`][^\s]{0,119}/y;
const wordContinuation = /[^\s]{1,880}/y;
const ownLine = /(?<=(?:^|\n)\s{0,20}(?:export |set |ENV |- )?[\w.-]{0,60})/y;

/** The remaining headers of a form part (RFC 7578, 4.2), after its name. */
const partHeaders = /"[^\r\n]{0,200}(?:\r?\n[^\r\n]{1,200}){0,4}\r?\n\r?\n/y;
const partBefore = /form-data;[^\r\n]{0,100}\bname="$/i;
const FORM_DATA = 120;
const partLine = /[^\r\n]{1,120}/y;
const lineContinuation = /[^\r\n]{1,880}/y;

/** An entry in `.netrc`, up to its password (everything.curl.dev/usingcurl/netrc). */
const blank = String.raw`(?:\s|\\[nrt]){1,8}`;
const netrcBefore = new RegExp(
  String.raw`(?<=(?:machine${blank}[^\s\\]{1,253}|default)${blank}login${blank}[^\s\\]{1,200}${blank})`,
  'y',
);
const netrcValue = new RegExp(blank, 'y');

interface Assignment {
  start: number;
  /** The start of the value, up to CLASSIFIED_LENGTH. */
  value: string;
  isQuoted: boolean;
  isUnspaced: boolean;
  /** After a comma, or in a cell of a table. */
  isListed?: boolean;
  /** After a comma. */
  isArgument?: boolean;
  isOnNextLine?: boolean;
  /** A sticky pattern for the rest of the value. */
  continuation: RegExp;
}

/** Detects values by the name next to them, in settings, code, URLs and commands. */
const named = (type: string, kind: SecretKind, ...keyword: RegExp[]): Detector => ({
  type,
  minLength: 8,
  find: (text) => keyword.flatMap((words) => findNamed(kind, words, text)),
  ofMember: (member) =>
    secretKindOf(member) === kind
      ? (value) =>
          value.length <= MAX_VALUE_LENGTH &&
          isSecretValue(kind, value.slice(0, CLASSIFIED_LENGTH), {
            isQuoted: true,
            isUnspaced: false,
            name: member,
          })
      : undefined,
});

const MAX_VALUE_LENGTH = 4000;
/** The number of characters after a value that help to classify it. */
const AFTER = 48;
/** As in `hidden ? 'password' : 'text'`. */
const choiceBefore = /(?<=\?\s{0,3}["'])/y;
/** The name is within a longer text: `"Reset password": "…"`. */
const sentenceBefore = /(?<=["'][^"'\n]{1,60} )/y;
const sentenceEnd = /^[?.:!]?["']\s?:/;
const firstItem = /(?<=[([{]\s{0,20}\\?["'][#.]?)/y;

function findNamed(kind: SecretKind, keyword: RegExp, text: string): Finding[] {
  const findings: Finding[] = [];
  // A text has few different names, each of which occurs many times.
  const kinds = new Map<string, SecretKind | undefined>();
  keyword.lastIndex = 0;
  for (let match = keyword.exec(text); match; match = keyword.exec(text)) {
    const { name, start, end } = nameAround(text, match.index, keyword.lastIndex);
    keyword.lastIndex = Math.max(keyword.lastIndex, end);
    // A path: `crate::token::Kind`, `arn:aws:secretsmanager:eu-west-1:1:secret:app`.
    if (text[start - 1] === ':' && text[end] === ':') continue;
    // Most names have no value, and looking for one is cheaper than classifying the name.
    const assigned = assignedAt(text, start, end);
    if (!assigned) continue;
    if (!kinds.has(name)) kinds.set(name, secretKindOf(name));
    if (kinds.get(name) !== kind || isOtherwiseUsed(kind, assigned, text, { name, start }))
      continue;
    const known = assigned.start + assigned.value.length;
    const isSentence =
      endOf(sentenceBefore, text, start) !== -1 && sentenceEnd.test(text.slice(end, end + 4));
    const notation = {
      ...assigned,
      name: isSentence ? ` ${name}` : name,
      after: text.slice(known, known + AFTER),
    };
    if (!isSecretValue(kind, assigned.value, notation)) continue;
    const last = Math.max(known, endOf(assigned.continuation, text, known));
    findings.push({ start: assigned.start, end: last });
    keyword.lastIndex = last;
  }
  return findings;
}

/** Not a name: `-v "$PWD:/app"`, a macro's `$password:expr`, or the code of the country Palau. */
const isVariableOrCode = (text: string, name: string, start: number): boolean => {
  const end = start + name.length;
  return text[start - 1] === '$'
    ? text[end] === ':' && text[end + 1] !== ' '
    : /^(?:[a-z]{2,3}_)?PW$/.test(name) && /["']/.test(text.charAt(end));
};

const isOtherwiseUsed = (
  kind: SecretKind,
  assigned: Assignment,
  text: string,
  { name, start }: { name: string; start: number },
): boolean =>
  endOf(choiceBefore, text, start) !== -1 ||
  isVariableOrCode(text, name, start) ||
  // The name of a secret is more often an argument itself than that of a key: `hash(password, "…")`.
  (kind === 'password' && assigned.isArgument === true && endOf(firstItem, text, start) === -1);

function nameAround(text: string, from: number, to: number) {
  nameBefore.lastIndex = from;
  const start = from - (nameBefore.exec(text)?.[1]?.length ?? 0);
  nameAfter.lastIndex = to;
  nameAfter.test(text);
  const end = nameAfter.lastIndex;
  return { name: text.slice(start, end), start, end };
}

function assignedAt(text: string, nameStart: number, nameEnd: number): Assignment | undefined {
  assignmentOperator.lastIndex = nameEnd;
  const operator = assignmentOperator.exec(text);
  const isListed = operator?.[0].trimEnd().endsWith(',') ?? false;
  const at = operator ? assignmentOperator.lastIndex : endOfOpening(text, nameStart, nameEnd);
  if (at === -1) return pairAt(text, nameStart, nameEnd) ?? partAt(text, nameStart, nameEnd);
  const isUnspaced = at - nameEnd === 1;
  ownLine.lastIndex = nameStart;
  if (isUnspaced && text[nameEnd] === '=' && ownLine.test(text)) {
    wholeWord.lastIndex = at;
    const value = wholeWord.exec(text)?.[0];
    if (value)
      return { start: at, value, isQuoted: false, isUnspaced, continuation: wordContinuation };
  }
  const assigned = valueAt(text, at, isUnspaced);
  const isOnNextLine = text.slice(nameEnd, at).includes('\n');
  return assigned && { ...assigned, isListed, isArgument: isListed, isOnNextLine };
}

/**
 * A name and its value side by side: as entries of a list in YAML, as attributes in XML, and as
 * cells of a table in Markdown.
 */
const betweenCells = /`?[ \t]{1,40}\|[ \t]{1,3}/y;
const pairs = [
  [/(?<=[ \t-]name:[ \t]{1,3}["']?)/y, /["']?[ \t]{0,3}\r?\n[ \t]{1,24}value:[ \t]{1,3}/y],
  [/(?<=\s(?:key|name)=["'])/y, /["']\s{1,3}value=/y],
  [/(?<=\|[ \t]{1,3}`?)/y, betweenCells],
] as const;

/** A description has more words: `| PASSWORD | Base64-encoded password |`. */
const cellEnd = /[ \t]{1,200}(?:\||\r?\n|$)/y;
const endsCell = (text: string, { start, value }: Assignment): boolean =>
  endOf(cellEnd, text, start + value.length) !== -1;

function pairAt(text: string, nameStart: number, nameEnd: number): Assignment | undefined {
  for (const [before, between] of pairs) {
    const at = endOf(before, text, nameStart) === -1 ? -1 : endOf(between, text, nameEnd);
    const assigned = at === -1 ? undefined : valueAt(text, at, false);
    if (!assigned) continue;
    if (between !== betweenCells) return assigned;
    if (!assigned.isQuoted && !endsCell(text, assigned)) return undefined;
    return { ...assigned, isListed: true };
  }
  return undefined;
}

function partAt(text: string, nameStart: number, nameEnd: number): Assignment | undefined {
  if (text[nameEnd] !== '"' || text[nameStart - 1] !== '"') return undefined;
  if (!partBefore.test(text.slice(Math.max(0, nameStart - FORM_DATA), nameStart))) return undefined;
  const start = endOf(partHeaders, text, nameEnd);
  if (start === -1) return undefined;
  partLine.lastIndex = start;
  const value = partLine.exec(text)?.[0];
  return value === undefined
    ? undefined
    : { start, value, isQuoted: true, isUnspaced: false, continuation: lineContinuation };
}

function valueAt(text: string, at: number, isUnspaced: boolean): Assignment | undefined {
  values.lastIndex = at;
  const match = values.exec(text);
  const style = match ? match.findLastIndex((group) => group !== undefined) : 0;
  const value = match?.[style];
  const continuation = continuations[style - 1];
  if (!value || !continuation) return undefined;
  return {
    start: values.lastIndex - value.length,
    value,
    isQuoted: style !== BARE,
    isUnspaced,
    continuation,
  };
}

function endOfOpening(text: string, nameStart: number, nameEnd: number): number {
  if (endOf(netrcBefore, text, nameStart) !== -1) return endOf(netrcValue, text, nameEnd);
  const isOption = text.startsWith('--', nameStart);
  const isElement = text[nameStart - 1] === '<' && text[nameEnd] === '>';
  const isDirective = text[nameEnd] === ' ' && endOf(directive, text, nameStart) !== -1;
  if (!isOption && !isElement && !isDirective) return -1;
  elementOrOption.lastIndex = nameEnd;
  return elementOrOption.test(text) ? elementOrOption.lastIndex : -1;
}

const assignedPassword = named(
  'PASSWORD',
  'password',
  /pass|pwd|\bpw\b/gi,
  /kennwort|wachtwoord|senha/gi,
);

export const namedPassword: Detector = {
  ...assignedPassword,
  find: (text) =>
    [
      ...assignedPassword.find(text),
      ...findInCommands('PASSWORD', text),
      ...findInProse(text),
    ].sort((a, b) => a.start - b.start),
};

const assignedSecret = named(
  'SECRET',
  'secret',
  /secret|token|key|cred|auth|bearer/gi,
  // Separate from the pattern above: the engine skips text far faster with two patterns than with
  // one.
  /id(?<=(?:client|access|app|api)[-_.]?id)|pat(?<=\bpat)\b/gi,
);

export const namedSecret: Detector = { ...assignedSecret, inPairs: true };
