/** The script that an interpreter runs. The remaining command line is not read. */
export type LaunchedScript = { file: string } | { module: string } | { package: string };

interface Interpreter {
  /** Subcommands that are followed by a script. */
  commands?: readonly string[];
  /** Options whose value is the next word. */
  valueOptions: readonly string[];
  /** Options that exclude a script. */
  noScriptOptions: readonly string[];
  /** Set if only the subcommands run a script. */
  isCommandRequired?: true;
  /** Set if it knows packages such as `npm:name`. */
  hasPackages?: true;
  hasModules?: true;
}

const words = (text: string) => text.split(' ');

const node: Interpreter = {
  valueOptions: words(
    '-r --require --import --loader --experimental-loader -C --conditions --env-file --title' +
      ' --env-file-if-exists --icu-data-dir --openssl-config --redirect-warnings --input-type' +
      ' --trace-event-categories --disable-warning --experimental-default-type',
  ),
  noScriptOptions: words('-e --eval -p --print -pe -h --help -v --version --test --run -'),
};

const bun: Interpreter = {
  commands: ['run', 'x'],
  valueOptions: words(
    '-r --preload --require --import --cwd -c --config --env-file --define -d --loader',
  ),
  noScriptOptions: words('-e --eval -p --print -h --help -v --version -'),
};

const deno: Interpreter = {
  commands: ['run', 'x'],
  valueOptions: words(
    '-c --config --import-map --cert --location --seed -L --log-level --env-file --ext',
  ),
  noScriptOptions: words('eval -h --help -V --version task test -'),
  hasPackages: true,
};

/** `tsx` and `ts-node` take the options of Node and their own. */
const typeScript: Interpreter = {
  ...node,
  commands: ['watch'],
  valueOptions: [...node.valueOptions, '--tsconfig', '-P', '--project', '-O'],
};

/** The programs of Python's MCP SDK and of FastMCP. */
const mcpRunner: Interpreter = {
  commands: ['run', 'dev'],
  isCommandRequired: true,
  valueOptions: words('-t --transport --host -p --port --path -l --log-level --with --python -f'),
  noScriptOptions: words('-h --help'),
};

const python: Interpreter = {
  valueOptions: words('-W -X --check-hash-based-pycs'),
  noScriptOptions: words('-h --help -V --version -'),
  hasModules: true,
};

/** Returns the interpreter with this executable name; `python3.12` counts as `python`. */
export function interpreterOf(executable: string): Interpreter | undefined {
  if (/^(python|pypy)[\d.]*t?$/i.test(executable)) return python;
  if (executable === 'node' || executable === 'nodejs') return node;
  return others.get(executable);
}

const others: ReadonlyMap<string, Interpreter> = new Map([
  ['bun', bun],
  ['deno', deno],
  ['tsx', typeScript],
  ['ts-node', typeScript],
  ['mcp', mcpRunner],
  ['fastmcp', mcpRunner],
]);

export const isPython = (executable: string): boolean => interpreterOf(executable) === python;

/** The script that these arguments (without the program) make the interpreter run, if any. */
export function readScript(
  executable: string,
  args: readonly string[],
): LaunchedScript | undefined {
  const interpreter = interpreterOf(executable);
  if (!interpreter) return undefined;
  if (interpreter.isCommandRequired && !isCommand(interpreter, args[0] ?? '')) return undefined;
  return scriptIn(interpreter, args);
}

function scriptIn(interpreter: Interpreter, args: readonly string[]): LaunchedScript | undefined {
  const { hasPackages = false } = interpreter;
  const rest = [...args];
  for (let word = rest.shift(); word !== undefined; word = rest.shift()) {
    const module = interpreter.hasModules ? moduleOption(word) : undefined;
    if (module) return moduleScript(module.attached || (rest.shift() ?? ''));
    if (word === '--') return fileOrPackage(rest.shift(), hasPackages);
    if (interpreter.noScriptOptions.includes(word) || isCode(interpreter, word)) return undefined;
    if (interpreter.valueOptions.includes(word)) rest.shift();
    else if (!word.startsWith('-') && !isCommand(interpreter, word))
      return fileOrPackage(word, hasPackages);
  }
  return undefined;
}

/** `-m name`, `-mname`, or `m` as the last of several letters. */
function moduleOption(word: string): { attached: string } | undefined {
  const match = /^-[bBdEiIOPqRsSuvx]*m(.*)$/.exec(word);
  return match ? { attached: match[1] ?? '' } : undefined;
}

const isCode = ({ hasModules }: Interpreter, word: string): boolean =>
  hasModules === true && /^-[bBdEiIOPqRsSuvx]*c/.test(word);

const isCommand = ({ commands }: Interpreter, word: string): boolean =>
  commands?.includes(word) === true;

const moduleScript = (module: string): LaunchedScript | undefined =>
  /^\w+(\.\w+)*$/.test(module) ? { module } : undefined;

function fileOrPackage(word: string | undefined, hasPackages: boolean): LaunchedScript | undefined {
  if (!word) return undefined;
  const name = /^npm:\/?((?:@[\w.~-]+\/)?[\w.~-]+)/.exec(word)?.[1];
  if (hasPackages && name !== undefined) return { package: name };
  return /^[a-z][a-z0-9+-]+:/i.test(word) ? undefined : { file: word };
}
