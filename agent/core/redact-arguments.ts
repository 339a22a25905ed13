import { builtinDetectors } from '#domain/redaction/builtin.ts';
import { redactText } from '#domain/redaction/redact-text.ts';
import { wordContainsSecret } from './risk-signs.ts';
import { looksSecret, namesSecret } from './secret-looking.ts';
import { displayName, WITHHELD } from './display.ts';

const MAX_ARGUMENTS = 30;
const MAX_ARGUMENT_LENGTH = 100;
const MAX_LINE_LENGTH = 900;

const detectors = builtinDetectors();

/** Keeps scheme, host, port and path of a URL; withholds user and parameters. */
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
  // Any word of a script or sentence may be a credential.
  if (/\s/.test(text) || looksSecret(text)) return WITHHELD;
  const { text: redacted } = redactText(text.slice(0, 1000), detectors);
  return displayName(redacted);
}

/** Options whose value sets variables or headers: `-e NAME=value`, `--header 'Name: value'`. */
const settingOption = /^(-e|--env|-H|--headers?)$/;

/** `-eNAME=value` of container tools. */
const attachedVariable = /^-e\w+=/;

/** The option that a word is the value of, if any. */
const optionOf = (word: string, before: string | undefined): string | undefined =>
  before?.startsWith('-') && !before.includes('=') && !word.startsWith('-') ? before : undefined;

function redactWord(word: string, before: string | undefined): string {
  const option = optionOf(word, before) ?? '';
  const header = before?.endsWith(':') ? before : '';
  if (namesSecret(option) || namesSecret(header)) return WITHHELD;
  if (attachedVariable.test(word)) return `-e${WITHHELD}`;
  const [, name, sign = '', value = ''] = /^(-{0,2}[\w.-]+)(=|:\s+)(.*)$/s.exec(word) ?? [];
  if (name !== undefined) return redactSetting({ name, sign, value }, settingOption.test(option));
  return wordContainsSecret(word, before) ? WITHHELD : redactValue(word);
}

/** Keeps only the name in `NAME=value` and `Name: value`. */
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
 * Arguments as one line that is safe to report. Withholds credentials, values of options that name
 * one, and values of variables; redacts personal data; limits the length.
 */
export function redactArguments(args: readonly string[]): string {
  // A command line that was split at blanks has spread a quoted text over several words, so
  // everything after the first quote is withheld.
  const quoted = args.findIndex((word) => /['"]/.test(word));
  const plain = quoted < 0 ? args : [...args.slice(0, quoted), WITHHELD];
  const words = plain
    .slice(0, MAX_ARGUMENTS)
    .map((word, i) => clip(redactWord(word, plain[i - 1]), MAX_ARGUMENT_LENGTH));
  const more = plain.length > MAX_ARGUMENTS ? [`… ${plain.length - MAX_ARGUMENTS} more`] : [];
  return clip([...words, ...more].join(' '), MAX_LINE_LENGTH);
}
