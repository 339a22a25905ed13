import { detached } from '#lib/detached.ts';
import { LruMap } from '#lib/lru-map.ts';
import {
  type Assignment,
  bracedValueAt,
  CLASSIFIED_LENGTH,
  linesAt,
  valueAt,
} from './assigned-value.ts';
import { alignedColumnReader } from './aligned-columns.ts';
import { findRecoveryPasswords } from './bitlocker.ts';
import { findInCalls } from './call-credentials.ts';
import { findKeysInCalls } from './call-keys.ts';
import { membersOf } from '../search/code-units.ts';
import { findInCommands } from './command-secrets.ts';
import { type Detector, endOf, type Finding } from '../detector.ts';
import { codeOfMember, findCodes } from './named-codes.ts';
import { findKeysInProse } from './prose-keys.ts';
import { insertedValues } from './insert-rows.ts';
import { listedValues, newValueAfter } from './list-values.ts';
import { isWords } from './names.ts';
import { findHashes } from './password-hashes.ts';
import { findInProse } from './prose-credentials.ts';
import { findMarked } from './marked-passwords.ts';
import { findInPaths, findPasswordsInPaths } from './path-secrets.ts';
import { findPiped } from './piped-secrets.ts';
import { type SecretKind, secretKindOf } from './secret-names.ts';
import { isSecretValue } from './secret-value.ts';
import { columnReader } from './table-columns.ts';
import { TextIndex } from '../text-index.ts';
import { valueInNotation } from './value-notations.ts';

/** The end of a name in quotes, in brackets or in bold type. */
const endOfName = String.raw`\\{0,7}["'\x60\]*]{0,2}`;
const typeName = String.raw`&?[A-Za-z][\w.[\]<>]{0,30}`;
/** As in `api_key: str = "…"`. */
const annotation = String.raw`(?:\s{0,3}:\s{0,2}${typeName}(?: ?\| ?${typeName}){0,3}(?=\s{1,2}=\s))?`;
/**
 * A comparison, and the last two, only before a string, and a comma only between two: `key === "…"`, `KEY || "…"`,
 * `setenv("KEY", "…")`.
 */
const operators = String.raw`=>|:=|<-|\u2192|[=!]==?(?=\s{0,3}\\?["'])|\?=|\|\|=|\?\?=|=(?!=)|:(?![:=])|(?:\|\||\?\?)(?=\s{0,3}["'])|(?<=["'\x60]),(?=[ \t]{0,40}\s{0,3}\\?["'])`;
/** Names and values are often aligned in columns. */
const blanks = String.raw`[ \t]{0,40}`;
/** One of several: `Unseal Key 1: …`. */
const ordinal = String.raw`(?:(?<=[Kk]ey|[Tt]oken|[Ss]ecret) \d{1,2}(?=:))?`;
const assignmentOperator = new RegExp(
  String.raw`${endOfName}${ordinal}${annotation}${blanks}\s{0,3}(?:${operators})(?:\*\*)?\s{0,3}${blanks}`,
  'y',
);

