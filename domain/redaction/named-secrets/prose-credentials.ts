import { endOf, type Finding } from '../detector.ts';
import { literalSearch } from '../search/literal-search.ts';
import { isName, isWords } from './names.ts';
import { isSecretValue } from './secret-value.ts';
import type { TriggerWords } from '../search/trigger-words.ts';

/**
 * Passwords in sentences: `the password is …`, `le mot de passe est …`, `use … as the password`, `log in
 * with admin / …`. A sentence says many things about passwords, so the value must look like one.
 */
export function findInProse(text: string, words: TriggerWords): Finding[] {
  const findings = [
    ...findInEnglish(text, words('password')),
    ...findInOtherLanguages(text),
    ...findLogins(text, words('login')),
  ];
  return findings.sort((a, b) => a.start - b.start);
}

/**
 * A value in quotes, or up to a blank, a quote or an angle bracket. Quotes are escaped, because a raw
 * template must be ASCII in the bundle (`control-plane/build.ts`).
 */
const OPENING = String.raw`["'\x60\u201C\u201E\u00AB]`;
const CLOSING = String.raw`"'\x60\u201C\u201D\u00BB`;
const quoted = String.raw`${OPENING}(?<quoted>[^\n${CLOSING}]{4,200})[${CLOSING}]`;
const bare = String.raw`(?<bare>[!#-&(-;=?-[\]-_a-~\u00C0-\u024F]{4,200})`;
const valueAfter = (before: string): RegExp =>
  new RegExp(String.raw`${before}\s{0,2}(?:${quoted}|${bare})`, 'iuy');

const prepositions =
  'for|of|to|at|on|in|für|von|zum|zur|pour|de|du|para|del|voor|dla|till|di'.split('|');
const forWhom = String.raw`(?: (?:${prepositions.join('|')})(?: [\w@.'-]{1,24}){1,4}?)?`;
const adverb = String.raw`(?: (?:now|still|currently|just|simply|jetzt|nun|ahora|maintenant|adesso))?`;
const verbs = 'is|was|will be|should be|must be|remains|lautet|ist|war|est|es|è|é|är'.split('|');
const verb = String.raw`\s{1,2}(?:${verbs.join('|')})${adverb}:?\s`;
/** Some of these verbs are prepositions in English. */
const otherVerb = String.raw`\s{1,2}(?:${verbs.join('|')}|er|jest|brzmi|to|je|wordt|on)${adverb}:?\s`;

/** In English, German and other languages that took over the word. */
const passwordIs = valueAfter(String.raw`passwor[dt]s?["'\x60*_]{0,2}${forWhom}${verb}`);
/** `user ann password …`, `set the password to …`: without a verb, only a value that is nothing else. */
const passwordBeside = valueAfter(String.raw`passwor[dt]\s(?:to\s)?`);
/** The output of a program that made a password: `Generated password for the elastic user: …`. */
const passwordAnnounced = valueAfter(
  String.raw`passwor[dt]s?(?: (?:for|of|to|is|was|on|set|the|this|user|account|generated|created|following|[\w@.'-]{1,30})){1,7}(?::|\s->)\s{0,2}`,
);
/** `change the password from … to …`: both are passwords. */
const passwordFrom = valueAfter(
  String.raw`(?<=(?<![a-z])(?:chang|reset|updat|rotat)[a-z]{0,5}\s(?:[\w'-]{1,20}\s){0,4})passwor[dt]s?${forWhom}\sfrom\s`,
);
const thenTo = valueAfter(String.raw`[${CLOSING}]?\s{1,2}to\s`);
const passwordWord = /passwor[dt]/iy;

/** `use … as the password`. */
const articles = String.raw`(?:(?:the|my|your|our|its|a|an|new|initial|default|temporary|admin|root|db|database|das|le|la|el|il) ){0,3}`;
const valueBefore = new RegExp(
  String.raw`(?<=(?<![a-z])(?:use|using|set|enter|type|put|try|with|choose|verwende|nimm|utilise|usa) ${OPENING}?([^\s<>${CLOSING}]{4,64})[${CLOSING}]? (?:as|for|als|comme|como|come) ${articles}(?:[a-z]{1,12} )?)`,
  'iy',
);

