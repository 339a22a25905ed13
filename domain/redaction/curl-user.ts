import { endOf, type Finding, positionsOf } from './detector.ts';
import { isSecretValue } from './secret-value.ts';

/** `-u name:password`, `--user 'name:password'`, `-sSuname:password`. */
const option =
  /(?<=\s)(?:-[A-Za-z]{0,6}[uU][ \t]{0,3}|--(?:proxy-)?user(?:=|[ \t]{1,3}))\\?(?:["'][^\s:"'\\]{1,64}:(?<quoted>[^"'\\\n]{1,200})|[^\s:"'\\]{1,64}:(?<bare>[^\s"'\\]{1,200}))/g;
const moreQuoted = /[^"'\\\n]{1,1000}/y;
const moreBare = /[^\s"'\\]{1,1000}/y;

const MAX_COMMAND_LENGTH = 1000;
const word = /(?<![\w-])curl(?:\.exe)?\s/y;
/** A line end without a continuation backslash, or the start of another command. */
const endsCommand = /(?<!\\\r?)\n|\s(?:\|{1,2}|;|&&)\s/;

/** Passwords in curl commands. In other programs, the same options take groups or ids. */
export function findCurlUsers(text: string): Finding[] {
  const starts = positionsOf('curl', text).filter((at) => endOf(word, text, at) !== -1);
  return starts.flatMap((start, index) => {
    const limit = Math.min(start + MAX_COMMAND_LENGTH, starts[index + 1] ?? text.length);
    return findUsers(text, start, limit);
  });
}

function findUsers(text: string, start: number, limit: number): Finding[] {
  const rest = text.slice(start, limit);
  const length = rest.search(endsCommand);
  const findings: Finding[] = [];
  for (const match of (length === -1 ? rest : rest.slice(0, length)).matchAll(option)) {
    const { quoted, bare } = match.groups ?? {};
    const password = quoted ?? bare ?? '';
    if (!isSecretValue('password', password, { isQuoted: true, isUnspaced: true })) continue;
    const known = start + match.index + match[0].length;
    const end = Math.max(known, endOf(quoted === undefined ? moreBare : moreQuoted, text, known));
    findings.push({ start: known - password.length, end });
  }
  return findings;
}
