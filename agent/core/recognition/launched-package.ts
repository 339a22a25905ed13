import { launchers, type Launcher } from '#domain/app-catalog/launchers.ts';
import { remoteProxies } from '#domain/app-catalog/remote-proxies.ts';
import { looksSecret } from '../secret-looking.ts';
import { displayAddress, WITHHELD } from '../display.ts';
import { onlyCommand } from './command-line.ts';
import {
  afterCommand,
  type CommandOptions,
  lengthOfOption,
  splitOption,
} from './command-options.ts';

export interface LaunchedPackage {
  /** The name in the registry, or the host it is fetched from. */
  name: string;
  /** The version, tag or digest as written; undefined: the latest. */
  version: string | undefined;
  source: Launcher['source'] | 'remote';
  /** The source, if it is not the public registry. */
  registry?: string;
  /** Set if the package is not fetched: its installed files are run. */
  isInstalled?: true;
}

const registryName =
  /^((?:@[a-z0-9~-][\w.~-]*\/)?[a-z0-9~][\w.~-]*)(?:\[[\w,-]*\])?(?:(?:@|==)([\w.+~^*-]+))?$/i;
const imageName =
  /^([a-z0-9][\w.-]*(?::\d+(?=\/))?(?:\/[\w.-]+)*)(?::([\w.-]+))?(?:@(sha256:[0-9a-f]{64}))?$/;
const remoteSpec =
  /^(git\+)?(https?|ssh|git):\/\/|^(github|gitlab|bitbucket|gist):|\.(tgz|tar\.gz)$|^git@/;

/** Formats of versions that a registry never replaces. */
const exactVersion = {
  npm: /^v?\d+\.\d+\.\d+([-+.].*)?$/,
  python: /^v?\d+\.\d+[\w.+]*$/,
  image: /^sha256:|^v?\d+\.\d+\.\d+/,
};

const redact = (part: string) => (looksSecret(part) ? WITHHELD : part);

/** A URL without parts that may contain credentials: user, parameters, key-like path segments. */
function plainAddress(address: string, parts: string): string | undefined {
  const url = URL.parse(address);
  if (!url?.hostname) return undefined;
  const path = parts.replace(/\/+$/, '').split('/').map(redact).join('/');
  return `${url.protocol}//${url.host.split('.').map(redact).join('.')}${path}`;
}

