import { builtinDetectors } from './redaction/builtin.ts';
import { redactText } from './redaction/redact-text.ts';
import { wordHoldsSecret } from './risk-signs.ts';
import { looksSecret, namesSecret } from './secret-looking.ts';
import { shownName, withheld } from './shown.ts';

const mostArguments = 30;
const longestArgument = 100;
const longestLine = 900;

const detectors = builtinDetectors();

/** An address in an argument keeps scheme, host, port and path: user and parameters are withheld. */
function shownUrl(text: string): string {
  const url = URL.parse(text);
  if (!url?.hostname) return withheld;
  const user = url.username || url.password ? `${withheld}@` : '';
  const rest = url.search || url.hash ? `?${withheld}` : '';
  const path = url.pathname.split('/').map((part) => (looksSecret(part) ? withheld : part));
  return `${url.protocol}//${user}${url.host}${path.join('/')}${rest}`;
}

function shownValue(text: string): string {
  if (/^[\w+.-]+:\/\//.test(text)) return shownUrl(text);
  if (text === '') return "''";
  // A script or a sentence may have a credential in any of its words.
  if (/\s/.test(text) || looksSecret(text)) return withheld;
  const { text: redacted } = redactText(text.slice(0, 1000), detectors);
  return shownName(redacted);
}

/** Options whose value sets variables or headers: `-e NAME=value`, `--header 'Name: value'`. */
const settings = /^(-e|--env|-H|--headers?)$/;

/** `-eNAME=value` of container tools. */
const gluedVariable = /^-e\w+=/;

/** The option whose value a word is, if it is one. */
const optionOf = (word: string, before: string | undefined): string | undefined =>
  before?.startsWith('-') && !before.includes('=') && !word.startsWith('-') ? before : undefined;

function shownWord(word: string, before: string | undefined): string {
  const option = optionOf(word, before) ?? '';
  const header = before?.endsWith(':') ? before : '';
  if (namesSecret(option) || namesSecret(header)) return withheld;
  if (gluedVariable.test(word)) return `-e${withheld}`;
  const [, name, sign = '', value = ''] = /^(-{0,2}[\w.-]+)(=|:\s+)(.*)$/s.exec(word) ?? [];
  if (name !== undefined) return shownSetting({ name, sign, value }, settings.test(option));
  return wordHoldsSecret(word, before) ? withheld : shownValue(word);
}

/** `NAME=value` or `Name: value`: of variables and headers the name alone. */
function shownSetting(
  { name, sign, value }: { name: string; sign: string; value: string },
  isVariable: boolean,
): string {
  if (looksSecret(name)) return withheld;
  const isSecret = value !== '' && (isVariable || namesSecret(name));
  return `${name}${sign}${isSecret ? withheld : shownValue(value)}`;
}

const clip = (text: string, most: number) =>
  text.length <= most ? text : `${text.slice(0, most - 1).toWellFormed()}…`;

/**
 * Arguments in one line that is safe to report: what looks like a credential, follows an option that
 * names one, or sets a variable is withheld, personal data is redacted, and all of it is bounded.
 */
export function shownArguments(args: readonly string[]): string {
  // Of a command line that was split at its blanks, what is quoted is in parts.
  const quoted = args.findIndex((word) => /['"]/.test(word));
  const plain = quoted < 0 ? args : [...args.slice(0, quoted), withheld];
  const words = plain
    .slice(0, mostArguments)
    .map((word, i) => clip(shownWord(word, plain[i - 1]), longestArgument));
  const more = plain.length > mostArguments ? [`… ${plain.length - mostArguments} more`] : [];
  return clip([...words, ...more].join(' '), longestLine);
}
