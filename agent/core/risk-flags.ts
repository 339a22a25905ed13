import type { KnownMcpServer, SettingCheck } from './app-catalog/entry.ts';
import { isPinned, readLaunch, wordsOf, type Launch } from './app-catalog/launch.ts';
import { valueAt, type McpServer } from './app-catalog/mcp-server.ts';
import { holdsSecret, looksSecret, namesSecret } from './secret-looking.ts';

/** What an administrator should look at, as far as a configuration tells. */
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
] as const;
export type RiskFlag = (typeof riskFlags)[number];

interface Facts {
  server: McpServer;
  launch: Launch;
  words: readonly string[];
  line: string;
  known: KnownMcpServer | undefined;
  worldReadable: boolean;
}

const shells = new Set(['sh', 'bash', 'dash', 'zsh', 'fish', 'ksh', 'pwsh', 'powershell', 'cmd']);
const download =
  /\b(curl|wget|fetch|iwr|Invoke-WebRequest)\b[^|;&]*[|][^|]*\b(sh|bash|zsh|python3?|node|perl|ruby|iex)\b|\b(sh|bash|zsh|eval|source)\b.*(\$\(|<\(|`)\s*(curl|wget)\b/;
const runsCommands = /(^|[/_-])(shell|terminal|commander|commands?|exec|bash|ssh)($|[_-])/i;
const writesFiles = /(^|[/_-])(filesystem|file-system|fs)($|[_-])/i;
const skipsApproval =
  /^--?(dangerously-[\w-]+|yolo|allow-all(-tools|-paths)?|auto-approve(-all)?|no-confirm|yes-always|trust-all-tools|approval-mode=yolo|full-auto)$/;
const everyHost = /^(<all_urls>|\*|(\*|https?|wss?):\/\/\*(:\*)?(\/\*?)?|0\.0\.0\.0\/0|::\/0)$/;
const hostOption = /^--?(allow(ed)?-(hosts?|origins?|domains?|net)|cors-origins?)$/;

/** Zero-width characters, direction overrides and tags: text that a reader does not see. */
// oxlint-disable-next-line no-misleading-character-class
const invisible =
  /[\u00AD\u061C\u180E\u200B-\u200F\u202A-\u202E\u2060-\u2064\u2066-\u2069\uFEFF\u{E0000}-\u{E007F}]/u;

/** An emoji joins its parts with U+200D: that one is no hidden text. */
export const hidesText = (text: string): boolean =>
  invisible.test(
    text.replaceAll(
      /(?<=\p{Extended_Pictographic}\uFE0F?)\u200D(?=\p{Extended_Pictographic})/gu,
      '',
    ),
  );

const isLoopback = (host: string) =>
  host === 'localhost' ||
  host.endsWith('.localhost') ||
  /^127\.\d+\.\d+\.\d+$/.test(host) ||
  host === '[::1]';

/** Does the address send what it carries without encryption over a network? */
export function isCleartext(address: string): boolean {
  const url = URL.parse(address);
  return (url?.protocol === 'http:' || url?.protocol === 'ws:') && !isLoopback(url.hostname);
}

/** Does the address carry a credential: in the user part, or in a parameter? */
function addressHoldsSecret(address: string): boolean {
  const url = URL.parse(address);
  if (!url) return looksSecret(address);
  const decoded = (part: string) =>
    part.replaceAll(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)));
  return (
    holdsSecret('password', decoded(url.password)) ||
    [...url.searchParams].some(([name, value]) => holdsSecret(name, value)) ||
    url.pathname.split('/').some((part) => looksSecret(part)) ||
    looksSecret(decoded(url.username))
  );
}

/** `--token x`, `--token=x`, `NAME=x`, `Header: x`, or a word that looks like a key itself. */
function wordHoldsSecret(word: string, previous: string | undefined): boolean {
  const assigned = /^-{0,2}([\w.-]+)(?:=|:\s*)(.+)$/s.exec(word);
  if (/^\w+:\/\//.test(word)) return addressHoldsSecret(word);
  if (assigned?.[1] && assigned[2]) return holdsSecret(assigned[1], assigned[2]);
  if (previous?.startsWith('-') && namesSecret(previous) && !word.startsWith('-')) {
    return holdsSecret(previous, word);
  }
  return !/^[@./~]/.test(word) && looksSecret(word);
}

const holdsPlaintext = ({ server, words }: Facts) =>
  Object.entries({ ...server.env, ...server.headers }).some(([name, value]) =>
    holdsSecret(name, value),
  ) ||
  words.some((word, i) => wordHoldsSecret(word, words[i - 1])) ||
  (server.url !== undefined && addressHoldsSecret(server.url));

const hostsAllowed = (words: readonly string[]) =>
  words.flatMap((word, i) => {
    const [option = '', value] = word.split('=', 2);
    return hostOption.test(option) ? [value ?? words[i + 1] ?? ''] : [];
  });

const rules: readonly [RiskFlag, (facts: Facts) => boolean][] = [
  [
    'remote_fetch_exec',
    ({ launch, line }) =>
      launch.package?.source === 'remote' ||
      download.test(line) ||
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
      (shells.has(launch.program) && words.some((word) => /^(-\w*c|\/c|-Command)$/.test(word))) ||
      (!known && runsCommands.test(launch.package?.name ?? launch.program)),
  ],
  [
    'mcp_fs_write',
    ({ launch, words, known }) =>
      (known?.can?.includes('write-files') === true ||
        (!known && writesFiles.test(launch.package?.name ?? launch.program))) &&
      !words.some((word) => /^--read-?only$/.test(word)),
  ],
  ['plaintext_secret', holdsPlaintext],
  ['world_readable_config', ({ worldReadable }) => worldReadable],
  ['cleartext_endpoint', ({ server, words }) => [server.url ?? '', ...words].some(isCleartext)],
  [
    'bypass_permissions',
    ({ server, words }) => server.trusted || words.some((word) => skipsApproval.test(word)),
  ],
  [
    'hidden_unicode',
    ({ server, line }) =>
      [server.name, line, server.url ?? '', ...server.texts, ...Object.keys(server.env)].some(
        hidesText,
      ),
  ],
  [
    'broad_host_permissions',
    ({ words }) =>
      hostsAllowed(words).some((hosts) => hosts.split(',').some((host) => everyHost.test(host))),
  ],
];

/** The flags of one declared MCP server, in the order of `riskFlags`. */
export function flagsOfServer(
  server: McpServer,
  context: { known?: KnownMcpServer | undefined; worldReadable: boolean },
): RiskFlag[] {
  const words = server.command === '' ? [] : wordsOf(server.command, server.args);
  const facts: Facts = {
    server,
    launch: readLaunch(server.command, server.args),
    words,
    line: words.join(' '),
    known: context.known,
    worldReadable: context.worldReadable,
  };
  return rules.filter(([, holds]) => holds(facts)).map(([flag]) => flag);
}

/** Does the setting in a parsed settings file have one of the values that switch a safety off? */
export function settingHolds(check: SettingCheck, document: unknown): boolean {
  const value = valueAt(document, check.key);
  const values: readonly unknown[] = Array.isArray(value) ? value : [value];
  return values.some((item) => check.values.some((risky) => risky === item));
}
