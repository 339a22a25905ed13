import { commandSecrets, type CommandSecret } from './command-options.ts';
import { hasSecretCookie } from '../http-credentials/cookies.ts';
import { endOf, type Finding } from '../detector.ts';
import { isSecretValue } from './secret-value.ts';

/** "Copy as cURL" of browsers writes all headers of a request. */
const MAX_COMMAND_LENGTH = 6000;
/** Between two commands of a line. */
const separator = /\s(?:\|{1,2}|;|&&)\s/g;
const separatorOrLineEnd = /\s(?:\|{1,2}|;|&&)\s|\n/g;

interface Rule {
  type: CommandSecret['type'];
  word: RegExp;
  option: RegExp;
}

const ruleOf = ({ type, program, option, kept }: CommandSecret): Rule => ({
  type,
  word: new RegExp(String.raw`(?:${program})\s`, 'y'),
  option: new RegExp(
    String.raw`(?<=\s)${option}\\?(?:["']${kept}(?<quoted>[^"'\\\n]{1,400})|(?!-)${kept}(?<bare>[^\s"'\`\\]{1,400}))`,
    'g',
  ),
});

const rules = commandSecrets.map(ruleOf);
const programs = new RegExp(
  String.raw`(?<![\w.-])(?:${commandSecrets.map(({ program }) => program).join('|')})\s`,
  'g',
);
const moreQuoted = /[^"'\\\n]{1,1000}/y;
const moreBare = /[^\s"'`\\]{1,1000}/y;

const isSecret: Record<CommandSecret['type'], (value: string) => boolean> = {
  PASSWORD: (value) => isSecretValue('password', value, { isQuoted: true, isUnspaced: true }),
  AUTHORIZATION: (value) => value.includes('=') && hasSecretCookie(value),
};

/** The secrets of a type in command lines. Texts without options are skipped quickly. */
export const findInCommands = (type: CommandSecret['type'], text: string): Finding[] =>
  [...commandsIn(text)].flatMap(({ start, end }) => findIn(type, text, start, end));

/** The options of `net use` and `net user`. Other listed programs have options with a dash. */
const slashOptions = /\/(?:user:|add\b)/y;

/** The command lines that have an option, without overlaps. */
function* commandsIn(text: string): Generator<Finding> {
  for (const next of [nextOption, nextSlashOption]) {
    let done = 0;
    for (let at = next(text, 1); at !== -1; at = next(text, Math.max(at + 1, done))) {
      const start = startOfCommand(text, Math.max(done, at - MAX_COMMAND_LENGTH), at);
      done = endOfCommand(text, at);
      yield { start, end: done };
    }
  }
}

const isBlank = (code: number): boolean => code === 32 || code === 10 || code === 9;

/** The long options in the list, or any short ones. */
const anyOption = /-(?:[A-Za-z]|-(?:(?:proxy-)?user|cookie|auth)\b)/y;

/** The position of the next option after a blank that may be in the list, or -1. */
function nextOption(text: string, from: number): number {
  for (let at = text.indexOf('-', from); at !== -1; at = text.indexOf('-', at + 1))
    if (isBlank(text.charCodeAt(at - 1)) && endOf(anyOption, text, at) !== -1) return at;
  return -1;
}

function nextSlashOption(text: string, from: number): number {
  for (let at = text.indexOf('/', from); at !== -1; at = text.indexOf('/', at + 1)) {
    if (!isBlank(text.charCodeAt(at - 1))) continue;
    if (endOf(slashOptions, text, at) !== -1) return at;
  }
  return -1;
}

/** The start of the command before a position, at `from` or after it. */
function startOfCommand(text: string, from: number, to: number): number {
  const before = text.slice(from, to);
  let line = before.lastIndexOf('\n');
  while (line > 0 && isContinued(before, line)) line = before.lastIndexOf('\n', line - 1);
  let start = from + line + 1;
  for (const match of before.slice(line + 1).matchAll(separator))
    start = from + line + 1 + match.index + match[0].length;
  return start;
}

function endOfCommand(text: string, from: number): number {
  const after = text.slice(from, from + MAX_COMMAND_LENGTH);
  for (const { 0: found, index } of after.matchAll(separatorOrLineEnd))
    if (found !== '\n' || index === 0 || !isContinued(after, index)) return from + index;
  return from + after.length;
}

/** Whether there is a backslash before the line end. */
const isContinued = (text: string, lineEnd: number): boolean =>
  text[text[lineEnd - 1] === '\r' ? lineEnd - 2 : lineEnd - 1] === '\\';

function findIn(type: CommandSecret['type'], text: string, start: number, end: number): Finding[] {
  const line = text.slice(start, end);
  const starts = Array.from(line.matchAll(programs), ({ index }) => index);
  if (starts.length === 0) return [];
  return rules.flatMap((rule) => {
    if (rule.type !== type) return [];
    const own = starts.filter((at) => endOf(rule.word, line, at) !== -1);
    return own.flatMap((at, index) =>
      findValues(rule, text, start + at, line.slice(at, own[index + 1])),
    );
  });
}

function findValues({ type, option }: Rule, text: string, at: number, command: string) {
  const findings: Finding[] = [];
  for (const match of command.matchAll(option)) {
    const { quoted, bare } = match.groups ?? {};
    const value = quoted ?? bare ?? '';
    if (!isSecret[type](value)) continue;
    const known = at + match.index + match[0].length;
    const end = Math.max(known, endOf(quoted === undefined ? moreBare : moreQuoted, text, known));
    findings.push({ start: known - value.length, end });
  }
  return findings;
}
