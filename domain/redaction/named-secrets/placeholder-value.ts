import { isName, isWordOrNumber } from './names.ts';

/** Placeholders instead of a value: `****`, `null`, `username`. */
const placeholder =
  /^(?:[*x.•_#:-]+|##.*|null|none|nil|undefined|true|false|yes|no|str(?:ing)?|required|optional|bool(?:ean)?|int(?:eger)?|array|object|text|username|hash|pass(?:word|phrase|code|wd)|palavra-passe|contrase[nñ]a|mot de passe|secret|token|key|todo|n\/a)["'!.]?$/i;
const placeholderWords =
  /^(?:your|required(?:_[a-z_]{1,30})?[|,:]|my[-_ ]|-{1,3} ?redacted|some[-_ ]|insert|enter|replace|change[-_]?(?:me|it)|example|placeholder|redacted|removed|hidden|dummy|fill[-_])/i;

/** A reference to the value: `process.env.KEY`, `vault:secret/app`. */
const reference =
  /^(?:process\.|os\.|env[.[:]|getenv|config[.[]|settings[.[]|self\.|this\.|args\.|options\.|secrets?[./]|!(?:secret|env|include|vault)\b|vault:|workspace:|op:|arn:|urn:|projects\/|ref\+|file:)/i;
/** A class, a constant, or an algorithm of tokens (RFC 7518, 3.1). */
const constant =
  /^[A-Z][a-z]+[A-Za-z]*(?:\.[A-Za-z]+)+$|^[A-Z][A-Z_]+$|^_?[A-Z][A-Z\d]{1,20}(?:_(?:[A-Z]{1,20}\d{0,2}|[A-Z]\d[A-Z]|\d{1,5})){1,8}_?$|^(?:[A-Z]+[-:]){1,4}[A-Z]{0,3}(?:PASSWORD|PASS|SECRET|TOKEN|KEY)$|^(?:[EHPR]S(?:256|384|512)|EdDSA)$/;
/** A version of a package, two ports, a time, or a rate: `8080:80`, `5/min`, `20/m/ip`. */
const version =
  /^\d{2,5}:\d{2,5}$|^\d{1,5}\/\d{0,4}(?:s|m|h|d|sec|min|hour|day)(?![A-Za-z\d])|^\d{4}-\d\d-\d\dT[\d:.+-]{5,20}Z?$|^[\^~<>=v]{0,2}\d{1,4}(?:\.\d{1,6}){1,12}(?:-[a-z]+[.\d]*)?$/;
/** What is filled into a text: `${token}`, `#{token}`, `{{ token }}`, `%(token)s`, `%s`, `{0}`, `"%1"`. */
const interpolations =
  /\$\{[^}]{0,60}\}?|#\{[^}]{0,60}\}?|\{\{[^}]{0,60}\}?\}?|%\(\w{1,40}\)[sd]|%(?:\d\$)?[sdvq](?!\w)|(?<=[\s"\\«])%\d(?!\w)|\{[\w.]{0,60}(?:\([^(){}]{0,40}\))?(?:![rsa])?(?::[^{}\s]{1,12})?\}|<[a-z_-]{2,30}>|\$\d/g;
/** `$password` in a text. */
const variables = /\$([A-Za-z_]{3,40})(?!\w)/g;

/** The path of a file with a key. Base64 has no dot. */
const keyFile =
  /^(?:~|\.{1,2})?\/[\w./-]{1,200}\.(?:asc|cer|crt|der|gpg|jks|json|key|p12|pem|pfx|pub|txt)$/i;
/** The id of an app in Firebase, which is public (firebase.google.com/docs/projects/learn-more). */
const firebaseApp = /^\d:\d{6,15}:(?:android|ios|web):[\da-f]{16,40}$/;

/**
 * Marks and words that stand for a value, and the texts that Crowdin puts in place of translations
 * (support.crowdin.com/developer/in-context-localization).
 */
const otherPlaceholder =
  /^\*+(?:masked|hidden|redacted|removed|not)\*+$|^user(?:name)?:pass(?:word)?$|[-_ ]here$|[-_ ]placeholder$|<[a-z_ -]{2,30}>.*<[a-z_ -]{2,30}>|[-_.]your[-_]|^crwdns\d+:\d+crwdne\d+:\d+$/i;

/** Whether the text between interpolations consists of words. */
function isTemplate(value: string): boolean {
  const rest = value
    .replaceAll(interpolations, ' ')
    .replaceAll(variables, (whole, name: string) => (isName(name) ? ' ' : whole));
  if (rest === value || /\d/.test(rest.replace(leadingName, ''))) return false;
  return rest.split(/[^A-Za-z\d]+/).every((word) => isWordOrName(word) || leadingName.test(word));
}

/** Before an interpolation: `AWS4$SECRET`, `base64:{{key}}`. */
const leadingName = /^[A-Z]{2,8}\d(?![^\s])|^base64(?![^\s:])/;

const isWordOrName = (text: string): boolean => isWordOrNumber(text) || isName(text);

/** An option, a value that is masked or abridged, or several words: `string|null`. */
const other =
  /^--?[A-Za-z][A-Za-z-]*(?:[=\s]|$)|\*{3}|\.{3}|…|^[A-Za-z_]{1,20}[=:]$|^(?:[A-Z]?[a-z_]+\|)+(?:[A-Z]?[a-z_]+(?![\w-])|$)/;

/** The start of an expression or of a command: `${PASSWORD}`, `{{ password }}`, `$(cat key)`, `<%= key %>`. */
const expression = /^(?:\$+[{([\s]|\{[{%]|<[%?]|\[\[|%[{([]|#\{)/;
/** A variable, and what follows it in code: `$password`, `$config['password']`, `$this->password`. */
const variable = /^\$+([A-Za-z_]\w*)(?:$|->|::|[.[({:,;)\]}'"$/])/;
/** `%s`, `%1$s`, `%PASSWORD%`, `%env(PASSWORD)%`, `$1`. */
const parameter =
  /^%(?:\d\$)?[sdvqx@](?!\w)|^%{1,2}[A-Za-z_][\w.]*%{1,2}(?![^\s:@/])|^%env\(|^\$\d{1,2}(?:\W|$)(?!\w*\$)/;

/** Words with underscores, also abbreviated ones: `$pleskxml_pass`. */
const snakeCase = /^[A-Za-z][A-Za-z\d]*(?:_[A-Za-z\d]+)+$/;

/**
 * Whether a program fills in the value, or it is a hint in brackets: `<your password>`, `[redacted]`.
 * Without quotes, what begins with a bracket is code.
 */
function isFilledIn(value: string, isQuoted: boolean): boolean {
  if (expression.test(value) || parameter.test(value)) return true;
  const name = variable.exec(value)?.[1];
  if (name !== undefined) return isWordOrName(name) || snakeCase.test(name);
  return /^[<{[(%]/.test(value) && (!isQuoted || value.split(/\W+/).every(isWordOrName));
}

/**
 * Whether the value stands for itself.
 *
 * @param core the value without punctuation of the code around it
 */
export function isLiteral(value: string, core: string, isQuoted = true): boolean {
  return (
    !placeholder.test(core.replaceAll(/^_+|_+$/g, '')) &&
    !isFilledIn(core, isQuoted) &&
    !placeholderWords.test(value) &&
    !otherPlaceholder.test(core) &&
    !reference.test(value) &&
    !constant.test(core) &&
    !version.test(core) &&
    !keyFile.test(core) &&
    !firebaseApp.test(core) &&
    !other.test(core) &&
    !isTemplate(value)
  );
}
