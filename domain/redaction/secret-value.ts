import { isExampleKey, type SecretKind } from './secret-names.ts';

/** Placeholders instead of a value: `****`, `<password>`, `${PASSWORD}`, `{{ key }}`. */
const placeholder =
  /^(?:[*x.•_#-]+|[<$%{[(].*|##.*|null|none|nil|undefined|true|false|yes|no|str(?:ing)?|required|optional|password|secret|token|key|todo|n\/a)$/i;
const placeholderWords =
  /^(?:your|my[-_ ]|insert|enter|replace|change[-_]?(?:me|it)|example|placeholder|redacted|removed|hidden|dummy|fill[-_])/i;

/** A reference to the value: `process.env.KEY`, `vault:secret/app`. */
const reference =
  /^(?:process\.|os\.|env[.[]|getenv|config[.[]|settings[.[]|self\.|this\.|args\.|options\.|secrets?[./]|vault:|op:|arn:|projects\/|ref\+|file:|https?:)/i;
/** Code: a call, a name with members, or a constant. */
const expression =
  /^[\w$.]+\((?:[^)]*\)[;,)]*)?$|^[a-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*)+$|^[A-Z][a-z]+[A-Za-z]*(?:\.[A-Za-z]+)+$|^[A-Z][A-Z_]+$/;
/** What follows a parameter, argument or type in code: `(user: str, password: str) -> Token:`. */
const codeAfter = /[)\]}>:;,]{1,9}$/;

function isLiteral(value: string, isQuoted: boolean): boolean {
  const core = isQuoted ? value : value.replace(codeAfter, '');
  return (
    !placeholder.test(core) &&
    !placeholderWords.test(value) &&
    !reference.test(value) &&
    !expression.test(value) &&
    !expression.test(core)
  );
}

/** The notation of a value after its name. */
export interface ValueNotation {
  isQuoted: boolean;
  /** `name=value` without blanks: a setting, not code or prose. */
  isUnspaced: boolean;
}

/** Whether the value may be the secret itself instead of a word, a reference or an example. */
export const isSecretValue = (kind: SecretKind, value: string, notation: ValueNotation): boolean =>
  isLiteral(value, notation.isQuoted) &&
  (kind === 'password' ? isPassword(value, notation) : isRandom(value));

function isPassword(value: string, { isQuoted, isUnspaced }: ValueNotation): boolean {
  if (value.length < 4 || isPath(value)) return false;
  // A sentence about passwords, such as a label or an error message.
  if (/\s/.test(value)) return isQuoted && !/^[A-Z][a-z]+(?: [a-z]+)+[.:!?]?$/.test(value);
  return isQuoted || isUnspaced || !/^[A-Za-z_.]+$/.test(value);
}

/** A path to the secret: `/run/secrets/db`. */
const isPath = (value: string): boolean =>
  /^(?:\.{1,2}|~)?\//.test(value) && value.split('/').every(isWordOrNumber);

/** A colour, as the value of a custom property in CSS: `--token-color:#2a9cf860`. */
const colour = /^#(?:[\da-f]{3,4}|[\da-f]{6}|[\da-f]{8})(?![\w-])/i;

const MIN_SECRET_LENGTH = 8;
const MAX_IDENTIFIER_DIGITS = 4;

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

  return !value.split(/[-_./:@]+/).every(isWordOrNumber);
}

const isWordOrNumber = (segment: string): boolean =>
  /^[A-Z]?[a-z]*$|^[A-Z]+$/.test(segment) ||
  (/^v?\d+$/.test(segment) && segment.length <= MAX_IDENTIFIER_DIGITS);
