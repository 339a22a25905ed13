import { type Detector, type Finding } from './detector.ts';
import { type SecretKind, secretKindOf } from './secret-names.ts';
import { isSecretValue } from './secret-value.ts';

/** What a name consists of, and how far it is read on either side of the telling word. */
const nameBefore = /(?<=(?<![\w.-])([\w.-]{0,60}))/y;
const nameAfter = /[\w.-]{0,40}/y;

/** A type, as in `api_key: str = "…"`, then what assigns. */
const assigns =
  /\\?["'`\]]{0,2}(?:\s{0,3}:\s{0,2}[A-Za-z][\w.[\]]{0,30}(?=\s{1,2}=\s))?(?<space>\s{0,3})(?:=>|:=|\?=|\|\|=|\?\?=|[:=](?!=)|,(?=\s{0,3}\\?["'`]))\s{0,3}/y;
/** An element of XML or an option: `<password>value`, `--password value`. */
const opens = /(?:>| {1,3}(?=[^\s=:-]))/y;

const values =
  /\\?"(?<double>[^"\\\n]{1,1000})|\\?'(?<single>[^'\\\n]{1,1000})|`(?<back>[^`\\\n]{1,1000})|(?<bare>[^\s"'`,;&<>\\]{1,1000})/y;
/** What is on a line of its own, as in a file of settings, goes on to the next blank. */
const wholeWord = /[^\s"'`][^\s]{0,999}/y;
const ownLine = /(?<=(?:^|\n)\s{0,20}(?:export |set |ENV |- )?[\w.-]{0,60})/y;

/** So much of a value tells what it is; the rest belongs to it. */
const TELLING = 120;

interface Assigned {
  start: number;
  /** Its beginning, at least. */
  value: string;
  isQuoted: boolean;
  isTight: boolean;
  /** Where to read on. */
  end: number;
}

/** Values that are told by the name beside them, in settings, code, addresses and commands. */
const named = (type: string, kind: SecretKind, ...telling: RegExp[]): Detector => ({
  type,
  shortest: 8,
  find: (text) => telling.flatMap((words) => findNamed(kind, words, text)),
  ofMember: (member) =>
    secretKindOf(member) === kind
      ? (value) =>
          value.length <= LONGEST_VALUE &&
          isSecretValue(kind, value.slice(0, TELLING), { isQuoted: true, isTight: false })
      : undefined,
});

const LONGEST_VALUE = 4000;

function findNamed(kind: SecretKind, telling: RegExp, text: string): Finding[] {
  const findings: Finding[] = [];
  telling.lastIndex = 0;
  for (let match = telling.exec(text); match; match = telling.exec(text)) {
    const { name, start, end } = nameAround(text, match.index, telling.lastIndex);
    telling.lastIndex = Math.max(telling.lastIndex, end);
    // Most names have no value: that is known faster than what they are names of.
    const assigned = assignedAt(text, start, end);
    if (!assigned || secretKindOf(name) !== kind) continue;
    if (!isSecretValue(kind, assigned.value, assigned)) continue;
    findings.push({ start: assigned.start, end: assigned.end });
    telling.lastIndex = assigned.end;
  }
  return findings;
}

function nameAround(text: string, from: number, to: number) {
  nameBefore.lastIndex = from;
  const start = from - (nameBefore.exec(text)?.[1]?.length ?? 0);
  nameAfter.lastIndex = to;
  nameAfter.test(text);
  const end = nameAfter.lastIndex;
  return { name: text.slice(start, end), start, end };
}

function assignedAt(text: string, nameStart: number, nameEnd: number): Assigned | undefined {
  assigns.lastIndex = nameEnd;
  const operator = assigns.exec(text);
  const at = operator ? assigns.lastIndex : endOfOpening(text, nameStart, nameEnd);
  if (at === -1) return undefined;
  const isTight = at - nameEnd === 1;
  ownLine.lastIndex = nameStart;
  if (isTight && text[nameEnd] === '=' && ownLine.test(text)) {
    wholeWord.lastIndex = at;
    const word = wholeWord.exec(text)?.[0];
    if (word) return assigned(at, word, false, isTight);
  }
  values.lastIndex = at;
  const groups = values.exec(text)?.groups;
  if (!groups) return undefined;
  const quoted = groups['double'] ?? groups['single'] ?? groups['back'];
  const value = quoted ?? groups['bare'] ?? '';
  return assigned(values.lastIndex - value.length, value, quoted !== undefined, isTight);
}

const assigned = (start: number, value: string, isQuoted: boolean, isTight: boolean): Assigned => ({
  start,
  value: value.slice(0, TELLING),
  isQuoted,
  isTight,
  end: start + value.length,
});

function endOfOpening(text: string, nameStart: number, nameEnd: number): number {
  const isOption = text.startsWith('--', nameStart);
  const isElement = text[nameStart - 1] === '<' && text[nameEnd] === '>';
  if (!isOption && !isElement) return -1;
  opens.lastIndex = nameEnd;
  return opens.test(text) ? opens.lastIndex : -1;
}

export const namedPassword = named('PASSWORD', 'password', /pass|pwd|\bpw\b/gi);
export const namedSecret = named(
  'SECRET',
  'secret',
  /secret|token|key|cred|auth|bearer/gi,
  // Apart, since the engine passes over text far faster with each than with both.
  /id(?<=(?:client|access|app|api)[-_.]?id)|pat(?<=\bpat)\b/gi,
);
