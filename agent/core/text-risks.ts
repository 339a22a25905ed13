import { downloadsAndRuns } from './download-and-run.ts';
import type { RiskFlag } from './risk-flags.ts';
import { hasHiddenText, sendsData, approvalBypassOption } from './risk-signs.ts';
import { containsKnownKey, isLiteralSecret, namesSecret } from './secret-looking.ts';

/** The part of a line that is searched: the rules would take too long on a megabyte. */
const MAX_LINE_LENGTH = 2000;

/** Letters of scripts that use joiners and direction marks, which hide nothing next to them. */
const JOINER_SCRIPTS =
  '[\\p{Script=Arabic}\\p{Script=Hebrew}\\p{Script=Syriac}\\p{Script=Devanagari}\\p{Script=Bengali}' +
  '\\p{Script=Tamil}\\p{Script=Telugu}\\p{Script=Kannada}\\p{Script=Malayalam}\\p{Script=Sinhala}' +
  '\\p{Script=Gujarati}\\p{Script=Gurmukhi}\\p{Script=Khmer}\\p{Script=Myanmar}\\p{Script=Mongolian}]';
const scriptJoiners = new RegExp(
  `(?<=${JOINER_SCRIPTS}\\p{M}*)[\\u200C-\\u200F]|[\\u200C-\\u200F](?=${JOINER_SCRIPTS})`,
  'gu',
);

/** Most lines are ASCII and need no search for scripts. */
const beyondAscii = /[^ -~\t]/;

/** Phrases of prompt injections. */
const injections: readonly RegExp[] = [
  /\b(ignore|disregard|forget)\b[^.]{0,30}\b(previous|prior|above|earlier|preceding|system)\b[^.]{0,20}\b(instruction|prompt|rule|guideline|direction)s?\b/i,
  /\b(do not|don['’]t|never|without)\s+(ever\s+)?(tell|telling|inform|informing|alert|alerting|notify|notifying|mention|mentioning|reveal|revealing|disclose|disclosing)\b[^.]{0,40}\b(user|human|operator|developer)\b/i,
  /\b(send|upload|post|exfiltrate|transmit|forward|leak)\b[^.]{0,60}(\.env\b|id_rsa|\.ssh\b|credentials?\b|private keys?\b|api keys?\b|access tokens?\b|secrets\b|passwords\b)[^.]{0,40}\bto\b\s*(https?:|the (url|server|endpoint|address)\b)/i,
  /<\|(im_start|im_end|system|endoftext|start_header_id)\|>/,
  /\bbase64\s+(-d|-D|--decode)\b[^|]*\|\s*(ba|z|da)?sh\b/,
];

/** `!` before a command in backticks or braces: the command runs when the text is loaded. */
const embeddedCommand = /(?:^|[\s("'])!`[^`]+`|!\{[^}]+\}/;

const agents =
  /\b(claude|codex|gemini|qwen|copilot|cursor-agent|opencode|aider|amp|droid|kiro-cli|auggie)\b/;
const startsUnattendedAgent = (line: string) =>
  agents.test(line) &&
  line.split(/\s+/).some((word) => approvalBypassOption.test(word.replaceAll(/["'`]/g, '')));

function hasPlaintextKey(line: string): boolean {
  if (containsKnownKey(line)) return true;
  const assigned = /(?:^|\s)([A-Z][A-Z0-9_]{3,})=["']?([^\s"'`]{8,})/.exec(line);
  const [, name = '', value = ''] = assigned ?? [];
  return namesSecret(name) && /\d/.test(value) && isLiteralSecret('', value);
}

/** Each rule gets a line, and the line with the one before it. */
const rules: readonly [RiskFlag, (line: string, lines: string) => boolean][] = [
  ['remote_fetch_exec', (_, lines) => downloadsAndRuns(lines)],
  ['plaintext_secret', hasPlaintextKey],
  ['bypass_permissions', startsUnattendedAgent],
  [
    'hidden_unicode',
    (line) => beyondAscii.test(line) && hasHiddenText(line.replaceAll(scriptJoiners, '')),
  ],
  ['runs_commands', (line) => embeddedCommand.test(line)],
  ['sends_data', sendsData],
  ['injection_markers', (line) => injections.some((phrase) => phrase.test(line))],
];

/** The start of a command whose next line follows; a row of a table continues nothing. */
function continued(line: string): string {
  if (!/[|\\]\s*$/.test(line)) return `${line}\n`;
  return line.trimStart().startsWith('|') ? '' : line.replace(/\\?\s*$/, ' ');
}

/** Risks of a text that an agent reads as instructions. The text itself is not reported. */
export function flagsOfText(text: string): RiskFlag[] {
  const found = new Set<RiskFlag>();
  let before = '';
  for (const line of text.replace(/^\uFEFF/, '').split(/\r\n|[\r\n]/)) {
    const clipped = line.slice(0, MAX_LINE_LENGTH).toWellFormed();
    const lines = before === '' ? clipped : `${before}${clipped}`;
    for (const [flag, holds] of rules)
      if (!found.has(flag) && holds(clipped, lines)) found.add(flag);
    before = continued(clipped);
  }
  return [...found];
}

type Settings = Readonly<Record<string, unknown>>;

/** A list of tools, or a comma-separated text. */
const words = (value: unknown): string[] => {
  if (typeof value === 'string') return value.split(',').map((item) => item.trim());
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
};

const anyCommand = /^(\*|Bash|Bash\(\*(:\*)?\)|Shell\(\*\)|execute_bash|run_shell_command|shell)$/;
const someCommand = /^(Bash|Shell|execute_bash|run_shell_command|shell)\b/;

/** Risks in the front matter of a skill or an agent: tools without confirmation, hooks. */
export function flagsOfSettings(settings: Settings): RiskFlag[] {
  const allowed = ['allowed-tools', 'allowed_tools', 'allowedTools'].flatMap((key) =>
    Object.hasOwn(settings, key) ? words(settings[key]) : [],
  );
  const mode = Object.hasOwn(settings, 'permissionMode') ? settings['permissionMode'] : undefined;
  const rules: readonly [RiskFlag, boolean][] = [
    ['bypass_permissions', mode === 'bypassPermissions' || allowed.some((t) => anyCommand.test(t))],
    ['runs_commands', Object.hasOwn(settings, 'hooks') || allowed.some((t) => someCommand.test(t))],
  ];
  return rules.filter(([, holds]) => holds).map(([flag]) => flag);
}
