import { type Assignment, valueAt } from './assigned-value.ts';
import { endOf, type Finding } from '../detector.ts';
import { LINE_MARK } from '../search/line-mark.ts';
import { literalSearch } from '../search/literal-search.ts';
import { isSecretValue } from './secret-value.ts';
import type { TriggerWords } from '../search/trigger-words.ts';

/** A password that words other than its name announce. */
interface MarkedPassword {
  /** The positions of a literal in the notation. */
  positionsIn: (text: string, words: TriggerWords) => readonly number[];
  /** A sticky pattern at the literal, up to the password or its quote. */
  toValue: RegExp;
  /** The password is in quotes. */
  isQuoted: boolean;
  source: string;
  /** The password is in brackets. */
  example: string;
  counterExample: string;
}

const identified =
  /identified(?: with ["']?[\w-]{1,40}["']?)?\s{1,8}(?:by|as)\s{1,8}(?:password\s{1,4})?/iy;
/** At the start of a line. */
const host = String.raw`(?:^|\n)${LINE_MARK}?[ \t]{0,24}[\w.*-]{1,253}`;
const mask = literalSearch('::add-mask::');
const ports = [':5432:', ':*:'].map(literalSearch);
/** The usual names of communities are no secrets. */
const community = String.raw`(?!\\?["']?(?:public|private)["'\s\\])`;
const quotedOnly = String.raw`(?=N?\\{0,3}["'])`;

export const markedPasswords: readonly MarkedPassword[] = [
  {
    positionsIn: (_text, words) => words('identified'),
    toValue: new RegExp(`${identified.source}${quotedOnly}`, 'iy'),
    isQuoted: true,
    source:
      'dev.mysql.com/doc/refman/8.4/en/create-user.html, docs.oracle.com/en/database/oracle/oracle-database/23/sqlrf/CREATE-USER.html',
    example: `CREATE USER 'app'@'%' IDENTIFIED BY '[hunter2]'`,
    counterExample: `CREATE USER 'app'@'%' IDENTIFIED BY '<password>'`,
  },
  {
    positionsIn: (_text, words) => words('snmp'),
    toValue: new RegExp(
      String.raw`snmp(?:-server)?\s{1,3}community\s{1,3}${community}(?=[^\s]{4,66}\s{1,3}(?:ro|rw|view|authorization)(?![\w-]))`,
      'iy',
    ),
    isQuoted: false,
    source: 'Cisco IOS SNMP Command Reference, Junos CLI Reference',
    example: 'snmp-server community [S3cretPw99] RO 10',
    counterExample: 'the command snmp-server community sets it; snmp-server community public RO',
  },
  {
    positionsIn: (_text, words) => words('snmp'),
    toValue: new RegExp(
      String.raw`snmp[\w-]{0,12}\\?["']?\s{0,3}[:={(]{1,2}\s{0,10}(?:[^\n]{0,60}\n){0,3}?[^\n]{0,60}?(?<!\w)community\\?["']?\s{0,3}[:=]\s{0,3}${community}${quotedOnly}`,
      'iy',
    ),
    isQuoted: true,
    source: 'docs.ansible.com/ansible/latest/collections/community/general/snmp_facts_module.html',
    example: 'snmp:\n  version: v2c\n  community: "[S3cretPw99]"\n',
    counterExample: 'snmp:\n  version: v2c\n  community: "public"\n',
  },
  {
    // Oracle needs no quotes.
    positionsIn: (_text, words) => words('identified'),
    toValue: new RegExp(
      String.raw`identified(?<=\b(?:create user|alter user|connect to)\s{1,3}[\w$#"]{1,64}\s{1,8}identified)\s{1,8}by\s{1,8}(?=[\w$#]{0,60}\d)(?=[A-Za-z][\w$#]{5,60}(?:[\s;]|$))`,
      'iy',
    ),
    isQuoted: false,
    source:
      'docs.oracle.com/en/database/oracle/oracle-database/23/sqlrf/CREATE-USER.html, CREATE-DATABASE-LINK.html',
    example: 'CREATE USER app IDENTIFIED BY [S3cretPw99] DEFAULT TABLESPACE users;',
    counterExample: 'each user is identified by id12345 in the table',
  },
  {
    // SASL PLAIN: the user and the password in Base64 (RFC 4616), in SMTP and IMAP.
    positionsIn: (_text, words) => words('secret'),
    toValue:
      /auth(?:enticate)? (?:plain|xoauth2) (?=[A-Za-z0-9+/]{12,2000}={0,2}(?![\w+/]))(?=[A-Za-z+/]{0,40}\d)/iy,
    isQuoted: false,
    source: 'rfc-editor.org/rfc/rfc4954, rfc-editor.org/rfc/rfc9051, 6.2.2',
    example: 'AUTH PLAIN [AG1hcnkAQ3FkSnczVGNmQW1kemo=]\r\n',
    counterExample: '250-AUTH PLAIN LOGIN\r\n',
  },
  {
    // The answer to the prompt `Password:` in Base64.
    positionsIn: (_text, words) => words('sasl'),
    toValue:
      /UGFzc3dvcmQ6(?:\s|\\[nr]){1,8}(?:(?:C:|>|-->) {0,3})?(?=[A-Za-z0-9+/]{4,400}={0,2}(?:\s|\\|$))/y,
    isQuoted: false,
    source: 'draft-murchison-sasl-login',
    example: '334 UGFzc3dvcmQ6\r\n[YkdJd1dkQ2pJQUI2Mk4=]\r\n',
    counterExample: "if reply == 'UGFzc3dvcmQ6': return password\n",
  },
  {
    // FTP and POP3, after the name of the user. Test runners print `PASS`, too.
    positionsIn: (_text, words) => words('password'),
    toValue:
      /(?=PASS )(?<=(?:^|\n)[^\n]{0,30}USER [^\s]{1,64}(?:\\r\\n)?\r?\n(?:[^\n]{0,120}\n){0,2}[^\n]{0,30}\b)PASS (?=[^\s]{4})/y,
    isQuoted: false,
    source: 'rfc-editor.org/rfc/rfc959, 4.1.1; rfc-editor.org/rfc/rfc1939, 7',
    example: '---> USER mary\n331 Please specify the password.\n---> PASS [LqgRgf_uSDw1]\n',
    counterExample: 'PASS src/user-12.test.ts\nPASS src/pass-12.test.ts\n',
  },
  {
    positionsIn: (_text, words) => words('imap'),
    toValue: /(?<=(?:^|\n)[^\n]{0,30}\b[A-Za-z]{0,5}\d{1,6}) LOGIN "?[\w.@+-]{1,100}"? (?=\S{4})/y,
    isQuoted: false,
    source: 'rfc-editor.org/rfc/rfc9051, 6.2.3',
    example: 'a001 LOGIN mary [falcon4044]\r\n',
    counterExample: 'CREATE ROLE ro LOGIN ENCRYPTED NULL',
  },
  {
    // At a prompt of Redis.
    positionsIn: (_text, words) => words('redis'),
    toValue: /(?<=:\d{1,5}(?:\[\d{1,2}\])?)> AUTH (?:\w{1,40} (?=\S))?(?=\S{4})/iy,
    isQuoted: false,
    source: 'redis.io/docs/latest/commands/auth',
    example: '127.0.0.1:6379> AUTH [Uyb9i8RMMQaiGBmn2iV7]\nOK\n',
    counterExample: 'the command AUTH [username] password signs in',
  },
  {
    // The content of a QR code for a network. Colons and semicolons in values are escaped.
    positionsIn: (_text, words) => words('wifi'),
    toValue: /WIFI:(?:(?!P:)[A-Z]\d?:[^;\n]{0,64};){0,6}P:(?=[^;\s]{4,64};)/y,
    isQuoted: false,
    source: 'github.com/zxing/zxing/wiki/Barcode-Contents#wi-fi-network-config-android-ios-11',
    example: 'WIFI:S:Office;T:WPA;P:[thistle_velvet_820];;',
    counterExample: 'WIFI:S:Guest;T:nopass;;',
  },
  {
    // `netsh wlan show profile key=clear`
    positionsIn: (_text, words) => words('wifi'),
    toValue: /key content {1,20}: {1,3}(?=\S{4})/iy,
    isQuoted: false,
    source: 'learn.microsoft.com/windows-server/administration/windows-commands/netsh-wlan',
    example: '    Key Content            : [683UuGKjQ9OJ5JYx]\n',
    counterExample: '    Security key           : Present\n',
  },
  {
    // The keys of RADIUS, TACACS and IPsec. A digit says how they are stored.
    positionsIn: (_text, words) => words('router'),
    toValue:
      /(?<=(?:^|\n)[ \t]{0,8}[^\n]{0,40})(?:(?:radius|tacacs)(?:-server| server)?(?: [^\s]{1,40}){0,4} key |isakmp key |message-digest-key \d{1,3} md5 )(?:\d )?(?=\S{0,40}\d)(?=\S{4,80}(?:[ \r\n]|$))/y,
    isQuoted: false,
    source: 'Cisco IOS Security Command Reference, radius-server key, crypto isakmp key',
    example: 'crypto isakmp key [saffron7965] address 0.0.0.0\n',
    counterExample: 'the radius server has a key that is stored\n',
  },
  {
    // A value to be masked in the logs of GitHub Actions.
    positionsIn: (text) => mask.positionsIn(text),
    toValue: /::add-mask::(?=\S{6})/y,
    isQuoted: false,
    source: 'docs.github.com/actions/reference/workflows-and-actions/workflow-commands',
    example: '::add-mask::[a1B2c3D4e5F6]\n',
    counterExample: 'echo "::add-mask::$TOKEN"',
  },
  {
    // host:port:database:user:password
    positionsIn: (text) => ports.flatMap(({ positionsIn }) => positionsIn(text)),
    toValue: new RegExp(
      String.raw`(?:(?<=${host}):(?:\d{2,5}|\*):(?:[\w-]{1,64}|\*)|(?<=${host}:\d{2,5}):\*):[\w.-]{1,64}:(?=[^\s:]{1,200}[ \t]{0,4}(?:[\r\n]|$))`,
      'y',
    ),
    isQuoted: false,
    source: 'postgresql.org/docs/current/libpq-pgpass.html',
    example: 'db.internal:5432:app:app:[hunter2]\n',
    counterExample: 'tcp 10.0.0.1:5432:*:LISTEN:none\n',
  },
];

/** The passwords in SQL statements and password files. */
export const findMarked = (text: string, words: TriggerWords): Finding[] =>
  markedPasswords.flatMap(({ positionsIn, toValue, isQuoted }) =>
    positionsIn(text, words).flatMap((at) => {
      const start = endOf(toValue, text, at);
      const found = start === -1 ? undefined : valueAt(text, start, true);
      return found && (found.isQuoted || !isQuoted) ? findingOf(text, found) : [];
    }),
  );

function findingOf(text: string, found: Assignment): Finding[] {
  if (!isSecretValue('password', found.value, { isQuoted: true, isUnspaced: true })) return [];
  const known = found.start + found.value.length;
  return [{ start: found.start, end: Math.max(known, endOf(found.continuation, text, known)) }];
}
