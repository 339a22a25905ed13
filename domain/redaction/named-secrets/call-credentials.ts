import { valueAt } from './assigned-value.ts';
import { membersOf } from '../search/code-units.ts';
import { endOf, type Finding } from '../detector.ts';
import { isWords } from './names.ts';
import { isSecretValue } from './secret-value.ts';

/** A function or constructor that gets a password after a user's name, both by position. */
interface CredentialCall {
  /** The source of a pattern for the end of its name. */
  name: string;
  /** The number of arguments before the password. */
  before: 1 | 2;
  /** Calls of this name are common, so the password must have digits and mixed case or symbols. */
  isCommon?: true;
  source: string;
  /** The password is in brackets. */
  example: string;
  counterExample: string;
}

export const credentialCalls: readonly CredentialCall[] = [
  {
    name: '[Bb]asic_?[Aa]uth|[Dd]igest_?[Aa]uth',
    before: 1,
    source:
      'pkg.go.dev/net/http#Request.SetBasicAuth, requests.readthedocs.io/en/latest/user/authentication',
    example: `req.SetBasicAuth("admin", "[hunter2]")`,
    counterExample: `req.SetBasicAuth("admin", password)`,
  },
  {
    name: String.raw`\bauth(?:["']?\s?[=:])?\s?`,
    before: 1,
    source:
      'requests.readthedocs.io/en/latest/user/authentication, ladjs.github.io/superagent/#authentication',
    example: `requests.get(url, auth=('admin', '[hunter2]'))`,
    counterExample: `requests.get(url, auth=('user', 'password'))`,
  },
  {
    // Other tokens are those of protocols: `Saml2AuthenticationToken(registration, "…")`.
    name: String.raw`(?<!Client(?:Secret|Certificate|Assertion))Credentials?(?:\.basic)?|(?:Basic|Password|Testing|(?<![A-Za-z\d]))Authentication(?:Token)?`,
    before: 1,
    source:
      'learn.microsoft.com/dotnet/api/system.net.networkcredential, docs.oracle.com/javase/8/docs/api/java/net/PasswordAuthentication.html',
    example: `new NetworkCredential("ann", "[hunter2]", "corp")`,
    counterExample: `new ClientCertificateCredential("tenant", "c1ient-id", path)`,
  },
  {
    name: String.raw`(?<![A-Za-z\d])(?:login|log_?[iI]n|sign_?[iI]n|authenticate)`,
    before: 1,
    source: 'docs.python.org/3/library/smtplib.html#smtplib.SMTP.login',
    example: `server.login(SENDER, "[hunter2]")`,
    counterExample: `page.login("ann", "as_admin")`,
  },
  {
    name: String.raw`getConnection|\bPDO|\bmysqli(?:_real)?(?:_connect)?|MySQLdb\.connect|ClientSecretCredential`,
    before: 2,
    source:
      'docs.oracle.com/javase/8/docs/api/java/sql/DriverManager.html, php.net/manual/pdo.construct.php',
    example: `DriverManager.getConnection("jdbc:mysql://db/x", "root", "[hunter2]");`,
    counterExample: `DriverManager.getConnection("jdbc:mysql://db/x", user, password);`,
  },
  ...([1, 2] as const).map((before): CredentialCall => ({
    name: String.raw`(?<![A-Za-z\d])[cC]onnect`,
    before,
    isCommon: true,
    source:
      'python-oracledb.readthedocs.io/en/latest/user_guide/connection_handling.html, metacpan.org/pod/DBI#connect',
    example: `connection = connect(${'dsn, '.repeat(before - 1)}"ann", "[s3cr3t!x9]")`,
    counterExample: `signal.connect(${'self, '.repeat(before - 1)}"clicked", "onClick2")`,
  })),
];

const argument = String.raw`\s{0,12}(?:[\w.$\->[\]]{1,60}|\\?"[^"\n\\]{0,200}\\?"|\\?'[^'\n\\]{0,200}\\?')\s{0,3},`;
const calls = credentialCalls.map(({ name, before, isCommon = false }) => ({
  isCommon,
  name: new RegExp(`(?<=${name})`, 'y'),
  toValue: new RegExp(String.raw`\((?:${argument}){${before}}\s{0,12}(?=[^\s\d])`, 'y'),
}));

const anyName = new RegExp(`(?<=${credentialCalls.map(({ name }) => name).join('|')})`, 'y');

/** 1 for the last characters of the names, which rules out most calls of a program. */
const isEnding = membersOf(/[hlsnceOit=: ]/);

/** The passwords in calls such as `SetBasicAuth("ann", "…")`. */
export function findInCalls(text: string): Finding[] {
  const findings: Finding[] = [];
  for (let at = text.indexOf('('); at !== -1; at = text.indexOf('(', at + 1)) {
    if (isEnding[text.charCodeAt(at - 1)] !== 1) continue;
    const found = endOf(anyName, text, at) === -1 ? undefined : passwordAt(text, at);
    if (found) findings.push(found);
  }
  return findings;
}

const isStrong = (value: string): boolean =>
  value.length >= 8 &&
  /\d/.test(value) &&
  /[!@#$%^&*?~]|[a-z].*[A-Z]|[A-Z].*[a-z]/.test(value) &&
  !/[\s/:()=]/.test(value) &&
  !isWords(value);

function passwordAt(text: string, at: number): Finding | undefined {
  for (const { name, toValue, isCommon } of calls) {
    const start = endOf(name, text, at) === -1 ? -1 : endOf(toValue, text, at);
    const found = start === -1 ? undefined : valueAt(text, start, false);
    // The names of some calls have other meanings, so words are no passwords here.
    const isWord =
      found && !isSecretValue('password', found.value, { isQuoted: false, isUnspaced: false });
    if (!found?.isQuoted || isWord || (isCommon && !isStrong(found.value))) continue;
    const known = found.start + found.value.length;
    return { start: found.start, end: Math.max(known, endOf(found.continuation, text, known)) };
  }
  return undefined;
}
