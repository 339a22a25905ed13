/** The options of a program that come before what it runs. */
export interface CommandOptions {
  flags?: readonly string[];
  valued?: readonly string[];
}

/** The option and the value in `--option=value`. */
export function splitOption(word: string): [string, string | undefined] {
  const at = word.startsWith('--') ? word.indexOf('=') : -1;
  return at < 0 ? [word, undefined] : [word.slice(0, at), word.slice(at + 1)];
}

/** `-v/x:/y`: a short option with its value attached. */
const isAttached = (word: string, valued: readonly string[]): boolean =>
  word.length > 2 && !word.startsWith('--') && valued.includes(word.slice(0, 2));

/**
 * The number of words that this option takes: 1, or 2 with its value. Undefined for an unknown
 * option, which may take a value.
 */
export function lengthOfOption(
  word: string,
  { flags = [], valued = [] }: CommandOptions,
): 1 | 2 | undefined {
  if (flags.includes(word) || splitOption(word)[1] !== undefined) return 1;
  if (valued.includes(word)) return 2;
  return isAttached(word, valued) ? 1 : undefined;
}

/**
 * The index of the first argument that is not an option, after `--` if there is one. Undefined if
 * an unknown option precedes it.
 */
export function firstArgument(
  words: readonly string[],
  options: CommandOptions,
): number | undefined {
  for (let at = 0; at < words.length;) {
    const word = words[at] ?? '';
    if (word === '--') return at + 1;
    if (!word.startsWith('-') && word !== '') return at;
    const length = lengthOfOption(word, options);
    if (length === undefined) return undefined;
    at += length;
  }
  return words.length;
}

/** The words after a subcommand, which global options may precede; undefined for another one. */
export function afterCommand(
  words: readonly string[],
  commands: readonly (readonly string[])[] | undefined,
  global: readonly string[] = [],
): readonly string[] | undefined {
  if (!commands) return words;
  const at = firstArgument(words, { valued: global }) ?? 0;
  const found = commands.find((command) => command.every((word, i) => words[at + i] === word));
  return found && words.slice(found.length === 0 ? 0 : at + found.length);
}
