import { endOf, type Finding } from './detector.ts';
import { literalSearch } from './literal-search.ts';
import { secretKindOf } from './secret-names.ts';
import { isSecretValue } from './secret-value.ts';

/**
 * Passwords in sentences: `the password is …`, `le mot de passe est …`, `use … as the password`, `log in
 * with admin / …`. A sentence says many things about passwords, so the value must look like one.
 */
export function findInProse(text: string): Finding[] {
  const findings = [...findInEnglish(text), ...findInOtherLanguages(text), ...findLogins(text)];
  return findings.sort((a, b) => a.start - b.start);
}

/** The words before `is` in `my OpenAI api key is …`, with which the name of a secret begins. */
const nameOfSecret = /(?<=((?:[\w-]{1,24} ){0,3}[\w-]{0,24}))/y;
const secretLiterals = ['key is ', 'token is ', 'secret is '].map(
  (literal) => [literal.indexOf(' '), literalSearch(literal)] as const,
);
const MIN_SECRET_LENGTH = 12;

/** Keys and tokens in sentences: `our webhook secret is …`. */
export function findSecretsInProse(text: string): Finding[] {
  const findings: Finding[] = [];
  for (const [nameLength, literal] of secretLiterals)
    for (const at of literal.positionsIn(text)) {
      nameOfSecret.lastIndex = at + nameLength;
      const name = nameOfSecret.exec(text)?.[1] ?? '';
      if (secretKindOf(name) !== 'secret') continue;
      const found = foundBy(secretIs, text, at + nameLength, isSecret);
      if (found) findings.push(found);
    }
  return findings;
}

const isSecret = (value: string): boolean =>
  value.length >= MIN_SECRET_LENGTH &&
  /\d/.test(value) &&
  isSecretValue('secret', value, { isQuoted: true, isUnspaced: false });

/** A value in quotes, or up to a blank, a quote or an angle bracket. The longest is that of a key. */
const quoted = String.raw`["'\x60“„«](?<quoted>[^\n"'\x60”“»]{4,200})["'\x60”“»]`;
const bare = String.raw`(?<bare>[!#-&(-;=?-[\]-_a-~\u00C0-\u024F]{4,200})`;
const valueAfter = (before: string): RegExp =>
  new RegExp(String.raw`${before}\s{0,2}(?:${quoted}|${bare})`, 'iuy');

const secretIs = valueAfter(String.raw` is(?: now| still)?:?`);

const forWhom = String.raw`(?: (?:for|of|to|für|von|zum|zur|pour|de|du|para|del|voor|dla|till|di)(?: [\w@.'-]{1,24}){1,4}?)?`;
const adverb = String.raw`(?: (?:now|still|currently|just|simply|jetzt|nun|ahora|maintenant|adesso))?`;
const verbs = 'is|was|will be|should be|must be|remains|lautet|ist|war|est|es|è|é|är';
const verb = String.raw`\s{1,2}(?:${verbs})${adverb}:?\s`;
/** Some verbs are prepositions in English. */
const otherVerb = String.raw`\s{1,2}(?:${verbs}|er|jest|brzmi|to|je|wordt|on)${adverb}:?\s`;

/** In English, German and other languages that took over the word. */
const passwordIs = valueAfter(String.raw`passwor[dt]s?["'\x60*_]{0,2}${forWhom}${verb}`);
/** `user ann password …`, `set the password to …`: without a verb, only a value that is nothing else. */
const passwordBeside = valueAfter(String.raw`passwor[dt]\s(?:to\s)?`);
const mentionsPassword = literalSearch('asswor');
const mentionsPasswordLoudly = literalSearch('ASSWOR');

