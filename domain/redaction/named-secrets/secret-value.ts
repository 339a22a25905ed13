import { isCode } from './code-value.ts';
import { isForeign, isLabel } from './label-value.ts';
import { isName, isWordOrNumber, isWords } from './names.ts';
import { isLiteral } from './placeholder-value.ts';
import { isExampleKey, type SecretKind, wordsOfName } from './secret-names.ts';

const url = /^[a-z][a-z\d+.-]{1,20}:\/\//i;

/** What follows a parameter, argument or type in code: `(user: str, password: str) -> Token:`. */
const linkAfter = /\]\(.*$/;
const codeAfter = /[)\]}>:;,]{1,9}$/;
/** Whether a value of a header may be a token: no placeholder, reference, template, name or code. */
export function isTokenValue(text: string): boolean {
  const core = text.replace(linkAfter, '').replaceAll(/^[`]+|[`)\]}>:;,.]+$/g, '');
  return (
    isLiteral(text, core, false) &&
    !isCode(text) &&
    !isName(core) &&
    !notSecret.test(text) &&
    !((/^[A-Z\d-]+$|\//.test(core) || core.startsWith('realm=')) && isWords(core))
  );
}

/** The notation of a value after its name. */
export interface ValueNotation {
  isQuoted: boolean;
  /** `name=value` without blanks: a setting, not code or prose. */
  isUnspaced: boolean;
  name?: string;
  /** What follows the value. */
  after?: string;
  /** The name and the value are arguments or items: `define("PASSWORD", "…")`. */
  isListed?: boolean;
  isOnNextLine?: boolean;
}

/** The name is the end of a sentence or title: `"Forgot your password?": "…"`. */
const isPhrase = (name: string): boolean => /\s/.test(name);
/** A word of a language with a hyphen is a translation of such a name. */
const isPhraseValue = (value: string): boolean =>
  /^(?=.*[\d!-,./])\S+$/.test(value) || (/^\S*-\S*$/.test(value) && !isWords(value));

/** The text in quotes is a name itself: `"token", "token_uri": …`. In Clojure, `" :name` is the next name. */
const nameEnd = /^\\?["'`](?::|\s:(?![a-z]))/;

/** A prefix of what is computed: `"test-" + password`. */
const concatenated = /^["'] ?\+ ?[A-Za-z_$]/;

/** Whether the value may be the secret itself instead of a word, a reference or an example. */
export function isSecretValue(kind: SecretKind, value: string, notation: ValueNotation): boolean {
  const core = notation.isQuoted ? value : value.replace(linkAfter, '').replace(codeAfter, '');
  if (url.test(value) || !isLiteral(value, core, notation.isQuoted)) return false;
  if (!fitsName(core, notation.name)) return false;
  if (isForeign(core) || isOfName(core, notation.name)) return false;
  return notation.isQuoted
    ? isQuotedSecret(kind, value, notation)
    : isBareSecret(kind, value, core, notation);
}

function isQuotedSecret(kind: SecretKind, value: string, notation: ValueNotation): boolean {
  const { after = '' } = notation;
  if (nameEnd.test(after) || afterClosingQuote.test(value)) return false;
  if (concatenated.test(after) && /[-_.: ]$/.test(value)) return false;
  return kind === 'password'
    ? isQuotedPassword(value, notation)
    : isRandom(value) || isGenerated(value);
}

/**
 * A type or label of a macro, a message of `${NAME:?message}`, a glob, an image in Markdown, or the end of
 * what the name is in: `{_('Password:')}</Text>`.
 */
const otherNotation =
  /^[|?][a-z]{2,12}[:|]?$|^\?[A-Z]?[a-z]+\}?$|^[)*]{1,2}[([]|^!\[|^[)\]}]{1,3}(?:[<;,.)\]}]|$)/;
/** A name before another one, as in the messages of nested errors: `password: pbkdf2: option …`. */
const outerName = /^[\w.-]+:$/;
/** A word of a sentence. */
const isWordOfSentence = (value: string, after = ''): boolean =>
  /^[A-Za-z]{1,16}$/.test(value) && /^ [a-z]/.test(after);
/** A name that says what it holds, in code: `x509PrivateKeyRSA2048`, `keyRSA2048`. */
const secretVariable = /^(?:[A-Za-z]\w*(?:Key|Token|Secret)|key|token|secret)(?:[A-Z\d_]\w*)?$/;
const isSecretVariable = (core: string, { name = '', after = '' }: ValueNotation): boolean =>
  secretVariable.test(core) && (/^[,;)]/.test(after) || /^[A-Za-z]\w*\.\w+$/.test(name));
