import { commandWrappers, type Wrapper } from '#domain/app-catalog/command-wrappers.ts';
import { uvRun } from '#domain/app-catalog/launchers.ts';
import { isRunner, shells } from '#domain/app-catalog/runners.ts';
import { onlyCommand, splitWords } from './command-line.ts';
import { afterCommand, firstArgument, splitOption } from './command-options.ts';
import { normalizedDistribution } from './app-of-script.ts';

const baseName = (path: string) =>
  path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1);

/** A program's name without its folder; of a runner, also without extension, as on Windows. */
export function programName(path: string): string {
  const name = baseName(path);
  const plain = name.toLowerCase().replace(/\.(exe|cmd|bat)$/, '');
  return isRunner(plain) ? plain : name;
}

const assignment = /^\w+=/;

/** The words of a command without variables set before it. */
function skipAssignments(words: readonly string[]): readonly string[] {
  const start = words.findIndex((word) => !assignment.test(word));
  return start < 0 ? [] : words.slice(start);
}

function inShell(args: readonly string[]): readonly string[] | undefined {
  const at = args.findIndex((word) => /^-[a-z]*c$|^-Command$/i.test(word));
  if (at < 0 || !args.slice(0, at).every((word) => word.startsWith('-'))) return undefined;
  return onlyCommand(args[at + 1] ?? '');
}

function inWrapper(wrapper: Wrapper, args: readonly string[]): readonly string[] | undefined {
  const words = afterCommand(args, wrapper.commands);
  if (!words) return undefined;
  const atLine = words.findIndex((word) => wrapper.lines?.includes(splitOption(word)[0]) === true);
  const atEnd = words.findIndex((word) => (wrapper.separators ?? ['--']).includes(word));
  if (atLine >= 0 && (atEnd < 0 || atLine < atEnd)) {
    const [, value = words[atLine + 1] ?? ''] = splitOption(words[atLine] ?? '');
    return onlyCommand(value);
  }
  if (wrapper.separators) return atEnd < 0 ? undefined : words.slice(atEnd + 1);
  const start = firstArgument(words, wrapper);
  return start === undefined ? undefined : afterLeading(words.slice(start), wrapper.leading ?? 0);
}

const afterLeading = (words: readonly string[], leading: number): readonly string[] =>
  skipAssignments(words).slice(leading);

/** `uv run` as the command that it runs: Python, a program, or one of a package in `--with`. */
function inUvRun(args: readonly string[]): readonly string[] | undefined {
  const words = afterCommand(args, [['run']], uvRun.global);
  if (!words) return undefined;
  const { modules, scripts } = uvRun;
  const valued = [...uvRun.valued, ...scripts];
  const atModule = words.findIndex((word) => modules.includes(word));
  const start = firstArgument(words, { flags: uvRun.flags, valued });
  if (atModule >= 0 && (start === undefined || atModule < start))
    return ['python', '-m', ...words.slice(atModule + 1)];
  if (start === undefined) return undefined;
  const atScript = words.slice(0, start).findIndex((word) => scripts.includes(word));
  if (atScript >= 0) return ['python', ...words.slice(atScript + 1)];
  const [program = '', ...rest] = words.slice(start);
  if (/^https?:\/\//.test(program)) return ['uvx', '--from', program, ...rest];
  if (/\.pyw?$/.test(program)) return ['python', program, ...rest];
  const spec = withPackages(words.slice(0, start)).find((one) => isPackageOf(one, program));
  return spec === undefined ? [program, ...rest] : ['uvx', spec, ...rest];
}

const withPackages = (words: readonly string[]): string[] =>
  words.flatMap((word, i) => {
    const [option, value = words[i + 1] ?? ''] = splitOption(word);
    return option === uvRun.with ? value.split(',') : [];
  });

const isPackageOf = (spec: string, program: string): boolean =>
  normalizedDistribution(/^[\w.-]+/.exec(spec)?.[0] ?? '') === normalizedDistribution(program);

/** The command that a program runs, if it only runs one. */
function wrappedCommand(name: string, args: readonly string[]): readonly string[] | undefined {
  const wrapper = commandWrappers.get(name);
  if (name === 'uv') return inUvRun(args);
  return (wrapper && inWrapper(wrapper, args)) ?? (shells.has(name) ? inShell(args) : undefined);
}

/** What a command runs in the end. */
export interface Unwrapped {
  /** The innermost command: its program and arguments. */
  command: readonly string[];
  /** The names of the programs that it is run through, the outermost first. */
  through: readonly string[];
  /** The words of all layers. */
  words: readonly string[];
  /** The names of the variables that the outer layers set. */
  variables: readonly string[];
}

const variablesIn = (words: readonly string[], command: readonly string[]): string[] =>
  words.flatMap((word) =>
    assignment.test(word) && !command.includes(word) ? [word.slice(0, word.indexOf('='))] : [],
  );

const MAX_LAYERS = 8;

/**
 * Unwraps `sudo`, `env`, shells, `op run --`, our own gateway and the like. A shell's command line
 * is unwrapped if it is one command, because any other command in it may be the one that matters.
 */
export function unwrapCommand(words: readonly string[]): Unwrapped {
  let command = skipAssignments(words);
  const through: string[] = [];
  const all = [...words];
  while (through.length < MAX_LAYERS) {
    const name = programName(command[0] ?? '');
    const inner = skipAssignments(wrappedCommand(name, command.slice(1)) ?? []);
    if (inner.length === 0) break;
    // `cmd /c "npx -y a"`: the rest of the line in one word.
    const [first = ''] = inner;
    command = inner.length === 1 && /\s/.test(first) ? splitWords(first) : inner;
    through.push(name);
    if (command.some((word) => !all.includes(word))) all.push(...command);
  }
  return { command, through, words: all, variables: variablesIn(all, command) };
}
