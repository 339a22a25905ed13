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
