import { builtinDetectors } from '#domain/redaction/builtin.ts';
import { redactText } from '#domain/redaction/redact-text.ts';
import { wordHoldsSecret } from './risk-signs.ts';
import { looksSecret, namesSecret } from './secret-looking.ts';
import { displayName, WITHHELD } from './display.ts';

const MAX_ARGUMENTS = 30;
const MAX_ARGUMENT_LENGTH = 100;
const MAX_LINE_LENGTH = 900;

const detectors = builtinDetectors();

/** An address in an argument keeps scheme, host, port and path: user and parameters are withheld. */
function redactUrl(text: string): string {
  const url = URL.parse(text);
  if (!url?.hostname) return WITHHELD;
  const user = url.username || url.password ? `${WITHHELD}@` : '';
  const rest = url.search || url.hash ? `?${WITHHELD}` : '';
  const path = url.pathname.split('/').map((part) => (looksSecret(part) ? WITHHELD : part));
  return `${url.protocol}//${user}${url.host}${path.join('/')}${rest}`;
}

function redactValue(text: string): string {
  if (/^[\w+.-]+:\/\//.test(text)) return redactUrl(text);
  if (text === '') return "''";
  // A script or a sentence may have a credential in any of its words.
  if (/\s/.test(text) || looksSecret(text)) return WITHHELD;
  const { text: redacted } = redactText(text.slice(0, 1000), detectors);
  return displayName(redacted);
}

/** Options whose value sets variables or headers: `-e NAME=value`, `--header 'Name: value'`. */
const settings = /^(-e|--env|-H|--headers?)$/;

/** `-eNAME=value` of container tools. */
const gluedVariable = /^-e\w+=/;

/** The option whose value a word is, if it is one. */
const optionOf = (word: string, before: string | undefined): string | undefined =>
  before?.startsWith('-') && !before.includes('=') && !word.startsWith('-') ? before : undefined;

function redactWord(word: string, before: string | undefined): string {
  const option = optionOf(word, before) ?? '';
  const header = before?.endsWith(':') ? before : '';
  if (namesSecret(option) || namesSecret(header)) return WITHHELD;
  if (gluedVariable.test(word)) return `-e${WITHHELD}`;
  const [, name, sign = '', value = ''] = /^(-{0,2}[\w.-]+)(=|:\s+)(.*)$/s.exec(word) ?? [];
  if (name !== undefined) return redactSetting({ name, sign, value }, settings.test(option));
  return wordHoldsSecret(word, before) ? WITHHELD : redactValue(word);
}

/** `NAME=value` or `Name: value`: of variables and headers the name alone. */
function redactSetting(
  { name, sign, value }: { name: string; sign: string; value: string },
  isVariable: boolean,
): string {
  if (looksSecret(name)) return WITHHELD;
  const isSecret = value !== '' && (isVariable || namesSecret(name));
  return `${name}${sign}${isSecret ? WITHHELD : redactValue(value)}`;
}

const clip = (text: string, maxLength: number) =>
  text.length <= maxLength ? text : `${text.slice(0, maxLength - 1).toWellFormed()}…`;

/**
 * Arguments in one line that is safe to report: what looks like a credential, follows an option that
 * names one, or sets a variable is withheld, personal data is redacted, and all of it is bounded.
 */
export function redactArguments(args: readonly string[]): string {
  // Of a command line that was split at its blanks, what is quoted is in parts.
  const quoted = args.findIndex((word) => /['"]/.test(word));
  const plain = quoted < 0 ? args : [...args.slice(0, quoted), WITHHELD];
  const words = plain
    .slice(0, MAX_ARGUMENTS)
    .map((word, i) => clip(redactWord(word, plain[i - 1]), MAX_ARGUMENT_LENGTH));
  const more = plain.length > MAX_ARGUMENTS ? [`… ${plain.length - MAX_ARGUMENTS} more`] : [];
  return clip([...words, ...more].join(' '), MAX_LINE_LENGTH);
}