/** A member in C++ or PHP: `entry->password()`. */
const isArrow = (value: string, { after = '' }: ValueNotation): boolean =>
  /^\$?\w+-$/.test(value) && after.startsWith('>');
/** A line of its own is the next setting or message: `token=⏎expiration=86400`. */
const nextSetting = /^[\w.$-]{1,60}[=:](?=[^=])/;
/** The first of several arguments is a name: `keyOf(azure, 'key')`. */
const openArguments = /^[A-Za-z_$][\w$.]*\([A-Za-z_$][\w$.]*$/;

/** Whether what follows the value shows that it is a name or a part of code. */
const isNextToOther = (value: string, notation: ValueNotation): boolean => {
  const { isOnNextLine, isUnspaced, after = '' } = notation;
  if (isOnNextLine && nextSetting.test(value)) return true;
  if (openArguments.test(value) && /^,\s/.test(after)) return true;
  return isArrow(value, notation) || (!isUnspaced && outerName.test(value) && /^\s/.test(after));
};

function isBareSecret(
  kind: SecretKind,
  value: string,
  core: string,
  notation: ValueNotation,
): boolean {
  if (isCode(value) || otherNotation.test(value) || isCodeNumber(value, notation)) return false;
  if (isVariable(core, value, notation) || isNextToOther(value, notation)) return false;
  if (kind === 'password') return isBarePassword(core, notation);
  if (isWordOfSentence(value, notation.after)) return false;
  if (!notation.isUnspaced && isSecretVariable(core, notation)) return false;
  return isRandom(core);
}

const fitsName = (value: string, name = ''): boolean =>
  !isNamedLike(value, name) && !(isPhrase(name) && !isPhraseValue(value));

const MIN_PASSWORD_LENGTH = 4;

/** Of a constant: `PASSWORD = "grant:password"`. */
const namespace = /^[a-z]{1,12}:(?=[a-z]{4,20}$)/;

/** A constant or argument of the same name: `ERROR_INVALID_TOKEN = "InvalidToken"`, `token=token`. */
function isNamedLike(value: string, name = ''): boolean {
  const letters = lettersOf(value.replace(namespace, ''));
  return letters.length >= MIN_PASSWORD_LENGTH && lettersOf(name).endsWith(letters);
}

/** Names of texts about a secret, and of fields for it: `ERROR_PASSWORD`, `OPTION_PASSWORD`. */
const namesOfTexts = new Set(
  `arg argument attr attribute column err error field flag hint invalid label message msg opt option param
  parameter placeholder prompt prop property title`.split(/\s+/),
);

/** Names, and their values that are no secrets. The last word of the name is tested. */
const otherValues: readonly (readonly [name: RegExp, value: RegExp])[] = [
  // What authenticates, instead of with what (RFC 4422, 3.1): `auth=SCRAM-SHA-256`.
  [/^auth$/, /^[A-Z]{3,12}(?:-[A-Z\d]{1,10}){0,3}\d?$/],
  // A scheme, whose token is a variable or elsewhere.
  [/^authorization$/, /^[a-z-]+(?:token|key)(?:=[$%{<].*)?\W{0,3}$/i],
  // The usual communities of SNMP.
  [/community6?$|string$/, /^(?:public|private)$/i],
  // A table or provider: `passwords: "users"`.
  [/^passwords$/, /^[a-z_]+$|^(?:sha|md)\d{1,3}(?::\d{1,2})?$/],
];
/** Like `otherValues`, for whole names. */
const otherValuesOfNames: typeof otherValues = [
  [/^pass$/, /^(?:fail|skip|warn)/],
  // docs.ansible.com/ansible/latest/collections/ansible/builtin/user_module.html
  [/^update_password$/, /^(?:always|on_create)$/],
];

/** Whether the value is what the name says: a text, an outcome, a mechanism, or a kind of several. */
function isOfName(value: string, name = ''): boolean {
  const words = wordsOfName(name.slice(name.lastIndexOf('.') + 1));
  const last = words.at(-1) ?? '';
  const isOther = (of: string) => (rule: readonly [RegExp, RegExp]) =>
    rule[0].test(of) && rule[1].test(value);
  if (otherValues.some(isOther(last)) || otherValuesOfNames.some(isOther(name))) return true;
  if (!words.slice(0, -1).some((word) => namesOfTexts.has(word))) return false;
  return /^\d{1,6}$/.test(value) || (!/\d.*\d/.test(value) && isWords(value.replace(/\d/, '')));
}

const lettersOf = (text: string): string => text.toLowerCase().replaceAll(/[^a-z\d]/g, '');

/** In code, a text would be in quotes: `const MAX_PASSWORD = 1024;`. */
const isCodeNumber = (
  value: string,
  { isUnspaced, name = '', after = '' }: ValueNotation,
): boolean =>
  !isUnspaced &&
  (/^[A-Z_\d]+$/.test(name) ||
    after.startsWith(';') ||
    (after.startsWith(',') && value.length <= 5)) &&
  /^-?[\d_]+$/.test(value);

/** What follows a name in code: an operator, a member on the next line, or another argument. */
const operatorAfter = /^(?:[<,;)\]}]| ?[|&=+?{})\]]|\s{1,40}\.\w)/;
const argumentAfter = /^(?: ?[+?]| [-=]> |,\s{1,40}\w+=)/;
const lastArgumentAfter = /^\s{1,40}\)/;
const wordAfter = /^ (?:or|and|if|else|as) /;

