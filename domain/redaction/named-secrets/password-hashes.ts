import { endOf, type Finding } from '../detector.ts';

/** A notation of hashed passwords, which can be guessed from their hashes. */
export interface PasswordHash {
  /** A sticky pattern at the name of the algorithm. */
  pattern: RegExp;
  source: string;
  /** The hash is in brackets. */
  example: string;
  counterExample: string;
}

const B64 = '[./A-Za-z0-9]';
/** What may not precede or follow: a hash is no part of a longer text. */
const start = String.raw`(?<![\w$/\\.-])`;
const end = String.raw`(?![\w$/.])`;

/** In the order of their names. */
export const passwordHashes: readonly PasswordHash[] = [
  {
    // MD5, SHA-256, SHA-512 and yescrypt of crypt(5), and types 5, 8 and 9 of Cisco IOS.
    pattern: new RegExp(
      String.raw`${start}\$(?:(?:1|apr1)\$${B64}{1,8}\$${B64}{22}|[56]\$(?:rounds=\d{1,9}\$)?${B64}{1,16}\$(?:${B64}{43}|${B64}{86})|[7y]\$${B64}{1,10}\$${B64}{1,86}\$${B64}{43}|[89]\$${B64}{14}\$${B64}{43})${end}`,
      'y',
    ),
    source: 'man7.org crypt(5), Cisco IOS Security Command Reference',
    example: 'admin:[$apr1$mKRuUwto$5lSP8TBOxyOFpwSk7E713R]\n',
    counterExample: 'echo $1$SEP$2 && echo "$1$salt$hash"',
  },
  {
    pattern: new RegExp(String.raw`${start}\$2[aby]\$\d\d\$${B64}{53}${end}`, 'y'),
    source: 'man7.org crypt(5), bcrypt',
    example: 'ops:[$2y$05$Gn8HzXKAA4iOrYrzR5rIrgvJ5KxpAWyMLokY2dVfDXZpjnAr0m825]\n',
    counterExample: 'a hash begins with $2b$12$ and has 60 characters',
  },
  {
    // Type 9 of Junos, which is only obscured.
    pattern: /(?<=["'])\$9\$[-./\w]{15,200}(?=["'])/y,
    source: 'juniper.net/documentation, show configuration: SECRET-DATA',
    example: 'set system radius-server 10.0.0.9 secret "[$9$8fUa35dFbkryx8NBuyFZ]"',
    counterExample: `awk '{print $9$10}' "$9$"`,
  },
  {
    // The password hashing competition's string format, and Mosquitto.
    pattern: new RegExp(
      String.raw`${start}\$(?:argon2(?:id?|d)|scrypt|pbkdf2(?:-sha\d{1,3})?|7)\$(?:[a-z]{1,6}=?[\w=,]{1,40}\$|\d{1,7}\$){0,3}[./+A-Za-z0-9]{8,100}={0,2}\$[./+A-Za-z0-9]{20,200}={0,2}${end}`,
      'y',
    ),
    source: 'github.com/P-H-C/phc-string-format, mosquitto.org/man/mosquitto_passwd-1.html',
    example:
      'hash: [$argon2id$v=19$m=65536,t=3,p=4$c2FsdHNhbHQxMjM0$Zm9vYmFyYmF6cXV4MTIzNDU2Nzg5MGFi]\n',
    counterExample: 'the hash begins with $argon2id$v=19$',
  },
  {
    pattern: new RegExp(
      String.raw`(?<![\w$])pbkdf2_sha\d{1,3}\$\d{3,8}\$[./\w]{6,40}\$[./+A-Za-z0-9]{20,100}={0,2}`,
      'y',
    ),
    source: 'docs.djangoproject.com/en/5.2/topics/auth/passwords',
    example:
      "password_hash='[pbkdf2_sha256$600000$x2riQgbP4Rm3$Bvi27iEQ3GBRO3/q8H4B31iN5XlKwObW6+7BptqDDjE=]'",
    counterExample: "algorithm = 'pbkdf2_sha256' + '$600000$'",
  },
  {
    // MySQL's native passwords.
    pattern: /(?<![\w*])\*[\dA-F]{40}(?!\w)/y,
    source: 'dev.mysql.com/doc/refman/8.0/en/native-pluggable-authentication.html',
    example: 'authentication_string: [*6C8989366EAF75BB670AD8EA7A7FC1176A95CEF4]',
    counterExample: 'SHA-1: 6C8989366EAF75BB670AD8EA7A7FC1176A95CEF4',
  },
  {
    // Also in clear text: the scheme is written before the value.
    pattern:
      /(?<=[\s:"'=])\{(?:S?SHA(?:256|384|512)?|PLAIN|CRYPT)\}(?=[^\s"'{}:]{6})(?=[^\s"'{}:]{0,40}[\d!@#%&*+/=])[^\s"'{}:]{6,300}/iy,
    source: 'rfc-editor.org/rfc/rfc2307, doc.dovecot.org/2.4.1/core/config/auth/schemes.html',
    example: 'userPassword: [{SSHA}f/kGxyiAfXmU/8zi8oBkjBxxJT2JYmQP]\n',
    counterExample: 'the schemes {SSHA} and {PLAIN}, as in {SSHA}password',
  },
];

/** The names of algorithms, and a salt and other parameters up to the last part. */
const algorithm =
  /(?:\$(?:1|apr1|[5-9y]|2[aby]|argon2[id]{0,2}|scrypt|pbkdf2[\w-]{0,8})\$|pbkdf2_sha\d{1,3}\$)[^\s"'<>:]{0,120}$|\{[A-Z\d]{3,10}\}$|\*$/i;
const MAX_BEFORE = 140;

/** The hashed passwords of a text, whose last part is one of the runs of characters of keys. */
export function findHashes(text: string, keyRuns: readonly Finding[]): Finding[] {
  const findings: Finding[] = [];
  let done = 0;
  for (const run of keyRuns) {
    if (run.start < done || !'$}*'.includes(text.charAt(run.start - 1) || '.')) continue;
    const from = Math.max(done, run.start - MAX_BEFORE);
    const offset = text.slice(from, run.start).search(algorithm);
    if (offset === -1) continue;
    const start = from + offset;
    for (const { pattern } of passwordHashes) {
      const end = endOf(pattern, text, start);
      if (end === -1) continue;
      findings.push({ start, end });
      done = end;
      break;
    }
  }
  return findings;
}