function findInEnglish(text: string, words: readonly number[]): Finding[] {
  const findings: Finding[] = [];
  for (const at of words) {
    if (endOf(passwordWord, text, at) === -1) continue;
    const found =
      foundBy(passwordIs, text, at, isPassword) ??
      foundBy(passwordBeside, text, at, isUnmistakable) ??
      foundBy(passwordAnnounced, text, at, isGenerated) ??
      foundBefore(text, at);
    findings.push(...(found ? [found] : foundChange(text, at)));
  }
  return findings;
}

function foundChange(text: string, at: number): Finding[] {
  const before = foundBy(passwordFrom, text, at, isPassword);
  const after = before && foundBy(thenTo, text, before.end, isPassword);
  return after ? [before, after] : [];
}

function foundBefore(text: string, at: number): Finding | undefined {
  valueBefore.lastIndex = at;
  const value = valueBefore.exec(text)?.[1];
  if (value === undefined || !isPassword(value, false)) return undefined;
  const start = text.lastIndexOf(value, at - 1);
  return { start, end: start + value.length };
}

/**
 * The names of passwords in other languages, with the ends of their cases, and literals in them that
 * `indexOf` finds fast. In a text without letters outside Latin-1, V8 knows at once that it has none of
 * the literals with such letters.
 */
const otherNames: readonly (readonly [literals: string, name: string])[] = [
  ['ontraseña', 'contraseñas?'], // Spanish
  ['asło|asła', 'has[łl](?:o|a|em)'], // Polish
  ['şifre|Şifre', 'şifre(?:si|niz|m|miz)?'], // Turkish
  ['арол', 'парол[ьяеё]м?'], // Russian, Ukrainian
  ['ωδικ', 'κωδικ(?:ός|ό)(?: πρόσβασης)?'], // Greek
  ['סיסמ', 'סיסמ(?:ה|א|ת)'], // Hebrew
  ['كلمة', 'كلمة (?:المرور|السر)'], // Arabic
  ['khẩu', 'mật khẩu'], // Vietnamese
  ['секретный|секретного', 'секретн(?:ый|ого) ключа?'], // Russian
  ['रहस्य|पासवर्ड', 'पासवर्ड'], // Hindi
  ['รหัส', 'รหัสผ่าน'], // Thai
];
const unspacedNames: readonly (readonly [literals: string, name: string])[] = [
  ['密|口令', '密[码碼钥鑰]|口令'], // Chinese
  ['パス|暗証|秘密鍵', 'パスワード|暗証番号|秘密鍵'], // Japanese
  ['비밀|암호', '비밀번호|암호'], // Korean
];
/** In longer texts only in those with letters of these languages, because such texts are few. */
const gatedNames: readonly (readonly [literals: string, name: string])[] = [
  ['de passe|DE PASSE', 'mots? de passe'], // French
  ['avra-passe|avra passe', 'palavra[- ]passe'], // Portuguese
  ['enha', 'senha'],
  ['clave|Clave', 'clave'], // Spanish
  ['arola|arolă', 'parol[aă]'], // Italian, Romanian, Turkish
  ['eslo', 'heslo'], // Czech, Slovak
  ['ösenord', 'lösenord(?:et)?'], // Swedish
  ['assord', 'passord(?:et)?'], // Norwegian
  ['dgangskode', 'adgangskoden?'], // Danish
  ['alasana', 'salasana'], // Finnish
  ['elszó|elszav', 'jelsz(?:ó|ava?)'], // Hungarian
  ['ozinka', 'lozinka'], // Croatian, Serbian
  ['ennwort', 'kennwort'], // German
  ['chtwoord', 'wachtwoord'], // Dutch
  ['crète', 'clé secrète'],
  ["d'acc", "code d'accès"],
  ['secreta|segreta', '(?:clave|chave|chiave) (?:secreta|segreta)'], // Spanish, Portuguese, Italian
  ["d'ordine", "parola d'ordine"],
  ['sleutel', 'geheime sleutel'],
  ['eheimschl', 'geheimschlüssel'],
  ['ugangscode', 'zugangscode'],
  ['nyckel', 'hemlig nyckel'],
  ['odeord', 'kodeord'],
  ['sandi', 'kata sandi'], // Indonesian
];
const accents = Array.from('éèóäöãøřă');
const SHORT_TEXT = 200;

