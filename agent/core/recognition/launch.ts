import { launchers, type Launcher } from '#domain/app-catalog/launchers.ts';
import { looksSecret } from '../secret-looking.ts';
import { WITHHELD } from '../display.ts';

export interface LaunchedPackage {
  /** The name in the registry, or the host it is fetched from. */
  name: string;
  /** The version, tag or digest as written; undefined: the latest. */
  version: string | undefined;
  source: Launcher['source'] | 'remote';
  /** The source, if it is not the public registry. */
  registry?: string;
}

export interface Launch {
  /** The program's base name, withheld if it may contain a secret. */
  program: string;
  package: LaunchedPackage | undefined;
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

function splitOption(word: string): [string, string | undefined] {
  const at = word.startsWith('--') ? word.indexOf('=') : -1;
  return at < 0 ? [word, undefined] : [word.slice(0, at), word.slice(at + 1)];
}

/**
 * The argument that names the package. The search ends at an unknown option, which may take a
 * value: reporting no package is better than reporting a token.
 */
function packageWord(launcher: Launcher, args: readonly string[]): string | undefined {
  const rest = [...args];
  for (let word = rest.shift(); word !== undefined; word = rest.shift()) {
    const [option, value] = splitOption(word);
    if (launcher.named?.includes(option)) return value ?? rest.shift();
    if (!word.startsWith('-')) return word;
    if (word === '--' || launcher.flags.includes(word) || value !== undefined) continue;
    if (!launcher.valued?.includes(word)) return undefined;
    rest.shift();
  }
  return undefined;
}

function packageOf(program: string, args: readonly string[]): LaunchedPackage | undefined {
  const launcher = launchers.get(program);
  const commands = launcher?.commands ?? [[]];
  const command = commands.find((words) => words.every((word, i) => args[i] === word));
  if (!launcher || !command) return undefined;
  const words = args.slice(command.length);
  const word = packageWord(launcher, words);
  const launched = word === undefined ? undefined : readPackage(word, launcher.source);
  const registry = launched && otherRegistry(launcher.source, words);
  return launched && registry !== undefined ? { ...launched, registry } : launched;
}

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

const baseName = (path: string) =>
  path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1);

/** The words of a command: some clients write it as one string, or put `env NAME=value` first. */
export function wordsOf(command: string, args: readonly string[]): string[] {
  const isLine = args.length === 0 && !command.startsWith('/');
  const words = isLine ? command.trim().split(/\s+/) : [command, ...args];
  if (baseName(words[0] ?? '') !== 'env') return words;
  const start = words.findIndex((word, i) => i > 0 && !/^(-\w+|\w+=.*)$/s.test(word));
  return start < 0 ? words : words.slice(start);
}

/** The program and package of a command line, in text that is safe to report. */
export function readLaunch(command: string, args: readonly string[]): Launch {
  const [first = '', ...rest] = wordsOf(command, args);
  const name = baseName(first);
  const isShown = /^\w[\w.+ -]{0,63}$/.test(name) && !looksSecret(name);
  return { program: isShown ? name : WITHHELD, package: packageOf(name, rest) };
}

/** Whether the launch always runs the same code. Tags and ranges may change. */
export const isPinned = ({ source, version }: LaunchedPackage): boolean =>
  source !== 'remote' && version !== undefined && exactVersion[source].test(version);

/** Program and package in one line. */
export function launchText({ program, package: launched }: Launch): string {
  if (!launched) return program;
  const version = launched.version === undefined ? '' : `@${launched.version}`;
  const from = launched.registry === undefined ? '' : ` from ${launched.registry}`;
  return `${program} ${launched.name}${version}${from}`;
}