/** A variable or type: `token = newToken2;`, `key: Aligned64<T>`, `password=old_password, port=1`. */
function isVariable(
  core: string,
  value: string,
  { isUnspaced, name = '', after = '' }: ValueNotation,
): boolean {
  if (
    !isName(core) &&
    !/^[a-z_]+$|^(?:[A-Z][a-z]+)+\d{1,2}$|^[A-Z]\w*(?:Key|Token|Secret)$/.test(core)
  )
    return false;
  if (/[a-z][A-Z]|[a-z]_/.test(core) && wordAfter.test(after)) return true;
  if (/\d{3}$/.test(core)) return false;
  if (isUnspaced)
    return argumentAfter.test(after) || (/^[a-z_]+$/.test(name) && lastArgumentAfter.test(after));
  if (/[a-z][A-Z].*[a-z][A-Z].*[a-z][A-Z]|^_*[a-z]+(?:[A-Z][a-z]+)+\d/.test(core)) return true;
  return core !== value || operatorAfter.test(after);
}

/** As in a comment on an option, `--password suffers from this`, or in CSS, `.pass:before {`. */
const proseOrBlockAfter = /^ ?\{|^,\s{1,20}[.#]|^ [a-z]{2,20}(?:,? [a-z]{2,20}\b|["'`])/;
const prose = /^\d-[a-z]+$|^[A-Z][a-z]+-[a-z]+$|^[\w.-]+@[\w.-]+:/;

/** A word, a variable, or a selector in CSS. */
const nameOrSelector = /^[A-Za-z_.]+$|^[a-z]+\.[a-z-]+$|_(?:password|token|secret|key)$/;
const MIN_RANDOM_LETTERS = 8;
/** Generated letters: names are made of words. */
const isRandomLetters = (value: string): boolean =>
  value.length >= MIN_RANDOM_LETTERS && /^[A-Za-z]+$/.test(value) && !isName(value);

/** The start of a message in a file of translations: `emptyPassword=Empty password`. */
const isMessage = (value: string, name: string, after: string): boolean =>
  /^ \p{L}/u.test(after) && /[a-z]/.test(name) && /^[A-Z][a-z]+$/.test(value);

function isBarePassword(
  value: string,
  { isUnspaced, isOnNextLine, name = '', after = '' }: ValueNotation,
): boolean {
  const isAlphabetic = /^[a-z]+$/i.test(value);
  if (value.length < MIN_PASSWORD_LENGTH || isPath(value) || isProse(value)) return false;
  if (isMessage(value, name, after)) return false;
  if (isUnspaced) return !(isAlphabetic && proseOrBlockAfter.test(after));
  if (isRandomLetters(value)) return true;
  if (nameOrSelector.test(value) || (isOnNextLine && isWords(value))) return false;
  return !(/^[a-z-]+$/.test(value) && /^ [A-Za-z]/.test(after));
}

/** As in `password: 2-byte length` and `the second pass: add/remove them`. */
const isProse = (value: string): boolean =>
  prose.test(value) || (value.includes('/') && isWords(value));

/** Punctuation at the start shows that the quote is a closing one: `'Password: ', hidden: true`. */
const afterClosingQuote =
  /^(?:\s|\),\w{1,3}[?.([&|=]|[)\]}]{2}<\/|\)?\.[A-Za-z]\w{1,20}\(|["'`][,)]|["'`]\s?\.\s?[A-Za-z$]|["'`]?\s?\+(?:\s|[a-z]\w*[.(])|[,;)\]}>+&|].*\s)/;

const MIN_GENERATED_LENGTH = 32;
const MIN_CHARACTERS = 20;
const MIN_SYMBOLS = 5;

/**
 * Letters, digits and many different symbols, as in the keys of WordPress, which `isRandom` takes for
 * code (developer.wordpress.org/advanced-administration/security/hardening).
 */
const isGenerated = (value: string): boolean =>
  value.length >= MIN_GENERATED_LENGTH &&
  /[a-z].*[a-z]/.test(value) &&
  /[A-Z].*[A-Z]/.test(value) &&
  /\d.*\d/.test(value) &&
  !/[a-z]{5}|\s{2}/.test(value) &&
  new Set(value).size >= MIN_CHARACTERS &&
  new Set(value.replaceAll(/[\w\s]/g, '')).size >= MIN_SYMBOLS;

/** A variable, as in `getenv("DB_PASSWORD", "…")`, or an option. */
const isVariableOrOption = (name = ''): boolean => /^[A-Z][A-Z\d_]+$|^--/.test(name);

function isQuotedPassword(value: string, { isListed, name }: ValueNotation): boolean {
  if (value.length < MIN_PASSWORD_LENGTH) return false;
  if (isPath(value) || isLabel(value) || isIdentifier(value)) return false;
  if (!isListed || /-\d{2}$/.test(value)) return true;
  return (isVariableOrOption(name) && /\d/.test(value)) || !(isWords(value) || isName(value));
}

/** `PasswordPolicy`, `CredentialDetails`, `ToolsKeyStorePassword`. */
const className =
  /[Pp]assword[A-Z]|^(?!.*(?:[Pp]ass|[Ss]ecret))(?:[A-Z][a-z]+){2,3}$|^(?:[A-Z][a-z]+){3,}Password$/;

/**
 * A path, command, topic or class, or a line of passwd(5): `auth/wrong-password`,
 * `node src/set-password.js`, `data[0].secret`, `PasswordPolicy`, `root:x:0:0:`.
 */
const isIdentifier = (value: string): boolean =>
  /\[\d{1,4}\]\.?[a-z]|^\.{1,2}\/|\s[\w.-]+\/[\w./-]+\.[a-z]{2,3}$/i.test(value) ||
  (/^\/[a-z]/.test(value) && isWords(value)) ||
  (/^[^\d]*[/#.][A-Za-z][^\d]*$/.test(value) && isWords(value)) ||
  /^\w+(?:::\w+)+$|^[a-z]+\[[a-z]+\]$/i.test(value) ||
  (/^[A-Za-z]\w*\(\)$/.test(value) && isName(value.slice(0, -2))) ||
  /^[A-Z][a-z]+(?::[A-Z][a-z]+)+$|^\w+:[x*!]?:\d+:/.test(value) ||
  (isName(value) && className.test(value));

/** A path to the secret, or the device of generated ones: `/run/secrets/db`, `/dev/null length=16`. */
const isPath = (value: string): boolean =>
  value.startsWith('/dev/null') ||
  (/^(?:\.{1,2}|~)?\//.test(value) && value.split(/[/._-]/).every(isWordOrNumber));

/** A regular expression or glob, an algorithm of Java, a path, or text in other letters. */
const notSecret =
  /^\^.*\$$|^\^[[(\\]|\.[*+]|\\[dws]|\[[^\]\s]{0,30}\w-\w[^\]\s]{0,30}\][+*{?)]|[:/]\*$|^[A-Z][A-Za-z\d]*With[A-Z][A-Za-z\d]*$|^\/(?:[a-z]{2,}\/){2}|\p{Script=Han}|\p{Script=Katakana}|\p{Script=Hiragana}/u;

/** A colour, as the value of a custom property in CSS: `--token-color:#2a9cf860`. */
const colour = /^#(?:[\da-f]{3,4}|[\da-f]{6}|[\da-f]{8})(?![\w-])/i;

const MIN_SECRET_LENGTH = 8;

/**
 * Whether the value has mixed characters like generated text, unlike a word, name, path, number,
 * date or version.
 */
function isRandom(value: string): boolean {
  if (
    value.length < MIN_SECRET_LENGTH ||
    /\s/.test(value) ||
    colour.test(value) ||
    isExampleKey(value)
  )
    // Numbers of fourteen digits and more are client ids, unless they consist of few digits.
    return /^\d{14,40}$/.test(value) && new Set(value).size > 4;

  return !isCode(value) && !isWords(value) && !notSecret.test(value);
}
