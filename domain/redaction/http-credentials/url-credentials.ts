import { type Detector, type Finding, regexDetector } from '../detector.ts';
import { literalSearch } from '../search/literal-search.ts';
import { isName } from '../named-secrets/names.ts';

/** In URLs with these schemes, the text after the first colon is a password unless it is a port. */
const services = String.raw`(?:postgres(?:ql)?|mysql|mariadb|mongodb(?:\+srv)?|rediss?|amqps?|mssql|sqlserver|clickhouse|ldaps?|s?ftps?|smtps?)`;
/** A password at the end of a text, where the host is missing. */
const cutOff = String.raw`(?!\d{1,5}(?:[^\w-]|$)|port$|[$%{(*])[^\s/?#"'<>\\]{1,500}$`;

/** A reference or a placeholder: `${PASS}`, `$(pass)`, `{{ pass }}`, `<pass>`, `%s`, `***`. */
const template =
  /^(?:\$(?:[{(].*|[A-Za-z_]\w*)|\{.*|<.*|\[.*|\(.*|%(?:[a-z]|\(.*|[A-Z_]+%)|%7[Bb].*|:[a-z_]+|[*x.•_-]+|…)$/;
/** A host before a misleading `@`. */
const domain = /^[\w-]+(?:\.[\w-]+)+$/;
/** A password that is masked, or filled in by a program: `app:***`, `app:${PASSWORD}`, `app:%s`. */
const filledIn =
  /^(?:[^:]*:)?(?:[*•]+(?:\w+\*+)?|x{3,}|redacted|%[sdvq]|%\(\w+\)s|\$\{?\(?[A-Za-z_][\w.-]*[)}]?|#?\{.*\}|\$\(.*\)|%\w+%|<.*>|\[.*\])$|^\[|^\w+\[:\w+\]$/i;

/** The words themselves, as in documentation: `user:password`, `my-user:<your-password>`. */
const userWord =
  /^(?:(?:your|my|the|db|some)?[-_]?(?:user(?:[-_]?name)?|usr|login|name|account))?$/i;
const passwordWord =
  /^(?:(?:your|my|the|db|user|some)?[-_]?(?:pass(?:word|wd|phrase)?|pwd|pw|secret|token|api[-_]?key|credentials))$/i;

/** What a reader has to replace, whatever the user: `PASSWORD`, `replace-me-with-a-random-string`. */
const exampleWords =
  /^(?:(?:YOUR|MY|THE|DB)?[-_]?(?:PASSWORD|PASS|SECRET|TOKEN)|replace[-_]?(?:me|this|with)\b.*)$/;

/**
 * Whether the text before the host holds a password or a token. Default passwords such as
 * `postgres:postgres` and `root:password` are real. With a user that is only the word for it, the
 * word for a password is an example.
 */
function isCredential(candidate: string): boolean {
  if (filledIn.test(candidate) || domain.test(candidate) || isName(candidate)) return false;
  const colon = candidate.indexOf(':');
  if (colon === -1) return !template.test(candidate);
  const user = candidate.slice(0, colon);
  const password = candidate.slice(colon + 1);
  if (candidate === ':' || template.test(password)) return false;
  if (exampleWords.test(password)) return false;
  return !(passwordWord.test(password) && (userWord.test(user) || template.test(user)));
}

const inUrls = regexDetector({
  type: 'URL_CREDENTIALS',
  prefilter: /:\/\//,
  pattern: new RegExp(
    String.raw`:\/\/(?<found>(?:[^\s/?#"'<>\\:@]{0,200}:[^\s/?#"'<>\\]{1,500}|(?<!(?:ssh|enrtree):\/\/)[^\s/?#"'<>\\:@]{20,500})(?=@)|(?<=(?<![a-z])${services}:\/\/)[^\s/?#"'<>\\:@[\]]{0,200}:${cutOff})`,
    'gi',
  ),
  accept: isCredential,
});

/** A connection string without `://`, found by a literal in it. */
interface ConnectionString {
  literals: readonly string[];
  /**
   * A sticky pattern at the literal. Its group `found` is the user name and the password, which
   * `separator` separates.
   */
  pattern: RegExp;
  separator: ':' | '/';
  source: string;
  /** The user name and the password are in brackets. */
  example: string;
  counterExample: string;
}

/** What may precede a user name. */
const start = String.raw`(?:^|[\s"'\x60=>(])`;
const account = String.raw`[\w$#.%-]{1,64}`;

export const connectionStrings: readonly ConnectionString[] = [
  {
    literals: ['@tcp(', '@unix('],
    pattern: new RegExp(String.raw`(?<=${start}(?<found>${account}:[^\s"'\x60<>]{1,200}))@`, 'dy'),
    separator: ':',
    source: 'github.com/go-sql-driver/mysql#dsn-data-source-name',
    example: '[app:hunter2]@tcp(db.internal:3306)/app?parseTime=true',
    counterExample: 'fmt.Sprintf("%s:%s@tcp(%s:3306)/app", user, password, host)',
  },
  {
    literals: ['jdbc:oracle:'],
    pattern: new RegExp(
      String.raw`jdbc:oracle:(?:thin|oci8?):(?<found>${account}\/[^\s"'\x60<>@]{1,128})@`,
      'dy',
    ),
    separator: '/',
    source:
      'docs.oracle.com/en/database/oracle/oracle-database/23/jjdbc/data-sources-and-URLs.html',
    example: 'jdbc:oracle:thin:[scott/hunter2]@//db.internal:1521/orcl',
    counterExample: 'jdbc:oracle:thin:@//db.internal:1521/orcl',
  },
  {
    literals: [':1521'],
    pattern: new RegExp(
      String.raw`(?<=${start}(?<found>${account}\/[^\s"'\x60<>@/]{1,128})@(?:\/\/)?[\w.-]{1,200}):`,
      'dy',
    ),
    separator: '/',
    source:
      'docs.oracle.com/en/database/oracle/oracle-database/23/netag/configuring-naming-methods.html',
    example: 'cx_Oracle.connect("[scott/hunter2]@db.internal:1521/orcl")',
    counterExample: 'sqlplus $DB_USER/$DB_PASS@db.internal:1521/orcl',
  },
  {
    literals: ['sqlplus'],
    pattern: new RegExp(
      String.raw`sqlplus(?:\s-\w{1,12}){0,3}\s{1,3}["']?(?<found>${account}\/[^\s"'\x60<>@/]{1,128})(?=[@\s"']|$)`,
      'dy',
    ),
    separator: '/',
    source: 'docs.oracle.com/en/database/oracle/oracle-database/23/sqpug/starting-SQL-Plus.html',
    example: 'sqlplus -S [scott/hunter2]@orcl @report.sql',
    counterExample: 'sqlplus / as sysdba',
  },
];

const searches = connectionStrings.flatMap((rule) =>
  rule.literals.map((literal) => ({ ...rule, search: literalSearch(literal) })),
);

const findConnectionStrings = (text: string): Finding[] =>
  searches.flatMap(({ search, pattern, separator }) =>
    search.positionsIn(text).flatMap((at) => {
      pattern.lastIndex = at;
      const range = pattern.exec(text)?.indices?.groups?.['found'];
      if (!range) return [];
      const found = text.slice(...range).replace(separator, ':');
      return isCredential(found) ? [{ start: range[0], end: range[1] }] : [];
    }),
  );

/**
 * The user name and password in a URL, also if the text ends there, and in connection strings. The
 * rest is kept.
 */
export const urlCredentials: Detector = {
  type: 'URL_CREDENTIALS',
  inNames: true,
  minLength: 6,
  find: (text) =>
    [...inUrls.find(text), ...findConnectionStrings(text)].sort((a, b) => a.start - b.start),
};
