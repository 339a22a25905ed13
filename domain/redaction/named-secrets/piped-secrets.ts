import { endOf, type Finding } from '../detector.ts';
import { isSecretValue } from './secret-value.ts';

/** A command that reads a password from its standard input. */
interface PasswordReader {
  /** The source of a pattern for the command, from its start to what shows that it reads one. */
  command: string;
  /** The input is `name:password`. */
  hasUser?: true;
  source: string;
  /** The password is in brackets. */
  example: string;
  counterExample: string;
}

const options = String.raw`(?:[ \t]{1,3}-[\w-]{1,20})`;

export const passwordReaders: readonly PasswordReader[] = [
  {
    command: String.raw`(?:az|buildah|crane|docker|helm|nerdctl|oras|podman|regctl|skopeo)[ \t][^\n|<]{0,200}?--password-stdin`,
    source: 'docs.docker.com/reference/cli/docker/login/#password-stdin',
    example: `echo [hunter2] | docker login -u ci --password-stdin registry.example.com`,
    counterExample: `echo $TOKEN | docker login -u ci --password-stdin`,
  },
  {
    command: `sudo${options}{0,3}?[ \\t]{1,3}-[A-Za-z]{0,4}S`,
    source: 'man7.org sudo(8) -S',
    example: `echo '[hunter2]' | sudo -S apt update`,
    counterExample: `echo 'hunter2' | sudo tee -S /etc/motd`,
  },
  {
    command: 'chpasswd',
    hasUser: true,
    source: 'man7.org chpasswd(8)',
    example: `echo "deploy:[hunter2]" | sudo chpasswd`,
    counterExample: 'cat users.txt | chpasswd',
  },
  {
    command: `passwd${options}{0,3}?[ \\t]{1,3}--stdin|smbpasswd${options}{0,3}?[ \\t]{1,3}-[a-z]{0,3}s`,
    source: 'man.archlinux.org passwd(1) --stdin, smbpasswd(8) -s',
    example: `sudo passwd --stdin deploy <<< '[hunter2]'`,
    counterExample: `echo hunter2 | passwd deploy`,
  },
  {
    command: String.raw`(?:npx[ \t]{1,3})?(?:wrangler|gh|vercel)[ \t]{1,3}(?:secrets?|env)[ \t]{1,3}(?:put|set|add)`,
    source:
      'developers.cloudflare.com/workers/wrangler/commands, cli.github.com/manual/gh_secret_set',
    example: `echo [hunter2] | npx wrangler secret put BOT_TOKEN`,
    counterExample: `echo $TOKEN | gh secret set BOT_TOKEN`,
  },
  {
    command: String.raw`(?:openssl|gpg)[ \t][^\n|<]{0,200}?(?:-pass(?:in|out)?[ \t]{1,3}stdin|--passphrase-fd[= ]0)`,
    source: 'docs.openssl.org/3.5/man1/openssl-passphrase-options, gnupg.org/documentation/manuals',
    example: `printf '%s' "[correct horse]" | gpg --batch --passphrase-fd 0 -c a.txt`,
    counterExample: `printf '%s' "correct horse" | gpg --batch -c a.txt`,
  },
];

const value = String.raw`(?:\\?"(?<double>[^"\n\\]{1,200})\\?"|\\?'(?<single>[^'\n\\]{1,200})\\?'|(?<bare>[^\s"'\x60|<>\\]{1,200}))`;
const blanks = String.raw`[ \t]{1,3}`;
const printed = String.raw`\b(?:echo|printf)(?:${blanks}-[neE]{1,3}){0,2}(?:${blanks}["']%s(?:\\{1,2}n)?["'])?${blanks}${value}`;

const readers = passwordReaders.map(({ command, hasUser }) => {
  const reads = `(?:sudo${blanks})?(?:${command})`;
  return {
    hasUser,
    piped: new RegExp(
      String.raw`\|(?=[ \t]{0,3}${reads}(?![\w-]))(?<=${printed}[ \t]{0,3}\|)`,
      'dy',
    ),
    hereString: new RegExp(
      String.raw`(?=<<<[ \t]{0,3}[^\s<])(?<=(?<![\w-])${reads}(?![\w-])[^\n|<]{0,100})<<<[ \t]{0,3}${value}`,
      'dy',
    ),
  };
});

/** The passwords that a shell passes to the standard input of a command. */
export const findPiped = (text: string): Finding[] => [
  ...findAt(text, '|', 'piped'),
  ...findAt(text, '<<<', 'hereString'),
];

/** The words with which the commands begin. They rule out most cells of tables. */
const firstWord =
  /\|[ \t]{0,3}(?:sudo|az|buildah|crane|docker|helm|nerdctl|oras|podman|regctl|skopeo|chpasswd|passwd|smbpasswd|openssl|gpg|npx|wrangler|gh|vercel)\b/y;

function findAt(text: string, operator: string, form: 'piped' | 'hereString'): Finding[] {
  const findings: Finding[] = [];
  for (let at = text.indexOf(operator); at !== -1; at = text.indexOf(operator, at + 1)) {
    if (form === 'piped' && endOf(firstWord, text, at) === -1) continue;
    const found = passwordAt(text, at, form);
    if (found) findings.push(found);
  }
  return findings;
}

function passwordAt(text: string, at: number, form: 'piped' | 'hereString'): Finding | undefined {
  for (const reader of readers) {
    reader[form].lastIndex = at;
    const groups = reader[form].exec(text)?.indices?.groups;
    const range = groups?.['double'] ?? groups?.['single'] ?? groups?.['bare'];
    if (!range) continue;
    const input = text.slice(...range);
    const start = reader.hasUser ? range[0] + input.indexOf(':') + 1 : range[0];
    const notation = { isQuoted: true, isUnspaced: true };
    if (
      start > range[0] === Boolean(reader.hasUser) &&
      isSecretValue('password', text.slice(start, range[1]), notation)
    )
      return { start, end: range[1] };
  }
  return undefined;
}
