import type { KnownMcpServer, SettingCheck } from '#domain/app-catalog/entry.ts';
import { shells } from '#domain/app-catalog/runners.ts';
import type { Launch } from './recognition/launch.ts';
import { isPinned } from './recognition/launched-package.ts';
import { valueAt, type McpServer } from './recognition/mcp-server.ts';
import { downloadsAndRuns } from './download-and-run.ts';
import {
  urlContainsSecret,
  allHostsPattern,
  hasHiddenText,
  isCleartext,
  approvalBypassOption,
  wordContainsSecret,
} from './risk-signs.ts';
import { isLiteralSecret } from './secret-looking.ts';

/** Findings in a configuration that an administrator should review. */
export const riskFlags = [
  'remote_fetch_exec',
  'unpinned_dependency',
  'mcp_shell_exec',
  'mcp_fs_write',
  'plaintext_secret',
  'world_readable_config',
  'cleartext_endpoint',
  'bypass_permissions',
  'hidden_unicode',
  'broad_host_permissions',
  'runs_commands',
  'sends_data',
  'injection_markers',
  'native_messaging',
  'debugger_access',
  'world_writable_file',
  'not_searched_whole',
  'other_registry',
] as const;
export type RiskFlag = (typeof riskFlags)[number];

interface Facts {
  server: McpServer;
  launch: Launch;
  /** The words of the whole command, with wrappers. */
  words: readonly string[];
  line: string;
  known: KnownMcpServer | undefined;
  worldReadable: boolean;
}

const runsCommands = /(^|[/_-])(shell|terminal|commander|commands?|exec|bash|ssh)($|[_-])/i;
const writesFiles = /(^|[/_-])(filesystem|file-system|fs)($|[_-])/i;
const hostOption = /^--?(allow(ed)?-(hosts?|origins?|domains?|net)|cors-origins?)$/;

/** Whether variables set another registry for npm, pip or uv. */
export const setsRegistry = (
  { env }: Pick<McpServer, 'env'>,
  { variables }: Pick<Launch, 'variables'>,
): boolean => [...Object.keys(env), ...variables].some((name) => registryVariable.test(name));
const registryVariable =
  /^(npm_config_(.*:)?registry|pip_(extra_)?index_url|pip_find_links|uv_(extra_|default_)?index(_url)?|uv_find_links)$/i;

const hasPlaintextSecret = ({ server, words }: Facts) =>
  Object.entries({ ...server.env, ...server.headers }).some(([name, value]) =>
    isLiteralSecret(name, value),
  ) ||
  words.some((word, i) => wordContainsSecret(word, words[i - 1])) ||
  (server.url !== undefined && urlContainsSecret(server.url));

const allowedHosts = (words: readonly string[]) =>
  words.flatMap((word, i) => {
    const [option = '', value] = word.split('=', 2);
    return hostOption.test(option) ? [value ?? words[i + 1] ?? ''] : [];
  });

const rules: readonly [RiskFlag, (facts: Facts) => boolean][] = [
  [
    'remote_fetch_exec',
    ({ launch, line }) =>
      launch.package?.source === 'remote' ||
      downloadsAndRuns(line) ||
      (launch.program === 'deno' && /\bhttps?:\/\//.test(line)),
  ],
  [
    'unpinned_dependency',
    ({ launch }) => launch.package !== undefined && !isPinned(launch.package),
  ],
  [
    'mcp_shell_exec',
    ({ launch, words, known }) =>
      known?.can?.includes('run-commands') === true ||
      ([launch.program, ...launch.through].some((name) => shells.has(name)) &&
        words.some((word) => /^(-\w*c|\/c|-Command)$/.test(word))) ||
      (!known && runsCommands.test(launch.package?.name ?? launch.program)),
  ],
  [
    'mcp_fs_write',
    ({ launch, words, known }) =>
      (known?.can?.includes('write-files') === true ||
        (!known && writesFiles.test(launch.package?.name ?? launch.program))) &&
      !words.some((word) => /^--read-?only$/.test(word)),
  ],
  ['plaintext_secret', hasPlaintextSecret],
  [
    'other_registry',
    ({ launch, server }) => launch.package?.registry !== undefined || setsRegistry(server, launch),
  ],
  ['world_readable_config', (facts) => facts.worldReadable && hasPlaintextSecret(facts)],
  ['cleartext_endpoint', ({ server, words }) => [server.url ?? '', ...words].some(isCleartext)],
  [
    'bypass_permissions',
    ({ server, words }) => server.trusted || words.some((word) => approvalBypassOption.test(word)),
  ],
  [
    'hidden_unicode',
    ({ server, line }) =>
      [server.name, line, server.url ?? '', ...server.texts, ...Object.keys(server.env)].some(
        hasHiddenText,
      ),
  ],
  [
    'broad_host_permissions',
    ({ words }) =>
      allowedHosts(words).some((hosts) =>
        hosts.split(',').some((host) => allHostsPattern.test(host)),
      ),
  ],
];

/** The flags of a declared MCP server and its launch, in the order of `riskFlags`. */
export function flagsOfServer(
  server: McpServer,
  launch: Launch,
  context: { known?: KnownMcpServer | undefined; worldReadable: boolean },
): RiskFlag[] {
  const { words } = launch;
  const facts: Facts = {
    server,
    launch,
    words,
    line: words.join(' '),
    known: context.known,
    worldReadable: context.worldReadable,
  };
  return rules.filter(([, holds]) => holds(facts)).map(([flag]) => flag);
}

/** Whether a settings file has a value that disables a safety feature. */
export function settingMatches(check: SettingCheck, document: unknown): boolean {
  const value = valueAt(document, check.key);
  const values: readonly unknown[] = Array.isArray(value) ? value : [value];
  return values.some((item) => check.values.some((risky) => risky === item));
}
