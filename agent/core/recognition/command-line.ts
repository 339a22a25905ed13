/** Long enough for real commands; limits the time of a search. */
export const MAX_COMMAND_LENGTH = 8000;

const quoted = String.raw`'[^']*'|"(?:[^"\\]|\\.)*"`;
const wordPattern = new RegExp(String.raw`(?:[^\s'"\\]|\\.|\\$|${quoted})+`, 'sy');
const shellPattern = new RegExp(String.raw`(?:[^\s'"\\;|&()<>]|\\.|\\$|${quoted})+`, 'sy');
const operatorPattern = /\d*(?:&&|\|\||[;|()]|&?>>?&?\d*|<&?\d*|&)|\n/y;

/** Removes quotes. A backslash that does not escape a quote or a blank is part of a Windows path. */
const unquote = (word: string): string =>
  word.replaceAll(
    /'([^']*)'|"((?:[^"\\]|\\.)*)"|\\(["'\\\s$])/gs,
    (_, single?: string, double?: string, escaped?: string) =>
      single ?? double?.replaceAll(/\\(["\\$`])/g, '$1') ?? escaped ?? '',
  );

function readAt(pattern: RegExp, text: string, at: number): string | undefined {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0];
}

/**
 * The words of a command line, without quotes. After a quote that is never closed, the rest is one
 * word.
 */
export function splitWords(line: string): string[] {
  const text = line.slice(0, MAX_COMMAND_LENGTH);
  const words: string[] = [];
  for (let at = 0; at < text.length;) {
    if (/\s/.test(text.charAt(at))) {
      at += 1;
      continue;
    }
    const word = readAt(wordPattern, text, at) ?? text.slice(at);
    words.push(unquote(word));
    at += word.length;
  }
  return words;
}

/**
 * The simple commands of a shell's command line, each as its words, without redirections. Undefined
 * if it contains anything else: a substitution, a group, a quote that is never closed.
 */
export function splitCommands(line: string): string[][] | undefined {
  const text = line.slice(0, MAX_COMMAND_LENGTH).replaceAll(/\\\r?\n/g, ' ');
  if (/`|\$\(|<\(|>\(/.test(text)) return undefined;
  const commands: string[][] = [[]];
  for (let at = 0; at < text.length;) {
    if (/[^\S\n]/.test(text.charAt(at))) {
      at += 1;
      continue;
    }
    const operator = readAt(operatorPattern, text, at);
    if (operator !== undefined && /[()]/.test(operator)) return undefined;
    const word = operator ?? readAt(shellPattern, text, at);
    if (word === undefined) return undefined;
    at += word.length;
    if (operator === undefined) commands.at(-1)?.push(unquote(word));
    else if (!/[<>]/.test(operator)) commands.push([]);
    else if (!/&\d+$/.test(operator)) at += lengthOfTarget(text, at);
  }
  return commands.filter((words) => words.length > 0);
}

/** The length of the file name after a redirection. */
function lengthOfTarget(text: string, at: number): number {
  const blanks = /^[^\S\n]*/.exec(text.slice(at))?.[0].length ?? 0;
  return blanks + (readAt(shellPattern, text, at + blanks)?.length ?? 0);
}

/** Files that a login shell reads anyway, and those that activate an environment. */
const startupFile =
  /(^|\/)(nvm\.sh|activate|\.(bash|zsh)?(rc|_?profile|env)|\.zprofile|\.profile)$/;

/** Whether a command only prepares the shell for the next one. */
const isPreparation = ([program = '', first = '']: readonly string[]): boolean =>
  /^(cd|export|set|unset|ulimit|umask|true|:)$/.test(program) ||
  (/^(source|\.)$/.test(program) && startupFile.test(first));

/** The only command of a shell's command line beside preparations, if there is only one. */
export function onlyCommand(line: string): string[] | undefined {
  const commands = splitCommands(line)?.filter((words) => !isPreparation(words));
  return commands?.length === 1 ? commands[0] : undefined;
}

/**
 * The words of a command in a configuration. Some clients accept a whole line as the program. A
 * path with blanks is one word if `isProgram` says so.
 */
export function wordsOf(
  command: string,
  args: readonly string[],
  isProgram: (path: string) => boolean = () => false,
): string[] {
  if (!/\s/.test(command) || isProgram(command)) return [command, ...args];
  const programs = prefixesOf(command).filter(isProgram);
  const program = programs.at(-1);
  if (program !== undefined)
    return [program, ...splitWords(command.slice(program.length)), ...args];
  const words = [...splitWords(command), ...args];
  const [first = '', ...rest] = words;
  // A quoted text is a path with blanks only if there is such a program.
  return /\s/.test(first) && !isProgram(first) ? [...first.trim().split(/\s+/), ...rest] : words;
}

const MAX_PREFIXES = 20;

/** The beginnings of a line that end before a blank and could be the path of a program. */
export const prefixesOf = (line: string): string[] =>
  /^[/~]/.test(line)
    ? [...line.slice(0, MAX_COMMAND_LENGTH).matchAll(/\S(?=\s)/g)]
        .slice(0, MAX_PREFIXES)
        .map(({ index }) => line.slice(0, index + 1))
    : [];