/** `use … as the password`. */
const articles = String.raw`(?:(?:the|my|your|our|its|a|an|new|initial|default|temporary|admin|root|db|database|das|le|la|el|il) ){0,3}`;
const valueBefore = new RegExp(
  String.raw`(?<=(?<![a-z])(?:use|using|set|enter|type|put|try|with|choose|verwende|nimm|utilise|usa) ["'\x60“]?([^\s"'\x60<>“”]{4,64})["'\x60”]? (?:as|for|als|comme|como|come) ${articles}(?:[a-z]{1,12} )?)`,
  'iy',
);

function findInEnglish(text: string): Finding[] {
  const findings: Finding[] = [];
  const positions = [
    ...mentionsPassword.positionsIn(text),
    ...mentionsPasswordLoudly.positionsIn(text),
  ];
  for (const position of positions) {
    const at = position - 1;
    const found =
      foundBy(passwordIs, text, at, isPassword) ??
      foundBy(passwordBeside, text, at, isUnmistakable) ??
      foundBefore(text, at);
    if (found) findings.push(found);
  }
  return findings;
}

function foundBefore(text: string, at: number): Finding | undefined {
  valueBefore.lastIndex = at;
  const value = valueBefore.exec(text)?.[1];
  if (value === undefined || !isPassword(value, false)) return undefined;
  const start = text.lastIndexOf(value, at - 1);
  return { start, end: start + value.length };
}

/**
 * The names of passwords in other languages, with the ends of their cases, and a literal of each that
 * is found fast. In texts without letters outside Latin-1, V8 finds the other literals at once.
 */
const otherNames: readonly (readonly [literals: readonly string[], name: string])[] = [
  [['de passe', 'DE PASSE'], 'mots? de passe'], // French
  [['ontraseñ', 'ONTRASEÑ'], 'contraseñas?'], // Spanish
  [['ontrasenya'], 'contrasenya'], // Catalan
  [['clave', 'Clave'], 'clave'], // Spanish
  [['alavra-passe', 'palavra passe'], 'palavra[- ]passe'], // Portuguese
  [['Senha', 'senha'], 'senha'],
  [['Parola', 'parola', 'arolă'], String.raw`parol[aăe]`], // Italian, Romanian, Turkish
  [['asło', 'asła', 'asłem'], 'has[łl](?:o|a|em)'], // Polish
  [['eslo '], 'heslo'], // Czech, Slovak
  [['eslo:'], 'heslo'],
  [['ösenord'], 'lösenord(?:et)?'], // Swedish
  [['assord'], 'passord(?:et)?'], // Norwegian
  [['dgangskode'], 'adgangskoden?'], // Danish
  [['alasana'], 'salasana'], // Finnish
  [['elszó', 'elszav'], 'jelsz(?:ó|ava?)'], // Hungarian
  [['ozinka'], 'lozinka'], // Croatian, Serbian
  [['ennwort', 'ENNWORT'], 'kennwort'], // German
  [['achtwoord'], 'wachtwoord'], // Dutch
  [['ifre '], 'şifre(?:si|niz|m|miz)?'], // Turkish
  [['ifre:', 'ifresi', 'ifreniz', 'ifrem'], 'şifre(?:si|niz|m|miz)?'],
  [['ароль', 'ароля', 'аролем', 'АРОЛЬ'], 'парол[ьяеё]м?'], // Russian, Ukrainian
  [['ωδικ', 'υνθηματικ'], 'κωδικ(?:ός|ό)(?: πρόσβασης)?|συνθηματικό'], // Greek
  [['密码', '密碼', '口令'], '密[码碼]|口令'], // Chinese
  [['パスワード', '暗証番号'], 'パスワード|暗証番号'], // Japanese
  [['비밀번호', '암호', '패스워드'], '비밀번호|암호|패스워드'], // Korean
  [['סיסמ'], 'סיסמ(?:ה|א|ת)'], // Hebrew
  [['كلمة المرور', 'كلمة السر'], 'كلمة (?:المرور|السر)'], // Arabic
  [['रहस्य', 'पासवर्ड'], 'पासवर्ड'], // Hindi
  [['รหัสผ่าน'], 'รหัสผ่าน'], // Thai
  [['mật khẩu', 'Mật khẩu'], 'mật khẩu'], // Vietnamese
];
const literals = otherNames.flatMap(([literals]) => literals.map(literalSearch));
const eastAsianVerb = 'は、?|是|为|為|[는은가이]';
const sign = String.raw`["'\x60*_]{0,2}\s{0,2}[:：=](?!=)\*{0,2}`;
const dash = String.raw`\s{1,2}[—–-]\s`;
const otherName = new RegExp(
  String.raw`(?<![\p{L}\p{N}_-])(?:${otherNames.map(([, name]) => name).join('|')})|密[码碼]|パスワード|비밀번호`,
  'giu',
);
const valueAfterName = valueAfter(
  String.raw`(?:${sign}|${dash}|${forWhom}${otherVerb}|\s?(?:${eastAsianVerb}))`,
);