const searchesFor = (names: typeof otherNames) =>
  names.flatMap(([literals]) => literals.split('|')).map(literalSearch);
const otherSearches = searchesFor([...otherNames, ...unspacedNames]);
const gatedSearches = searchesFor(gatedNames);
const namesIn = (names: typeof otherNames): string => names.map(([, name]) => name).join('|');
const anyName = new RegExp(namesIn([...otherNames, ...unspacedNames, ...gatedNames]), 'i');

/** A short text is tested faster with one expression. */
const mentionsOtherName = (text: string): boolean =>
  text.length <= SHORT_TEXT
    ? anyName.test(text)
    : otherSearches.some(({ occursIn }) => occursIn(text)) ||
      (accents.some((letter) => text.includes(letter)) &&
        gatedSearches.some(({ occursIn }) => occursIn(text)));

const eastAsianVerbs = 'は、?|是|为|為|[는은가이]'.split('|');
const sign = String.raw`["'\x60*_]{0,2}\s{0,2}[:\uFF1A=](?!=)\*{0,2}`;
const dash = String.raw`\s{1,2}[\u2013\u2014-]\s`;
const otherName = new RegExp(
  String.raw`(?<![\p{L}\p{N}_-])(?:${namesIn([...otherNames, ...gatedNames])})|${namesIn(unspacedNames)}`,
  'giu',
);
const valueAfterName = valueAfter(
  String.raw`(?:${sign}|${dash}|${forWhom}${otherVerb}|\s?(?:${eastAsianVerbs.join('|')}))`,
);

function findInOtherLanguages(text: string): Finding[] {
  if (!mentionsOtherName(text)) return [];
  const findings: Finding[] = [];
  otherName.lastIndex = 0;
  for (let match = otherName.exec(text); match; match = otherName.exec(text)) {
    const found = foundBy(valueAfterName, text, otherName.lastIndex, isPassword);
    if (found) findings.push(found);
  }
  return findings;
}

/** `log in with admin / …`, `signed in with ann:…`. */
const user = String.raw`["'\x60]?[\w.@+-]{2,40}["'\x60]?`;
const loginValue = valueAfter(
  String.raw`in with (?:(?:the |your )?(?:user(?:name)?|account|credentials?|creds) )?${user}(?: ?/ ?|:| and (?:the )?(?:password )?)`,
);
/** A name of credentials before `ann / …`. */
const slash = literalSearch(' / ');
const loginBefore = new RegExp(
  String.raw`(?<=(?<![a-z])(?:log ?in|logon|sign ?in|creds?|credentials?|account|user(?:name)?|anmeldung|zugang|zugangsdaten|benutzer|identifiants?|credenziali|credenciales|acceso|inloggning)(?!\w)[^\n/]{0,24}?[\s:(]${user})`,
  'iy',
);
const slashValue = valueAfter(' / ');

/** A number after a slash is a divisor, and a name is another name. */
const isLoginPassword = (value: string, isQuoted: boolean): boolean =>
  !/^\d+$/.test(value) &&
  !(/^[A-Z-]+$/.test(value) || (!isQuoted && isName(value) && !/\d/.test(value))) &&
  isPassword(value, isQuoted);

function findLogins(text: string, words: readonly number[]): Finding[] {
  const found = words
    .map((at) => foundBy(loginValue, text, at, isLoginPassword))
    .concat(
      slash
        .positionsIn(text)
        .map((at) =>
          endOf(loginBefore, text, at) === -1
            ? undefined
            : foundBy(slashValue, text, at, isLoginPassword),
        ),
    );
  return found.filter((finding) => finding !== undefined);
}

function foundBy(
  pattern: RegExp,
  text: string,
  at: number,
  accepts: (value: string, isQuoted: boolean) => boolean,
): Finding | undefined {
  pattern.lastIndex = at;
  const groups = pattern.exec(text)?.groups;
  if (!groups) return undefined;
  const inQuotes = groups['quoted'];
  // Punctuation after a bare value belongs to the sentence, except for marks that passwords end with.
  const value = inQuotes ?? groups['bare']?.replace(/[.,;:)\]]+$/, '') ?? '';
  if (!accepts(value, inQuotes !== undefined) || isQuantity(text, pattern.lastIndex, value))
    return undefined;
  const start = text.lastIndexOf(value, pattern.lastIndex - 1);
  return { start, end: start + value.length };
}