/** On a line of its own, as in a settings file, a value extends to the next blank. */
const wholeWord = /(?![bfru]{1,2}["'])[^\s"'`][^\s]{0,119}/y;
/** After a blank, the line may be code, which ends otherwise: only what is alone on its line is a setting. */
const loneWord = /[^\s"'`(){}[\]&][^\s"'`()]{0,118}[^\s"'`(){[,;](?=[ \t]{0,20}(?:\r?\n|$))/y;
const wordContinuation = /[^\s]{1,880}/y;
/** Reads more of a long name than `nameAround`. */
const ownLine = /(?<=(?:^|\n)\s{0,20}(?:export |set |ENV |- )?[\w.-]{0,200})/y;

const comparison = /[=!]==?\s{0,3}$/;

/** Before a name in quotes that is not the first argument or item, or that begins a row of CSV. */
const laterField = /(?<=(?:,\s{0,3}|^|\n)\\?["'`])/y;

/** A call with the value as its first argument: `.setPassword("…")`. */
const argument = /\(\s{0,8}(?=\\{0,7}["'`])/y;
/** Verbs of methods that get a name, a user or a prompt: `findByUserWithPassword("ann")`. */
const otherVerbs = String.raw`(?:[Gg]et|[Ii]s|[Hh]as|[Ff]ind|[Ff]etch|[Ll]oad|[Rr]ead|[Ll]ook_?[Uu]p|[Rr]esolve|[Rr]equire|[Rr]emove|[Dd]elete|[Gg]enerate|[Aa]sk|[Pp]rompt)(?=[_A-Z])`;
/** A method or constructor that gets the secret itself: `setPassword`, `builder.password`, `ApiKey`. */
const takesSecret = new RegExp(
  String.raw`(?:^|[.])(?:(?:set|with|add|use|enter|type|fill|change|update|put)(?:_|(?=[A-Z]))[\w-]*|(?!${otherVerbs})[A-Z][\w-]*)$|\.(?!pass$|${otherVerbs}|(?:create|input|by|label|describe)(?=[_A-Z]))[a-z][\w-]*$`,
);

/** Detects values by the name next to them, in settings, code, URLs and commands. */
const named = (type: string, kind: SecretKind): Detector => ({
  type,
  minLength: 8,
  find: (text, { words } = new TextIndex(text)) => [
    ...findNamed(kind, text, words(kind)),
    ...findInserted(kind, text, words('insert')),
  ],
  ofMember: (member) =>
    secretKindOf(member) === kind && !country.test(member)
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
/** The name is within a longer text: `"Reset password": "…"`, also `Reset\ password=…` in properties. */
const sentenceBefore = /(?<=["'][^"'\n]{1,60} )/y;
const sentenceEnd = /^[?.:!]?["']\s?:/;
/** A text with punctuation is a key of a file of translations: `"Password:":"…"`. */
const punctuated = /^[?.:!]["']\s?:/;
const firstItem = /(?<=[([{]\s{0,20}\\?["'][#.]?)/y;

/** Texts have few different names, each of which occurs many times. */
const kinds = new LruMap<string, SecretKind | 'none'>(1000);

function kindOf(name: string): SecretKind | 'none' {
  const known = kinds.peek(name);
  if (known) return known;
  const kind = secretKindOf(name) ?? 'none';
  kinds.set(detached(name), kind);
  return kind;
}

/** A name with its position in the text. */
interface Name extends Finding {
  name: string;
}

/**
 * The number of values that are classified within each other, although none is a secret. In
 * `token=token=token=…`, every value would contain all later ones.
 */
const MAX_NESTED = 3;

/** As in `crate::token::Kind` and `arn:aws:secretsmanager:eu-west-1:1:secret:app`. */
const isInPath = (text: string, { start, end }: Finding): boolean =>
  text[start - 1] === ':' && text[end] === ':' && text[end + 1] !== ' ';

/** The values of the names around these words. */
function findNamed(kind: SecretKind, text: string, words: readonly number[]): Finding[] {
  const findings: Finding[] = [];
  const columnsOf = columnReader(text);
  const alignedColumnOf = alignedColumnReader(text);
  const nested = { count: 0, end: 0 };
  let done = 0;
  for (const word of words) {
    if (word < done) continue;
    const name = nameAround(text, word);
    const { start, end } = name;
    done = end;
    if (start >= nested.end) nested.count = 0;
    if (nested.count === MAX_NESTED) continue;
    if (kindOf(name.name) !== kind || isInPath(text, name)) continue;
    const found = (value: Assignment | undefined) => findingOf(kind, text, name, value);
    const column = columnsOf(start, end)?.()
      .filter(isNoCount)
      .flatMap((value) => found(value) ?? []);
    // A row of CSV or Markdown may also be one of several with a name and a value each.
    if (column && (column.length > 0 || text[end] === '\t')) {
      findings.push(...column);
      continue;
    }
    const aligned = alignedColumnOf(start, end)
      .filter(isNoCount)
      .flatMap((value) => found(value) ?? []);
    if (aligned.length > 0) {
      findings.push(...aligned);
      continue;
    }
    const assigned = assignedAt(text, start, end);
    const beside = valuesBeside(found, text, name, assigned);
    const last = beside.at(-1);
    if (last) {
      findings.push(...beside);
      done = last.end;
    } else if (assigned?.isQuoted === false) {
      nested.count += 1;
      nested.end = assigned.start + assigned.value.length;
    }
  }
  return findings;
}

/** Only a name in the plural has several values. */
const endsLikeList = /s$/i;

type Found = (value: Assignment | undefined) => Finding | undefined;

/** The value after a name, with the one that replaces it, or a list of values. */
function valuesBeside(
  found: Found,
  text: string,
  { name, start, end }: Name,
  assigned: Assignment | undefined,
): Finding[] {
  const finding = found(assigned) ?? found(valueInNotation(text, start, end));
  const changed = finding && found(newValueAfter(text, finding.end));
  if (finding) return changed ? [finding, changed] : [finding];
  if (!endsLikeList.test(name)) return [];
  return Array.from(listedValues(text, end), found).filter((one) => one !== undefined);
}

/** The values of rows that SQL inserts into columns of such names. */
const findInserted = (kind: SecretKind, text: string, positions: readonly number[]): Finding[] =>
  Array.from(
    insertedValues(text, positions, (name) => kindOf(name) === kind),
    ({ name, value }) =>
      findingOf(kind, text, { name, start: value.start, end: value.start }, value),
  ).filter((finding) => finding !== undefined);

function findingOf(
  kind: SecretKind,
  text: string,
  { name, start, end: nameEnd }: Name,
  assigned: Assignment | undefined,
): Finding | undefined {
  if (!assigned || isOtherwiseUsed(kind, assigned, text, { name, start })) return undefined;
  if (assigned.isCell && isCellOfWords(assigned)) return undefined;
  const known = assigned.start + assigned.value.length;
  const isSentence =
    text.startsWith('\\ ', start - 2) ||
    punctuated.test(text.slice(nameEnd, nameEnd + 4)) ||
    (sentenceEnd.test(text.slice(nameEnd, nameEnd + 4)) &&
      endOf(sentenceBefore, text, start) !== -1);
  const notation = {
    ...assigned,
    name: isSentence ? ` ${name}` : name,
    after: assigned.isCell || assigned.isInColumn ? '' : text.slice(known, known + AFTER),
  };
  if (!isSecretValue(kind, assigned.value, notation)) return undefined;
  const end = Math.max(known, endOf(assigned.continuation, text, known));
  return { start: assigned.start, end };
}

/** A description: `| password | required! |`. */
const isCellOfWords = ({ value, isQuoted }: Assignment): boolean =>
  !isQuoted && !/\d!$/.test(value) && isWords(value.replace(/[!?]{1,3}$/, ''));

/** The code of the country Palau. */
const country = /^(?:[a-z]{2,3}_)?PW$/;
/** Not a name: `-v "$PWD:/app"`, a macro's `$password:expr`, or a country. */
const isVariableOrCode = (text: string, name: string, start: number): boolean => {
  const end = start + name.length;
  return text[start - 1] === '$'
    ? text[end] === ':' && text[end + 1] !== ' '
    : country.test(name) && /["']/.test(text.charAt(end));
};

/** In `${NAME:+…}`, what replaces the secret, and in `${NAME:-$(…)}`, a command that reads it. */
const otherExpansion = /:\+|:?[-=][$`]/y;
/** An option of a filter, and the next option: `eof_action=pass:repeatlast=0`. */
const nextOption = /:[a-z_]{2,30}=/y;
/** An excluded suite in a list of ciphers of OpenSSL: `HIGH:!PSK:!RC4`. */
const isExcludedCipher = (text: string, start: number, end: number): boolean =>
  text[start - 1] === '!' && text[end] === ':';
/** A keyword of Lisp: `:pass :sub-command?`. */
const keyword = / :[a-z][a-z-]*[?!]?(?![^\s)\]}])/y;

const isSyntax = (text: string, start: number, end: number): boolean =>
  (text.startsWith('${', start - 2) && endOf(otherExpansion, text, end) !== -1) ||
  (text[start - 1] === '=' && endOf(nextOption, text, end) !== -1) ||
  isExcludedCipher(text, start, end) ||
  endOf(keyword, text, end) !== -1;

const isOtherwiseUsed = (
  kind: SecretKind,
  assigned: Assignment,
  text: string,
  { name, start }: { name: string; start: number },
): boolean =>
  endOf(choiceBefore, text, start) !== -1 ||
  isSyntax(text, start, start + name.length) ||
  isVariableOrCode(text, name, start) ||
  // The name of a secret is more often an argument itself than that of a key: `hash(password, "…")`.
  (kind === 'password' &&
    assigned.isArgument === true &&
    !name.startsWith('--') &&
    endOf(firstItem, text, start) === -1);

/** A column of tokens, keys or passes may count them. */
const isNoCount = ({ value }: Assignment): boolean => !/^[\d.,%-]{1,13}$|\s/.test(value);

const isNameCharacter = membersOf(/[\w.-]/);
const MAX_BEFORE = 60;
const MAX_LENGTH = 50;

/** The name that contains the word at a position. Very long ones are cut off before the word. */
function nameAround(text: string, word: number): Name {
  let start = word;
  while (word - start <= MAX_BEFORE && isNameCharacter[text.charCodeAt(start - 1)] === 1)
    start -= 1;
  if (word - start > MAX_BEFORE) start = word;
  let end = word + 1;
  while (isNameCharacter[text.charCodeAt(end)] === 1 && end < word + MAX_LENGTH) end += 1;
  return { name: qualified(text, start, text.slice(start, end)), start, end };
}

const qualifier = /(?<=(?<![\w.-])([A-Za-z]{2,15}) )/y;

/** A key is named by the word before it, too: `API key: …`. */
function qualified(text: string, start: number, name: string): string {
  if (!/^keys?$/i.test(name)) return name;
  qualifier.lastIndex = start;
  const word = qualifier.exec(text)?.[1];
  return word === undefined ? name : `${word} ${name}`;
}

/** The value after an operator, or in a call. */
function assignedAt(text: string, nameStart: number, nameEnd: number): Assignment | undefined {
  if (text[nameEnd] === '(') return argumentAt(text, nameStart, nameEnd);
  const at = endOf(assignmentOperator, text, nameEnd);
  return at === -1 ? undefined : assignedValueAt(text, nameStart, nameEnd, at);
}

/** The value on a line of its own, up to the next blank. */
function wordOfLine(text: string, nameStart: number, at: number, word: RegExp): string | undefined {
  word.lastIndex = at;
  return endOf(ownLine, text, nameStart) === -1 ? undefined : word.exec(text)?.[0];
}

function assignedValueAt(
  text: string,
  nameStart: number,
  nameEnd: number,
  at: number,
): Assignment | undefined {
  const isOption = text[nameStart] === '-';
  if (
    !isOption &&
    text.slice(nameEnd, at).includes(',') &&
    endOf(laterField, text, nameStart) !== -1
  )
    return undefined;
  const first = text.charAt(at);
  if (first !== '' && '|><'.includes(first)) return linesAt(text, nameStart, at);
  const isUnspaced = at - nameEnd === 1;
  const isSetting = isUnspaced && text[nameEnd] === '=';
  if (isSetting && first === '{') return bracedValueAt(text, nameStart, at);
  const separator = text.slice(nameEnd, at);
  const isOnNextLine = separator.includes('\n');
  const word = isOnNextLine
    ? undefined
    : wordOfLine(text, nameStart, at, isSetting ? wholeWord : loneWord);
  if (word !== undefined)
    return { start: at, value: word, isQuoted: false, isUnspaced, continuation: wordContinuation };
  const assigned = valueAt(text, at, isUnspaced);
  const isArgument = separator.trimEnd().endsWith(',');
  const isListed = isArgument || comparison.test(separator);
  return assigned && { ...assigned, isListed, isArgument, isOnNextLine };
}

function argumentAt(text: string, nameStart: number, nameEnd: number): Assignment | undefined {
  const at = endOf(argument, text, nameEnd);
  if (at === -1 || !takesSecret.test(text.slice(nameStart, nameEnd))) return undefined;
  const assigned = valueAt(text, at, false);
  return assigned && !isUser(text, assigned) ? assigned : undefined;
}

const argumentAfter = /\\{0,7}["'`]\s{0,3},/y;
/** A name that is the first of several arguments: `changePassword("ann", "…")`. */
const isUser = (text: string, { start, value }: Assignment): boolean =>
  /^[a-z_-]+$/i.test(value) && endOf(argumentAfter, text, start + value.length) !== -1;

const assignedPassword = named('PASSWORD', 'password');

export const namedPassword: Detector = {
  ...assignedPassword,
  minLength: 7,
  find: (text, ranges = new TextIndex(text)) =>
    [
      ...assignedPassword.find(text, ranges),
      ...findInCommands('PASSWORD', text),
      ...findInProse(text, ranges.words),
      ...findCodes(text, ranges.words),
      ...findInCalls(text),
      ...findPiped(text),
      ...findPasswordsInPaths(text, ranges.words('password')),
      ...findMarked(text, ranges.words),
      ...findHashes(text, ranges.keyRuns),
      ...findRecoveryPasswords(text, ranges.numbers),
    ].sort((a, b) => a.start - b.start),
  ofMember(member) {
    const [own, isCode] = [assignedPassword.ofMember?.(member), codeOfMember(member)];
    if (!own || !isCode) return own ?? isCode;
    return (value) => own(value) || isCode(value);
  },
};

const assignedSecret = named('SECRET', 'secret');

export const namedSecret: Detector = {
  ...assignedSecret,
  inPairs: true,
  find: (text, ranges = new TextIndex(text)) =>
    [
      ...assignedSecret.find(text, ranges),
      ...findKeysInProse(text, ranges.words),
      ...findKeysInCalls(text, ranges.keyRuns),
      ...findInPaths(text, ranges.keyRuns),
    ].sort((a, b) => a.start - b.start),
};