function findInOtherLanguages(text: string): Finding[] {
  if (!literals.some(({ occursIn }) => occursIn(text))) return [];
  const findings: Finding[] = [];
  otherName.lastIndex = 0;
  for (let match = otherName.exec(text); match; match = otherName.exec(text)) {
    const found = foundBy(valueAfterName, text, otherName.lastIndex, isPassword);
    if (found) findings.push(found);
  }
  return findings;
}

/** `log in with admin / …`, `signed in with ann:…`. */
const inWith = literalSearch('in with ');
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

/** A number after a slash is a divisor. */
const isLoginPassword = (value: string, isQuoted: boolean): boolean =>
  !/^\d+$/.test(value) && isPassword(value, isQuoted);

function findLogins(text: string): Finding[] {
  const found = inWith
    .positionsIn(text)
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
  /^(?:required|optional|wrong|invalid|incorrect|correct|empty|blank|missing|weak|strong|expired|hidden|secure|insecure|valid|unset|default|random|public|private|encrypted|hashed|plain|plaintext|stored|visible|masked|unknown|changed|reset|too (?:short|long|weak|common))$/i;
/** Algorithms, encodings and quantities. */
const term =
  /^(?:base\d|a-z|md\d|sha-?\d|argon2|pbkdf2|bcrypt|scrypt|oauth|utf-?\d|[12]fa\b|aes|rsa-?\d|x\.?509|tls|v\d|iso|rfc|\d+(?:[-–+]\d*)?(?:[-–]?(?:bits?|bytes?|char|digits?|letters?|days?|hours?|min|x|th|st|nd|rd|ms|s|h|d)|%)?(?![a-z\d]))/i;
const codeOrPath = /^[./]|^[a-z_$][\w$]*(?:[.?][\w$.?]*)?[([{]|^[a-z]+:\/\/|[({[]$/i;
const hasSymbol = (value: string): boolean => /[!@#$%^&*+?=~|]/.test(value.slice(1));
const hasLetter = (value: string): boolean => /\p{L}/u.test(value);

/** Whether a word of a sentence is a password: it has digits, symbols or mixed case, or is quoted. */
function isPassword(value: string, isQuoted: boolean): boolean {
  if (!isSecretValue('password', value, { isQuoted: true, isUnspaced: false })) return false;
  if (status.test(value) || codeOrPath.test(value)) return false;
  if (isQuoted && !/\s/.test(value)) return true;
  if (/^\d{4,}$/.test(value)) return true;
  if (term.test(value) || !hasLetter(value)) return false;
  return /\d/.test(value) || hasSymbol(value) || /\p{Ll}\p{Lu}.*\p{Ll}\p{Lu}/u.test(value);
}

const MIN_UNMISTAKABLE = 8;

/** Whether a word right after `password` can be nothing else. */
const isUnmistakable = (value: string, isQuoted: boolean): boolean =>
  !isQuoted &&
  value.length >= MIN_UNMISTAKABLE &&
  /\d/.test(value) &&
  /[!@#$%^&*?~]/.test(value) &&
  isPassword(value, isQuoted);