/** The name of a package that is not from a registry: `github:owner/name`, or its URL. */
function remoteName(spec: string): string {
  const [plain = ''] = spec.split(/[?#\s]/, 1);
  const short = /^(github|gitlab|bitbucket|gist):([\w./-]{1,150})$/.exec(plain);
  if (short?.[2]) return `${short[1]}:${short[2].split('/').map(redact).join('/')}`;
  const host = /^git@([\w.-]+):([\w./-]{1,150})$/.exec(plain);
  const address = host ? `ssh://${host[1]}/${host[2]}` : plain.replace(/^git\+/, '');
  const path = URL.parse(address)?.pathname ?? '';
  const revision = /^\/[^@]*@[^/]*$/.test(path) ? path.replace(/@[^/]*$/, '') : path;
  return plainAddress(address, revision)?.slice(0, 200) ?? 'remote source';
}

function readPackage(spec: string, source: Launcher['source']): LaunchedPackage | undefined {
  const plain = spec.replace(/^(npm|jsr):/, '');
  if (remoteSpec.test(plain))
    return { name: remoteName(plain), version: undefined, source: 'remote' };
  const match = (source === 'image' ? imageName : registryName).exec(plain);
  const name = match?.[1];
  if (!match || !name || plain.length > 200 || looksSecret(name)) return undefined;
  if (match[3]) return { name, version: match[3], source };
  const version = match[2] && looksSecret(match[2]) ? WITHHELD : match[2];
  return { name, version, source };
}

interface Named extends CommandOptions {
  named?: readonly string[];
  lines?: readonly string[];
}

interface Names {
  names: readonly string[];
  /** Whether options name the package, so that its command follows. */
  isOption: boolean;
  rest: readonly string[];
}

/** A shell's command line is its command if there is only one, which may be the package's. */
const commandOfLine = (line: string): readonly string[] => onlyCommand(line) ?? ['sh', '-c', line];

/**
 * The packages in options, or else in the first argument, and the words after them. Undefined after
 * an unknown option, which may take a value: reporting no package is better than reporting a token.
 */
function readNames(syntax: Named, words: readonly string[]): Names | undefined {
  const names: string[] = [];
  for (let at = 0; at < words.length;) {
    const [word = '', next = ''] = words.slice(at);
    const [option, value] = splitOption(word);
    if (syntax.lines?.includes(option))
      return { names, isOption: true, rest: commandOfLine(value ?? next) };
    if (isArgument(word)) return namesWithArgument(names, words.slice(at));
    const isNamed = syntax.named?.includes(option) === true;
    if (isNamed) names.push(value ?? next);
    const valued = value === undefined ? 2 : 1;
    const length = isNamed ? valued : isSeparator(word) ? 1 : lengthOfOption(word, syntax);
    if (length === undefined) return undefined;
    at += length;
  }
  return { names, isOption: true, rest: [] };
}

const isArgument = (word: string) => word !== '' && !word.startsWith('-');
const isSeparator = (word: string) => word === '' || word === '--';

/** The first argument is the command of a package in options, or else the package. */
function namesWithArgument(names: readonly string[], words: readonly string[]): Names {
  if (names.length > 0) return { names, isOption: true, rest: words };
  return { names: words.slice(0, 1), isOption: false, rest: words.slice(1) };
}

/** A package with the words after it. */
export interface PackageLaunch {
  package: LaunchedPackage;
  /** The words after the package, or from the command of the package on. */
  rest: readonly string[];
  /** Whether `rest` begins with a command, as in `npx --package=x COMMAND`. */
  isCommand: boolean;
}

const unscoped = (spec: string) => spec.replace(/^@[^/]*\//, '').replace(/(?<=.)(@|==|\[).*$/, '');

/** The package among several whose command runs: the one with the command's name. */
const nameOfCommand = (names: readonly string[], command: string | undefined) =>
  names.length < 2 ? names[0] : names.find((name) => unscoped(name) === command);

/** The package that a program fetches and runs. */
export function packageOf(program: string, args: readonly string[]): PackageLaunch | undefined {
  const launcher = launchers.get(program);
  const words = launcher && afterCommand(args, launcher.commands, launcher.global);
  if (!words) return undefined;
  const read = readNames(launcher, words);
  const word = read && nameOfCommand(read.names, read.rest[0]);
  if (!read || word === undefined || (launcher.prefixed && !/^(npm|jsr|https?):/.test(word)))
    return undefined;
  const launched = readPackage(word, launcher.source);
  if (!launched) return undefined;
  const registry = word.startsWith('jsr:') ? JSR : otherRegistry(launcher.source, args);
  const from = registry === undefined ? launched : { ...launched, registry };
  return { package: from, rest: read.rest, isCommand: read.isOption };
}

const JSR = 'https://jsr.io';

const registryOptions: Readonly<Record<Launcher['source'], readonly string[]>> = {
  npm: ['--registry'],
  python: [
    '-i',
    '--index',
    '--index-url',
    '--default-index',
    '--extra-index-url',
    '-f',
    '--find-links',
  ],
  image: [],
};
const publicRegistries = [
  'https://registry.npmjs.org',
  'https://registry.yarnpkg.com',
  'https://pypi.org/simple',
];

/** The registry in an option before or after the package, if it is not the public one. */
function otherRegistry(source: Launcher['source'], words: readonly string[]): string | undefined {
  for (const [i, word] of words.entries()) {
    const [option, value = words[i + 1] ?? ''] = splitOption(word);
    const isScoped = source === 'npm' && /^--@[^:]+:registry$/.test(option);
    if (!isScoped && !registryOptions[source].includes(option)) continue;
    const named = plainAddress(value, URL.parse(value)?.pathname ?? '') ?? 'another registry';
    if (!publicRegistries.includes(named)) return named.slice(0, 200);
  }
  return undefined;
}

/** The address to which a proxy connects, or its name in a directory of servers. */
export function targetOfProxy(name: string, args: readonly string[]): string | undefined {
  const proxy = remoteProxies.get(name);
  const words = proxy && afterCommand(args, proxy.commands);
  if (!words) return undefined;
  const names = readNames(proxy, words)?.names ?? [];
  const [first = ''] = names;
  if (names.length !== 1) return undefined;
  if (proxy.directory !== undefined)
    return /^[\w@./-]{1,150}$/.test(first) && !looksSecret(first)
      ? `${proxy.directory}:${first}`
      : undefined;
  return /^(https?|wss?):\/\//.test(first) && URL.parse(first)?.hostname
    ? displayAddress(first)
    : undefined;
}

/** Whether the launch always runs the same code. Tags and ranges may change. */
export const isPinned = ({ source, version, isInstalled }: LaunchedPackage): boolean =>
  isInstalled === true ||
  (source !== 'remote' && version !== undefined && exactVersion[source].test(version));
