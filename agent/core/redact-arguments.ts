import { builtinDetectors } from '#domain/redaction/builtin.ts';
import { redactText } from '#domain/redaction/redact-text.ts';
import { wordContainsSecret } from './risk-signs.ts';
import { looksSecret, namesSecret } from './secret-looking.ts';
import { displayAddress, displayName, WITHHELD } from './display.ts';
import { passwordOfUser, readSetting, type Setting } from './setting-word.ts';

const MAX_ARGUMENTS = 30;
const MAX_ARGUMENT_LENGTH = 100;
const MAX_LINE_LENGTH = 900;

const detectors = builtinDetectors();

/** Keeps scheme, host and port of a URL: its path may be a credential, as in webhooks. */
function redactUrl(text: string): string {
  const url = URL.parse(text);
  if (!url?.hostname) return WITHHELD;
  const isMore = url.username || url.password || url.search || url.hash || url.pathname.length > 1;
  return `${displayAddress(text)}${isMore ? `/${WITHHELD}` : ''}`;
}

function redactValue(text: string): string {
  if (/^[\w+.-]+:\/\//.test(text)) return redactUrl(text);
  if (text === '') return "''";
  // Any word of a script or sentence may be a credential.
  if (/\s/.test(text) || looksSecret(text)) return WITHHELD;
  const { text: redacted } = redactText(text.slice(0, 1000), detectors);
  return displayName(redacted);
}

const MAX_PATH_LENGTH = 300;

/** A path that is safe to report, with `~` for the home. Parts that look like a key are withheld. */
export function redactPath(path: string, home?: string): string {
  const inHome =
    home !== undefined && path.startsWith(`${home}/`) ? `~${path.slice(home.length)}` : path;
  const parts = inHome.replace(/^\$(HOME|\{HOME\})(?=\/)/, '~').split('/');
  const plain = parts.map((part) => (looksSecret(part) ? WITHHELD : part)).join('/');
  return displayName(redactText(plain.slice(0, MAX_PATH_LENGTH), detectors).text);
}

/** Options whose value sets variables or headers: `-e NAME=value`, `--header 'Name: value'`. */
const settingOption = /^(-e|--env|-H|--headers?)$/;

/** The option that a word is the value of, if any. */
const optionOf = (word: string, before: string | undefined): string | undefined =>
  before?.startsWith('-') && !before.includes('=') && !word.startsWith('-') ? before : undefined;

function redactWord(word: string, before: string | undefined): string {
  const option = optionOf(word, before) ?? '';
  const header = before?.endsWith(':') ? before : '';
  if (namesSecret(option) || namesSecret(header)) return WITHHELD;
  if (passwordOfUser(word, before) !== undefined) return WITHHELD;
  if (settingOption.test(option) && /[=:]/.test(word)) return redactDeclaration(word);
  const setting = readSetting(word);
  if (setting) return redactSetting(setting);
  return wordContainsSecret(word, before) ? WITHHELD : redactValue(word);
}

/** Keeps only the name of a variable or header, in any syntax. */
function redactDeclaration(word: string): string {
  const [, name = '', sign = ''] = /^([^=:]*)([=:]\s*)/.exec(word) ?? [];
  return looksSecret(name) ? WITHHELD : `${displayName(name)}${sign}${WITHHELD}`;
}

/** Keeps only the name of a variable, and of an option that names a credential. */
function redactSetting({ name, sign, value, isVariable }: Setting): string {
  if (looksSecret(name)) return WITHHELD;
  const isSecret = value !== '' && (isVariable || namesSecret(name));
  return `${name}${sign}${isSecret ? WITHHELD : redactWord(value, undefined)}`;
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
