import { commandWrappers, wrapperPackages } from '#domain/app-catalog/command-wrappers.ts';
import { isRunner, shells } from '#domain/app-catalog/runners.ts';
import { looksSecret } from '../secret-looking.ts';
import { WITHHELD } from '../display.ts';
import { distributionMatcher, normalizedDistribution, packageOfScript } from './app-of-script.ts';
import { interpreterOf, readScript } from './launch-script.ts';
import {
  type LaunchedPackage,
  packageOf,
  type PackageLaunch,
  targetOfProxy,
} from './launched-package.ts';
import { programName, unwrapCommand } from './unwrap-command.ts';

/** What a command runs in the end. `file`, `arguments` and `words` may contain secrets. */
export interface Launch {
  /** The program's base name, withheld if it may contain a secret. */
  program: string;
  /** The package that it fetches, or whose installed files it runs. */
  package: LaunchedPackage | undefined;
  /** The address or the name to which a proxy connects; it is the actual server. */
  target: string | undefined;
  /** The script or module of an interpreter, or the path of the program: `-m x` for a module. */
  file: string | undefined;
  /** The programs through which it is run, such as `sudo` and `sh`. */
  through: readonly string[];
  /** The arguments of the program, as written. */
  arguments: readonly string[];
  /** All words of the command, as written. */
  words: readonly string[];
  /** The names of variables that are set in the command. */
  variables: readonly string[];
}

const shownName = (name: string) =>
  /^\w[\w.+ -]{0,63}$/.test(name) && !/ -|=/.test(name) && !looksSecret(name) ? name : WITHHELD;

type Found = Pick<Launch, 'package' | 'target' | 'file'>;
const nothing: Found = { package: undefined, target: undefined, file: undefined };

/** The installed package of a script, by its folder. */
function installedPackage(path: string): LaunchedPackage | undefined {
  const name = path.includes('/node_modules/') ? packageOfScript(path) : undefined;
  return name === undefined || name.startsWith('.')
    ? undefined
    : { name, version: undefined, source: 'npm', isInstalled: true };
}

/** The package of a module that the catalog knows, by its name. */
function packageOfModule(module: string): LaunchedPackage | undefined {
  const [name = ''] = module.split('.');
  if (!distributionMatcher(name)) return undefined;
  return {
    name: normalizedDistribution(name),
    version: undefined,
    source: 'python',
    isInstalled: true,
  };
}

function runByInterpreter(name: string, args: readonly string[]): Found | undefined {
  const script = readScript(name, args);
  if (!script || 'package' in script) return undefined;
  if ('module' in script) {
    const installed = packageOfModule(script.module);
    const target = installed && targetOfProxy(installed.name, args.slice(args.indexOf('-m') + 2));
    return { ...nothing, package: installed, target, file: `-m ${script.module}` };
  }
  const installed = installedPackage(script.file);
  const rest = args.slice(args.indexOf(script.file) + 1);
  return {
    package: installed,
    target: installed && targetOfProxy(installed.name, rest),
    file: pathOf(script.file),
  };
}

/** A path as it is recognized in texts: one in the working folder begins with a dot. */
const pathOf = (file: string): string => (/^([/~.$]|[A-Za-z]:)/.test(file) ? file : `./${file}`);

function runByPath(program: string, name: string, args: readonly string[]): Found {
  const installed = installedPackage(program);
  const target = targetOfProxy(installed?.name ?? name, args);
  return { package: installed, target, file: /[/\\]/.test(program) ? pathOf(program) : undefined };
}

/** Whether the word starts something else than a package's own program. */
const isOtherProgram = (word: string): boolean =>
  interpreterOf(word) !== undefined || shells.has(word) || isRunner(word) || /[/\\]|^-/.test(word);

/** The command that a fetched package only passes on: `npx cross-env A=b node x.js`, `npx tsx x.ts`. */
function passedOn({ package: fetched, rest, isCommand }: PackageLaunch) {
  if (fetched.source === 'image') return undefined;
  if (isCommand) return rest[0] !== undefined && isOtherProgram(rest[0]) ? rest : undefined;
  const program = wrapperPackages.get(fetched.name) ?? fetched.name;
  const isPassing = commandWrappers.has(program) || interpreterOf(program) !== undefined;
  return isPassing ? [program, ...rest] : undefined;
}

const MAX_PACKAGES = 4;

/**
 * The program, package, script or address that a command runs in the end: wrappers, shells and
 * interpreters are unwrapped.
 */
export function readLaunch(words: readonly string[], depth = 0): Launch {
  const unwrapped = unwrapCommand(words);
  const [program = '', ...args] = unwrapped.command;
  const name = programName(program);
  const fetched = packageOf(name, args);
  const inner = fetched && depth < MAX_PACKAGES ? passedOn(fetched) : undefined;
  const launch = {
    program: shownName(name),
    through: unwrapped.through.map(shownName),
    arguments: args,
    words: unwrapped.words,
    variables: unwrapped.variables,
  };
  if (inner) {
    const innermost = readLaunch(inner, depth + 1);
    return {
      ...innermost,
      through: [...launch.through, launch.program, ...innermost.through],
      words: launch.words,
      variables: [...launch.variables, ...innermost.variables],
    };
  }
  if (fetched) {
    const { rest, isCommand } = fetched;
    const target = targetOfProxy(fetched.package.name, isCommand ? rest.slice(1) : rest);
    return { ...launch, package: fetched.package, target, file: undefined };
  }
  const found = runByInterpreter(name, args);
  if (found ?? isRunner(name)) return { ...launch, ...(found ?? nothing) };
  return { ...launch, ...runByPath(program, name, args) };
}