/** `The password is 12 characters long`: a number of something. */
const unit =
  /\s{1,2}(?:char|digit|letter|symbol|byte|bit|word|day|hour|minute|second|month|year|time|or|to|Zeichen|Tage|caract|jours)/iy;
const isQuantity = (text: string, end: number, value: string): boolean =>
  /^\d+$/.test(value) && endOf(unit, text, end) !== -1;

/** What sentences say of passwords. */
const status =
  /^(?:argon2(?:id?|d)|bcrypt|scrypt|pbkdf2|required|optional|wrong|invalid|incorrect|correct|empty|blank|missing|weak|strong|expired|hidden|secure|insecure|valid|unset|default|random|public|private|encrypted|hashed|plain|plaintext|stored|visible|masked|unknown|changed|reset|too (?:short|long|weak|common))$/i;
/** Algorithms, encodings and quantities. */
const term =
  /^(?:(?:base\d+|a-z|md\d|sha-?\d+|argon2|pbkdf2|bcrypt|scrypt|oauth\d?|utf-?\d+|[12]fa|aes|rsa-?\d*|x\.?509|tls|v\d+|iso|rfc)(?![a-z\d])|\d+(?:[-–+]\d*)?(?:[-–]?(?:bits?|bytes?|char|digits?|letters?|days?|hours?|min|x|th|st|nd|rd|ms|s|h|d)|%)?(?![a-z\d]))/i;
const codeOrPath = /^[./)\]}]|^[a-z_$][\w$]*(?:[.?][\w$.?]*)?[([{]|^[a-z]+:\/\/|[({[]$/i;
const hasSymbol = (value: string): boolean => /[!@#$%^&*+?=~|]/.test(value.slice(1));
const hasLetter = (value: string): boolean => /\p{L}/u.test(value);

/**
 * Without quotes: what is in brackets, the end of a sentence (`the password is required!`), and the next message of a
 * file of properties.
 */
const otherWords = [/^[([{<]/, /^\p{Ll}+[.!*]+$/u, /^[a-z\d]+(?:[_.][a-z\d]+)+=(?!=)/i];

/** Whether a word of a sentence is a password: it has digits, symbols or mixed case, or is quoted. */
function isPassword(value: string, isQuoted: boolean): boolean {
  if (!isSecretValue('password', value, { isQuoted: true, isUnspaced: false })) return false;
  if (status.test(value) || codeOrPath.test(value)) return false;
  if (!isQuoted && otherWords.some((pattern) => pattern.test(value))) return false;
  if (isQuoted && !/\s/.test(value)) return true;
  if (/^\d{4,}$/.test(value)) return true;
  if (term.test(value) || !hasLetter(value)) return false;
  return /\d/.test(value) || hasSymbol(value) || /\p{Ll}\p{Lu}.*\p{Ll}\p{Lu}/u.test(value);
}

const MIN_UNMISTAKABLE = 8;

/** Whether a word right after `password` can be nothing else. */
const isUnmistakable = (value: string, isQuoted: boolean): boolean =>
  value.length >= MIN_UNMISTAKABLE &&
  /\d/.test(value) &&
  (isQuoted ? !isWords(value) && !isName(value) : /[!@#$%^&*?~]/.test(value)) &&
  isPassword(value, isQuoted);

const MIN_KINDS = 3;

/** Whether a word after a label and a colon, alone at the end of its line, was generated. */
const isGenerated = (value: string, isQuoted: boolean): boolean =>
  value.length >= MIN_UNMISTAKABLE &&
  [/\d/, /[a-z]/, /[A-Z]/, /[!@#$%^&*?~=+/]/].filter((kind) => kind.test(value)).length >=
    MIN_KINDS &&
  !isName(value) &&
  !/^[\w.-]+[:@/][\w.-]+$/.test(value) &&
  isPassword(value, isQuoted);
