import { type Assignment, elementAt, lineAt, noContinuation, valueAt } from './assigned-value.ts';
import { endOf } from '../detector.ts';
import type { ValueNotation } from './notation.ts';
import { outputNotations } from './output-notations.ts';
import { LINE_MARK } from '../search/line-mark.ts';

/** A name in a quoted prompt. */
const inPrompt = /(?=[\w.-]{1,100}[:?]? ?\\?["'\])])/y;
const blank = String.raw`(?:(?:\s|\\[nrt]){1,24}|\s{0,4}\n${LINE_MARK}[ \t]{0,8})`;

/** In this order; the first one that fits counts. */
export const valueNotations: readonly ValueNotation[] = [
  {
    next: ' \t\n\r\\',
    before: new RegExp(
      String.raw`(?=password)(?<=(?:machine${blank}[^\s\\]{1,253}|default)${blank}login${blank}[^\s\\]{1,200}${blank})`,
      'y',
    ),
    between: new RegExp(blank, 'y'),
    isSetting: true,
    source: 'everything.curl.dev/usingcurl/netrc',
    example: 'machine example.com login me password [hunter2xyz]',
    counterExample: 'the machine has a login page with a password field',
  },
  {
    next: ' =',
    before: /(?=-{1,2}[A-Za-z][\w-]{2})(?<![^\s"'`(])/y,
    between: / {1,3}(?=[^\s=:-])/y,
    source: 'gnu.org/software/libc/manual/html_node/Argument-Syntax.html',
    example: 'keytool -list -keystore a.jks -storepass [S3cretPw99]',
    counterExample: 'keytool -list -keystore a.jks -storepass:env STORE',
  },
  {
    next: '> ',
    before: /(?<=(?<![:\w])<(?:[\w-]{1,20}:)?)/y,
    between:
      /(?:\s{1,3}[\w:-]{1,40}=\\?["'][^<>\n]{0,200})?>(?:\s{0,40}<value>)?(?:<!\[CDATA\[)?/iy,
    isSetting: true,
    isElement: true,
    source: 'w3.org/TR/xml/#sec-starttags',
    example: '<wsse:Password Type="text">[hunter2]</wsse:Password>',
    counterExample: 'mongodb://<user>:<password>@host',
  },
  {
    next: '<',
    before: /(?<=<key>)/y,
    between: /<\/key>\s{0,40}<(?:string|data)>\s{0,40}/y,
    isSetting: true,
    isElement: true,
    source: 'man plist(5)',
    example: '<key>SmtpPassword</key>\n<string>[hunter2]</string>',
    counterExample: '<key>SmtpPassword</key>\n<true/>',
  },
  {
    next: '"\'\\',
    before: /(?<=<[\w:-]{1,30}\s(?:name|key|id)=\\?["'](?:[\w.-]{1,40}\.)?)/y,
    between: /\\?["'][^<>\n]{0,60}>(?:\s{0,40}<value>)?(?:<!\[CDATA\[)?(?=[^<\s])/y,
    source:
      'developer.android.com/guide/topics/resources/string-resource, maven.apache.org/pom.html',
    example: '<string name="webhook_secret">[a1B2c3D4e5F6g7H8i9]</string>',
    counterExample: '<string name="password">Passwort</string>',
  },
  {
    next: ' ',
    before: /(?=\w)/y,
    followsFirst: true,
    between: / \{ get;(?: (?:(?:private|protected|internal) )?(?:set|init);)? \} = (?=[@$]{0,2}")/y,
    source: 'learn.microsoft.com/dotnet/csharp/programming-guide/classes-and-structs/properties',
    example: 'public string ClientSecret { get; set; } = "[a1B2c3D4e5F6g7H8i9]";',
    counterExample: 'public string ClientSecret { get; set; } = "";',
  },
  {
    next: ' ',
    before: /(?<=[{ ]:(?:[\w.-]{1,40}\/)?)/y,
    between: / {1,3}(?=")/y,
    source: 'clojure.org/reference/data_structures#Maps',
    example: '{:user "app" :password "[hunter2x9]"}',
    counterExample: '{:password {:type "string"}}',
  },
  {
    next: ' ',
    before: /(?=\w)/y,
    followsFirst: true,
    between: / As \w{1,20} = (?=")/y,
    source: 'learn.microsoft.com/office/vba/language/reference/user-interface-help/const-statement',
    example: 'Const SecretKey As String = "[a1B2c3D4e5F6g7H8i9]"',
    counterExample: 'Const SecretKey As String = ""',
  },
  {
    // A setting in Gradle, nginx or another language of commands, alone on its line.
    next: ' \t',
    before: /(?<=(?:^|\n)[ \t]{0,40})/y,
    between: /[ \t]{1,12}(?=(["'])[^"'\n]{4,120}\1[ \t]{0,3};?[ \t]{0,3}(?:\r?\n|$))/y,
    source: 'docs.gradle.org/current/dsl, developer.android.com/build/building-cmdline',
    example: '    storePassword "[hunter2x9]"\n',
    counterExample: '    storePassword System.getenv("STORE_PASSWORD")\n',
  },
  {
    // Two columns with tabs: the name and its value.
    next: '\t',
    before: /(?<=(?:^|\n)(?:[\w.-]{1,40}\t)?)/y,
    between: /\t{1,4}(?=[^\t\n]{8,200}(?:\r?\n|$))/y,
    source: 'iana.org/assignments/media-types/text/tab-separated-values',
    example: 'api_secret\t[a1B2c3D4e5F6g7H8i9]\n',
    counterExample: 'api_secret\tThe secret of the API\n',
  },
  {
    // A sentence. What looks like a word or a number is no value.
    next: ' "\'`*',
    before: /(?=[\w.-]{0,40}(?:secret|token|key|passphrase|pwd)s?["'`*]{0,2} )/iy,
    followsFirst: true,
    between:
      /["'`*]{0,2} (?:(?:for|of) [\w.-]{1,30} |(?:for|of) the [\w.-]{1,30} )?(?:is|was|to|->|\u2192)(?: now)?:? {1,2}\*{0,2}(?=\\?["'`]?[^\s"'`]{0,60}\d)(?=\\?["'`]?[^\s"'`]{8})/y,
    source: 'English prose; there is no specification',
    example: 'the JWT secret for staging is [a1B2c3D4e5F6g7H8i9]',
    counterExample: 'the secret is stored in 2 places, the token is valid for 3600 seconds',
  },
  {
    next: ' ',
    before: /(?<=(?:^|[\n;&|]\s{0,8})(?:ENV|SetEnv|setx|#define|set -gx) {1,3})/y,
    between: / {1,3}(?=[^\s=:-])/y,
    isSetting: true,
    source: 'docs.docker.com/reference/dockerfile/#env, httpd.apache.org/docs/2.4/mod/mod_env.html',
    example: 'setx DB_PASSWORD "[hunter2]"',
    counterExample: 'ENV DB_PASSWORD $PASSWORD',
  },
  {
    next: ' \t',
    before: /(?<=(?:^|\n)[ \t]{0,8})(?=requirepass|masterauth|rootpw|bindpw|tls-key-file-pass)/y,
    between: /[ \t]{1,8}(?:--plaintext )?(?=[^\s=:-])/y,
    isSetting: true,
    source: 'github.com/redis/redis@7.4 redis.conf, man.archlinux.org/man/slapd.conf.5',
    example: 'requirepass [S3cretPw99]',
    counterExample: 'requirepass is a directive of redis.conf',
  },
  {
    next: ' \t',
    before: /(?<=(?:^|\n)[ \t]{0,8})(?=r[ow]community6?[ \t])/y,
    between: /[ \t]{1,8}(?=[^\s=:-])/y,
    isSetting: true,
    source: 'net-snmp.org/docs/man/snmpd.conf.html',
    example: 'rocommunity [S3cretPw99] 10.0.0.0/8',
    counterExample: 'rocommunity public default',
  },
  {
    next: ' ',
    before: /(?=change_password )(?<=\brabbitmqctl(?: [\w=@./-]{1,60}){0,6} {1,3})/y,
    between: / {1,3}["']?[\w.@-]{1,64}["']? {1,3}(?=[^\s=:-])/y,
    isSetting: true,
    source: 'rabbitmq.com/docs/man/rabbitmqctl.8',
    example: "rabbitmqctl -n rabbit@a change_password app '[S3cretPw99]'",
    counterExample: 'rabbitmqctl change_password app $PASSWORD',
  },
  {
    // A digit says how the value is stored: 0 for plain text, 7 for a reversible cipher, 5, 8 and 9 for hashes.
    next: ' ',
    before:
      /(?=secret |password )(?<=(?:^|\n)[ \t]{0,8}(?:enable|username [\w.@-]{1,64}(?: privilege \d{1,2})?)(?: algorithm-type \w{1,10})? )/iy,
    between: / \d (?=\S{4})/y,
    isSetting: true,
    source: 'Cisco IOS Security Command Reference, enable secret and username',
    example: 'username admin privilege 15 secret 0 [S3cretPw99]',
    counterExample: 'there are two files: password 1 of them',
  },
  {
    // `config set NAME VALUE`, also with options and with a prefix of the name.
    next: ' "\'',
    before:
      /(?<=(?:\b(?:config|configure(?= set )|user-secrets)(?: set)?|\b(?:config set|config)(?: --(?:global|local|plaintext|secret)| -g)) {1,3}["']?(?:[\w./@-]{0,80}[:/])?)/y,
    between: /["']? {1,3}(?=[^\s=:-])/y,
    isSetting: true,
    source:
      'docs.aws.amazon.com/cli/latest/reference/configure/set.html, docs.npmjs.com/cli/commands/npm-config',
    example: 'npm config set //registry.npmjs.org/:_authToken [a1B2c3D4e5F6g7H8i9J0k1L2]',
    counterExample: 'npm config get //registry.npmjs.org/:_authToken',
  },
  {
    next: ' "\'',
    before:
      /(?<=(?:\bsecret set|--(?:secret-|parameter-)?name)[= ]{1,3}["']?(?:[\w./@-]{0,80}\/)?)/y,
    between:
      /["']?[ \t](?:[^\n]{0,200}?[ \t])??(?:--?(?:body|value|b|secret-string|plaintext))(?:=|[ \t]{1,3})/y,
    source:
      'cli.github.com/manual/gh_secret_set, learn.microsoft.com/cli/azure/keyvault/secret#az-keyvault-secret-set',
    example: 'gh secret set DEPLOY_TOKEN --repo acme/web --body "[a1B2c3D4e5F6g7H8i9J0k1L2]"',
    counterExample: 'gh secret set DEPLOY_TOKEN < token.txt',
  },
  {
    next: ' ',
    // What follows is tested first, because the statement may begin far before.
    before:
      /(?=(?:old_|OLD_)?(?:password|PASSWORD|Password)(?: (?:FOR|for) |[ \t]{0,3}=|[ \t]{1,3}N?\\?["']))(?<=\b(?:create|alter|set|CREATE|ALTER|SET|Create|Alter|Set)\s(?:[^;]{0,150}\s)?)/y,
    between:
      /(?: (?:FOR|for) [^\s=;]{1,100})?[ \t]{0,3}(?:=[ \t]{0,3}(?:PASSWORD[ \t]?\()?|[ \t])(?=N?\\?["'])/y,
    source:
      'postgresql.org/docs/current/sql-createrole.html, dev.mysql.com/doc/refman/8.4/en/set-password.html',
    example: "CREATE ROLE app LOGIN PASSWORD '[hunter2]'",
    counterExample: "ALTER ROLE app PASSWORD NULL; -- not 'hunter2'",
  },
  {
    next: '"',
    before: /(?<=\bvariable[ \t]{1,3}")/y,
    between: /"[ \t]{0,3}\{[^{}]{0,300}?\bdefault[ \t]{0,12}=[ \t]{0,3}/y,
    source: 'developer.hashicorp.com/terraform/language/block/variable',
    example: 'variable "db_password" {\n  type    = string\n  default = "[hunter2]"\n}',
    counterExample: 'variable "db_password" {\n  type    = string\n  default = null\n}',
  },
  {
    next: '"\']\\',
    before: inPrompt,
    between:
      /\\?["'\])]{1,4}(?:\.first\(\))?\.(?:fill|type|press_?[sS]equentially|send_?[kK]eys|set_?[vV]alue|clear_and_type|input)\((?=\\?["'`])/y,
    source:
      'playwright.dev/docs/api/class-locator, selenium.dev/documentation/webdriver/actions_api/keyboard',
    example: "await page.getByLabel('Password').fill('[hunter2]');",
    counterExample: "await page.getByLabel('Password').fill(password);",
  },
  {
    next: ':?"\'',
    before: inPrompt,
    between:
      /[:?]? ?["']\)?;?\s{1,12}(?:[\w.]{1,30}\.)?(?:send|sendline)(?:\(| {1,3}(?:-- )?)(?=["'])/y,
    source: 'core.tcl-lang.org/expect, pexpect.readthedocs.io',
    example: 'expect "password:"\nsend "[hunter2]\\r"',
    counterExample: 'expect "password:"\nsend "$password\\r"',
  },
  {
    next: '"\'\r\n',
    before: /(?<=(?:^|[\n \t-])(?:name|key):[ \t]{1,12}["']?)/iy,
    between: new RegExp(
      String.raw`["']?[ \t]{0,3}\r?\n(?:${LINE_MARK})?[ \t]{0,24}value:[ \t]{1,12}`,
      'iy',
    ),
    source:
      'kubernetes.io/docs/tasks/inject-data-application/define-environment-variable-container',
    example: '- name: DB_PASSWORD\n  value: [hunter2x9]',
    counterExample: '- name: DB_PASSWORD\n  value: $(PASSWORD)',
  },
  {
    next: '"\'',
    before: /(?<=\s(?:key|name)=["'](?:[\w.-]{1,40}:)?)/y,
    between: /["']\s{1,3}(?:value|content)=/y,
    source: 'learn.microsoft.com/dotnet/framework/configure-apps/file-schema/appsettings',
    example: '<add key="DbPassword" value="[hunter2]"/>',
    counterExample: '<input name="password" value="">',
  },
  {
    next: '` \t*:|',
    before: /(?<=[|\u2502\u2503][ \t]{1,3}[`*]{0,3}(?:[\w-]{1,20} ){0,2})/y,
    between:
      /[`*:]{0,4}[ \t]{0,40}[|\u2502\u2503][ \t]{1,3}(?=`|[^\s|]{1,1200}[ \t]{1,200}(?:[|\u2502\u2503]|\r?\n|$))/y,
    isCell: true,
    source: 'github.github.com/gfm/#tables-extension-',
    example: '| `DB_PASSWORD` | [Sommer2024!] |',
    counterExample: '| password | string | the password of the user |',
  },
  {
    next: '|',
    before: /(?<=(?:^|\n)[ \t]{0,8}\|)/y,
    between: /\|(?=[^\s|]{4,120}\|[ \t]{0,3}(?:\r?\n|$))/y,
    isCell: true,
    source: 'github.github.com/gfm/#tables-extension-',
    example: '|password|[hunter2x9]|\n|user|app|',
    counterExample: '|password|string|',
  },
  {
    // The last two cells of a row, the last of which is no name of a further column.
    next: ',;"\'',
    before: new RegExp(
      String.raw`(?<=(?:^|\n)(?:${LINE_MARK}[ \t]{0,3})?(?:["']?[\w .-]{1,40}["']?[,;]){0,2}["']?)`,
      'y',
    ),
    between:
      /["']?[,;]["']?(?=[^\s,;"'|()[\]{}<>]{6,200}["']?[ \t]{0,3}(?:\r?\n|$))(?=\S{0,60}?(?:\d\S{0,20}?\d|[!@#$%^&*?~]))/y,
    isCell: true,
    source: 'rfc-editor.org/rfc/rfc4180',
    example: 'app,DB_PASSWORD,[hunter2!x]\n',
    counterExample: 'user,password,street1\n',
  },
  {
    next: ': <\r\n',
    before: /(?<=>\s{0,40}(?:[\w-]{1,20} ){0,2})/y,
    between: new RegExp(
      String.raw`:?\s{0,40}(?:</\w{1,8}>\s{0,20}){0,2}:?\s{0,20}</(?:td|th|dt)>\s{0,60}<(?:td|dd)(?:\s[^<>]{0,100})?>\s{0,60}(?:<(?:b|code|em|kbd|p|pre|span|strong|tt)(?:\s[^<>]{0,100})?>){0,2}(?=[^\s<>]{4,200}\s{0,60}<)`,
      'y',
    ),
    isCell: true,
    source: 'html.spec.whatwg.org/multipage/tables.html, grouping-content.html#the-dl-element',
    example: '<tr><td>Password</td><td><code>[hunter2x9]</code></td></tr>',
    counterExample: '<tr><td>Password</td><td>string</td></tr>',
  },
  {
    next: ': <',
    before: /(?=[\w.-]{1,60}(?::(?: ?<|<\/)|<\/\w{1,8}>:))/y,
    between:
      /(?::\s{0,2}(?:<\/(?:b|em|label|span|strong)>\s{0,3})?|<\/(?:b|em|label|span|strong)>:\s{0,3})(?:<(?:b|code|em|kbd|pre|span|strong|tt)(?:\s[^<>]{0,100})?>)?(?=[^\s<>]{4,200}\s{0,3}(?:<|\r?\n|$))/y,
    isCell: true,
    source: 'html.spec.whatwg.org/multipage/text-level-semantics.html',
    example: '<b>Password:</b> [hunter2x9]<br>',
    counterExample: '<b>Password:</b> required<br>',
  },
  ...outputNotations,
];

/** The notations by the character after the name, with a test that rules out most names at once. */
const byNext = new Map(
  Array.from(new Set(valueNotations.map(({ next }) => next).join('')), (character) => {
    const notations = valueNotations.filter(({ next }) => next.includes(character));
    const late = notations.filter(({ followsFirst }) => followsFirst);
    const early = notations.filter(({ followsFirst }) => !followsFirst);
    const befores = early.map(({ before }) => before.source).join('|') || '(?!)';
    return [character, { early, late, isPossible: new RegExp(befores, 'iy') }] as const;
  }),
);

/** The value in one of these notations. */
export function valueInNotation(
  text: string,
  nameStart: number,
  nameEnd: number,
): Assignment | undefined {
  const known = byNext.get(text.charAt(nameEnd));
  if (!known) return undefined;
  const early = earlyMatch(known, text, nameStart, nameEnd);
  if (early) return early.value;
  const late = lateMatch(known, text, nameStart, nameEnd);
  return late ? late.value : partAt(text, nameStart, nameEnd);
}

type Notations = NonNullable<ReturnType<typeof byNext.get>>;
/** The value of a notation that fits, or undefined in it if there is no value. */
type Match = { value: Assignment | undefined } | undefined;

function earlyMatch(
  { early, isPossible }: Notations,
  text: string,
  start: number,
  end: number,
): Match {
  if (endOf(isPossible, text, start) === -1) return undefined;
  for (const notation of early) {
    const at = endOf(notation.before, text, start) === -1 ? -1 : endOf(notation.between, text, end);
    if (at !== -1) return { value: valueOf(notation, text, at) };
  }
  return undefined;
}

function lateMatch({ late }: Notations, text: string, start: number, end: number): Match {
  for (const notation of late) {
    const at = endOf(notation.between, text, end);
    if (at !== -1 && endOf(notation.before, text, start) !== -1)
      return { value: valueOf(notation, text, at) };
  }
  return undefined;
}

function valueOf(
  { isSetting, isCell, isElement, endsAt }: ValueNotation,
  text: string,
  at: number,
): Assignment | undefined {
  const value = (isElement && elementAt(text, at)) || valueAt(text, at, isSetting === true);
  if (value && isCell) return cellOf(value);
  return value && endsAt !== undefined ? upTo(value, endsAt) : value;
}

function upTo(found: Assignment, character: string): Assignment {
  const end = found.isQuoted ? -1 : found.value.indexOf(character);
  return end === -1
    ? found
    : { ...found, value: found.value.slice(0, end), continuation: noContinuation };
}

/** The separator of the next cell may be right after the value. */
const cellOf = (found: Assignment): Assignment => ({ ...upTo(found, '|'), isCell: true });

/** The remaining headers of a form part (RFC 7578, 4.2), after its name. */
const partHeaders = /"[^\r\n]{0,200}(?:\r?\n[^\r\n]{1,200}){0,4}\r?\n\r?\n/y;
const partBefore = /form-data;[^\r\n]{0,100}\bname="$/i;
const FORM_DATA = 120;

function partAt(text: string, nameStart: number, nameEnd: number): Assignment | undefined {
  if (text[nameEnd] !== '"' || text[nameStart - 1] !== '"') return undefined;
  if (!partBefore.test(text.slice(Math.max(0, nameStart - FORM_DATA), nameStart))) return undefined;
  const start = endOf(partHeaders, text, nameEnd);
  return start === -1 ? undefined : lineAt(text, start);
}
