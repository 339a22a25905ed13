import { hasSecretCookie } from './cookies.ts';
import { endOf, type Finding } from './detector.ts';
import { type LiteralSearch, literalSearch } from './literal-search.ts';
import { isSecretValue } from './secret-value.ts';

/** An option of a program whose value is a secret. In other programs, it means something else. */
export interface CommandSecret {
  type: 'PASSWORD' | 'AUTHORIZATION';
  /** The literal start of the program's name. */
  program: string;
  /** The source of a pattern for the rest of the name. */
  rest: string;
  /** The source of a pattern for the option, up to the value or its quote. */
  option: string;
  /** The source of a pattern for a part of the value that is kept, such as the user's name. */
  kept: string;
  source: string;
  /** The secret is in brackets. */
  example: string;
  counterExample: string;
}

const blanks = String.raw`[ \t]{1,3}`;
const maybeBlanks = String.raw`[ \t]{0,3}`;

export const commandSecrets: readonly CommandSecret[] = [
  {
    type: 'PASSWORD',
    program: 'curl',
    rest: String.raw`(?:\.exe)?`,
    option: `(?:-[A-Za-z]{0,6}[uU]${maybeBlanks}|--(?:proxy-)?user(?:=|${blanks}))`,
    kept: String.raw`[^\s:"'\\]{1,64}:`,
    source: 'curl.se/docs/manpage.html#-u',
    example: 'curl -u bob:[Tr0ub4dor&3xkcd!] https://example.com',
    counterExample: 'curl -u user:password https://example.com',
  },
  {
    type: 'AUTHORIZATION',
    program: 'curl',
    rest: String.raw`(?:\.exe)?`,
    option: `(?:-b${maybeBlanks}|--cookie(?:=|${blanks}))`,
    kept: '',
    source: 'curl.se/docs/manpage.html#-b',
    example: "curl -s -b '[theme=dark; sid=7f3k2m9x8q1w5e4r]' https://example.com",
    counterExample: 'curl -b cookies.txt https://example.com',
  },
  {
    type: 'PASSWORD',
    program: 'sshpass',
    rest: '',
    // Its own options precede the command, in which `-p` is a port.
    option: String.raw`-p(?<=^sshpass\s{1,3}(?:-v\s)?-p)${maybeBlanks}`,
    kept: '',
    source: 'man7.org sshpass(1)',
    example: 'sshpass -p [hunter2xyz] ssh app@db.internal',
    counterExample: 'sshpass -f /run/secrets/db ssh -p 2222 app@db.internal',
  },
  {
    type: 'PASSWORD',
    program: 'mysql',
    rest: String.raw`(?:admin|check|dump|import|pump|sh|show)?(?:\.exe)?`,
    option: '-p',
    kept: '',
    source: 'dev.mysql.com/doc/refman/8.4/en/command-line-options.html',
    example: 'mysql -u root -p[S3cretPw99] app',
    counterExample: 'mysql -u root -p app',
  },
  {
    type: 'PASSWORD',
    program: 'mariadb',
    rest: String.raw`(?:-(?:admin|check|dump|import|show))?(?:\.exe)?`,
    option: '-p',
    kept: '',
    source: 'mariadb.com/kb/en/mariadb-command-line-client',
    example: "mariadb-dump -uroot -p'[S3cret Pw99]' app",
    counterExample: 'mariadb -P 3306 -u root -p',
  },
  {
    type: 'PASSWORD',
    program: 'redis-cli',
    rest: '',
    option: `-a${blanks}`,
    kept: '',
    source: 'redis.io/docs/latest/develop/tools/cli',
    example: 'redis-cli -h cache -a [S3cretPw99] ping',
    counterExample: 'redis-cli -h cache ping',
  },
  {
    type: 'PASSWORD',
    program: 'docker login',
    rest: '',
    option: `-p${blanks}`,
    kept: '',
    source: 'docs.docker.com/reference/cli/docker/login',
    example: 'docker login -u app -p [S3cretPw99] registry.example.com',
    counterExample: 'docker run -p 8080:8080 app',
  },
  {
    type: 'PASSWORD',
    program: 'sqlcmd',
    rest: String.raw`(?:\.exe)?`,
    option: `-P${maybeBlanks}`,
    kept: '',
    source: 'learn.microsoft.com/sql/tools/sqlcmd/sqlcmd-utility',
    example: 'sqlcmd -S db -U sa -P "[S3cretPw99]" -Q "select 1"',
    counterExample: 'sqlcmd -S db -E -p 1',
  },
];

/** "Copy as cURL" of browsers writes all headers of a request. */
const MAX_COMMAND_LENGTH = 6000;
/** A line end without a continuation backslash, or the start of another command. */
const endsCommand = /(?<!\\\r?)\n|\s(?:\|{1,2}|;|&&)\s/;

interface Matcher {
  type: CommandSecret['type'];
  program: LiteralSearch;
  word: RegExp;
  option: RegExp;
}

const matcherOf = ({ type, program, rest, option, kept }: CommandSecret): Matcher => ({
  type,
  program: literalSearch(program),
  word: new RegExp(String.raw`(?<![\w-])${program}${rest}\s`, 'y'),
  option: new RegExp(
    String.raw`(?<=\s)${option}\\?(?:["']${kept}(?<quoted>[^"'\\\n]{1,400})|${kept}(?<bare>[^\s"'\\]{1,400}))`,
    'g',
  ),
});

const matchers = commandSecrets.map(matcherOf);
const moreQuoted = /[^"'\\\n]{1,1000}/y;
const moreBare = /[^\s"'\\]{1,1000}/y;

const isSecret: Record<CommandSecret['type'], (value: string) => boolean> = {
  PASSWORD: (value) => isSecretValue('password', value, { isQuoted: true, isUnspaced: true }),
  AUTHORIZATION: (value) => value.includes('=') && hasSecretCookie(value),
};

/** The secrets of a type in command lines. */
export const findInCommands = (type: CommandSecret['type'], text: string): Finding[] =>
  matchers.flatMap((matcher) => (matcher.type === type ? findIn(matcher, text) : []));

function findIn(matcher: Matcher, text: string): Finding[] {
  const starts = matcher.program
    .positionsIn(text)
    .filter((at) => endOf(matcher.word, text, at) !== -1);
  return starts.flatMap((start, index) => {
    const limit = Math.min(start + MAX_COMMAND_LENGTH, starts[index + 1] ?? text.length);
    const rest = text.slice(start, limit);
    const length = rest.search(endsCommand);
    return findValues(matcher, text, start, length === -1 ? rest : rest.slice(0, length));
  });
}

function findValues({ type, option }: Matcher, text: string, at: number, command: string) {
  const findings: Finding[] = [];
  for (const match of command.matchAll(option)) {
    const { quoted, bare } = match.groups ?? {};
    const value = quoted ?? bare ?? '';
    if (!isSecret[type](value)) continue;
    const known = at + match.index + match[0].length;
    const end = Math.max(known, endOf(quoted === undefined ? moreBare : moreQuoted, text, known));
    findings.push({ start: known - value.length, end });
  }
  return findings;
}
