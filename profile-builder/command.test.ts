import { execFile, execFileSync } from 'node:child_process';
import { lstat, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createRoot } from '#pki/authority.ts';
import { buildProfile } from './profile.ts';
import { makeSigningIdentity } from './testing/signing-identity.ts';

const command = fileURLToPath(new URL('command.ts', import.meta.url));
const USAGE =
  'usage: npm run --silent profile -- --api-url URL (--api-key KEY | --api-key-env NAME) ' +
  '--ca CA.pem --out FILE [--hosts a,b] [--payloads full] ' +
  '[--coding-agents metadata|prompts|tools] [--tool-checks open|closed] ' +
  '[--sign ID.p12 --sign-password-env NAME]\n';

let folder: string;
let roots: string[];
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'profile-'));
  const issued = ['first', 'second'].map((name) => createRoot({ name, now: Date.now() }));
  roots = (await Promise.all(issued)).map(({ certificatePem }) => certificatePem);
  await writeFile(join(folder, 'ca.pem'), roots[0] ?? '');
});
afterEach(() => rm(folder, { recursive: true, force: true }));

interface Ended {
  code: number;
  stdout: string;
  stderr: string;
}

function run(args: string[], env: Record<string, string> = {}): Promise<Ended> {
  const team = { APPLE_TEAM_ID: input.teamId };
  const options = { cwd: folder, env: { PATH: process.env['PATH'], ...team, ...env } };
  return new Promise((resolve) => {
    execFile(process.execPath, [command, ...args], options, (error, stdout, stderr) => {
      resolve({ code: error ? Number(error.code) : 0, stdout, stderr });
    });
  });
}

const required = ['--api-url', 'https://gatehouse.example', '--api-key', 'svc_sk_verysecret'];
const files = ['--ca', 'ca.pem', '--out', 'out.mobileconfig'];
const input = {
  now: Date.now(),
  apiUrl: 'https://gatehouse.example',
  apiKey: 'svc_sk_verysecret',
  hosts: [],
  appName: 'Gatehouse',
  bundleId: 'com.gatehouse.agent',
  teamId: 'TEAM000001',
};
const succeeded: Ended = { code: 0, stdout: '', stderr: '' };

describe('the profile command', () => {
  test('writes only the profile, readable by its owner only', async () => {
    await writeFile(join(folder, 'out.mobileconfig'), 'old', { mode: 0o644 });
    expect(await run([...required, ...files])).toEqual(succeeded);
    const out = join(folder, 'out.mobileconfig');
    expect(await readFile(out, 'utf8')).toBe(
      buildProfile({ ...input, rootCertificates: roots.slice(0, 1) }),
    );
    expect((await stat(out)).mode & 0o777).toBe(0o600);
    expect((await readdir(folder)).sort()).toEqual(['ca.pem', 'out.mobileconfig']);
  });

  test('takes hosts, several roots in one file, and the product from the environment', async () => {
    await writeFile(join(folder, 'ca.pem'), `first\n${roots[0]}\nsecond\n${roots[1]}`);
    const env = {
      APP_NAME: 'Tower',
      APP_BUNDLE_ID: 'com.tower.agent',
      APPLE_TEAM_ID: 'TOWER12345',
    };
    const hosts = ['--hosts', ' claude.ai,api.openai.com, '];
    expect(await run([...required, ...files, ...hosts], env)).toEqual(succeeded);
    expect(await readFile(join(folder, 'out.mobileconfig'), 'utf8')).toBe(
      buildProfile({
        ...input,
        rootCertificates: roots,
        hosts: ['claude.ai', 'api.openai.com'],
        appName: 'Tower',
        bundleId: 'com.tower.agent',
        teamId: 'TOWER12345',
      }),
    );
  });

  test('fails with one line if the team is not set, and writes nothing', async () => {
    const refused = await run([...required, ...files], { APPLE_TEAM_ID: '' });
    expect(refused).toMatchObject({ code: 1, stdout: '' });
    expect(refused.stderr).toMatch(/^APPLE_TEAM_ID is not set: expected [^\n]+\n$/);
    expect(await readdir(folder)).toEqual(['ca.pem']);
  });

  test('notes that no Mac allows the team of the examples', async () => {
    const ended = await run([...required, ...files], { APPLE_TEAM_ID: 'GATEHOUSE1' });
    expect(ended).toMatchObject({ code: 0, stdout: '' });
    expect(ended.stderr).toMatch(/^note: for inspection only: [^\n]*GATEHOUSE1[^\n]*\n$/);
    expect(await readdir(folder)).toContain('out.mobileconfig');
  });

  test('takes the key from an environment variable', async () => {
    const args = [...required.slice(0, 2), '--api-key-env', 'KEY', ...files];
    expect(await run(args, { KEY: 'svc_sk_verysecret' })).toEqual(succeeded);
    expect(await readFile(join(folder, 'out.mobileconfig'), 'utf8')).toBe(
      buildProfile({ ...input, rootCertificates: roots.slice(0, 1) }),
    );
  });

  test('takes hosts in any case and order, deduplicated, and the full set of payloads', async () => {
    const hosts = ['--hosts', 'Claude.AI,api.openai.com', '--hosts', 'claude.ai.'];
    const umask = process.umask(0);
    expect(await run([...required, ...files, ...hosts, '--payloads', 'full'])).toEqual(succeeded);
    process.umask(umask);
    const out = join(folder, 'out.mobileconfig');
    expect(await readFile(out, 'utf8')).toBe(
      buildProfile({
        ...input,
        rootCertificates: roots.slice(0, 1),
        hosts: ['api.openai.com', 'claude.ai'],
        payloads: 'full',
      }),
    );
    expect((await stat(out)).mode & 0o777).toBe(0o600);
  });

  test('takes what coding agents report, and whether they ask', async () => {
    const options = ['--coding-agents', 'prompts', '--tool-checks', 'closed'];
    expect(await run([...required, ...files, ...options])).toEqual(succeeded);
    const chosen = { codingAgents: 'prompts', toolChecks: 'closed' } as const;
    expect(await readFile(join(folder, 'out.mobileconfig'), 'utf8')).toBe(
      buildProfile({ ...input, rootCertificates: roots.slice(0, 1), ...chosen }),
    );
  });

  test('signs exactly the profile that it writes unsigned', { tags: ['openssl'] }, async () => {
    const extensions = 'keyUsage=digitalSignature';
    const { file, authority, password } = makeSigningIdentity(folder, { name: 'it', extensions });
    const sign = ['--sign', file, '--sign-password-env', 'SIGN_PASSWORD'];
    expect(await run([...required, ...files, ...sign], { SIGN_PASSWORD: password })).toEqual(
      succeeded,
    );
    const out = join(folder, 'out.mobileconfig');
    const verify = ['cms', '-verify', '-binary', '-inform', 'DER', '-in', out];
    const how = { encoding: 'utf8', stdio: 'pipe' } as const;
    expect(execFileSync('openssl', [...verify, '-CAfile', authority, '-purpose', 'any'], how)).toBe(
      buildProfile({ ...input, rootCertificates: roots.slice(0, 1) }),
    );
    expect((await stat(out)).mode & 0o777).toBe(0o600);
    const wrong = await run([...required, ...files, ...sign], { SIGN_PASSWORD: 'other' });
    expect(wrong).toEqual({
      code: 1,
      stdout: '',
      stderr: `--sign: ${file}: the password is wrong\n`,
    });
  });

  test.each(['mkfifo other', 'ln -s ca.pem other'])(
    'does not replace a special file created by %s',
    leavesAsItIs,
  );
  test('does not replace a device', { tags: ['root'] }, () => leavesAsItIs('mknod other c 1 3'));

  async function leavesAsItIs(make: string): Promise<void> {
    const [program = '', ...args] = make.split(' ');
    execFileSync(program, args, { cwd: folder });
    const { ino } = await lstat(join(folder, 'other'));
    const { code, stderr } = await run([...required, '--ca', 'ca.pem', '--out', 'other']);
    expect(code).toBe(1);
    expect(stderr).toMatch(
      /^--out other cannot be written: it is a [a-z ]+, and only a regular file may be replaced\n$/,
    );
    expect((await lstat(join(folder, 'other'))).ino).toBe(ino);
    expect((await readdir(folder)).sort()).toEqual(['ca.pem', 'other']);
  }

  test('prints its usage on request', async () => {
    const answer = { code: 0, stdout: USAGE, stderr: '' };
    expect(await run(['--help'])).toEqual(answer);
    expect(await run([...required, ...files, '--help'])).toEqual(answer);
    expect(await readdir(folder)).toEqual(['ca.pem']);
  });

  test.each([
    ['nothing', [], USAGE],
    [
      'the key twice',
      [...required, '--api-key-env', 'PATH', ...files],
      'expected one of --api-key and --api-key-env, found both\n',
    ],
    [
      'the key where its variable belongs',
      [...required.slice(0, 2), '--api-key-env', 'svc_sk_verysecret', ...files],
      '--api-key-env: expected the name of a non-empty environment variable\n',
    ],
    ['no key', ['--api-url', 'https://x.example', ...files], USAGE],
    ['a stray argument', [...required, ...files, 'svc_sk_verysecret'], USAGE],
    ['a value that is missing', ['--api-url', '--api-key', 'x', ...files], /^Option '--api-url/],
    ['an unknown option', [...required, ...files, '--verbose'], /^Unknown option '--verbose'/],
    ['a bad URL', ['--api-url', 'x', '--api-key', 'y', ...files], /^profile: API URL: expected/],
    [
      'a host outside the catalog',
      [...required, ...files, '--hosts', 'x.example'],
      '--hosts: not in the catalog of AI hosts: "x.example"\n',
    ],
    [
      'no host',
      [...required, ...files, '--hosts', ' ,'],
      /^--hosts: expected comma-separated host names/,
    ],
    [
      'other payloads',
      [...required, ...files, '--payloads', 'silent'],
      '--payloads: expected "full", found "silent"\n',
    ],
    [
      'an unknown level for coding agents',
      [...required, ...files, '--coding-agents', 'off'],
      '--coding-agents: expected metadata, prompts, tools, found "off"\n',
    ],
    [
      'an unknown answer of hooks',
      [...required, ...files, '--tool-checks', 'off'],
      '--tool-checks: expected open, closed, found "off"\n',
    ],
    [
      'an identity without its password',
      [...required, ...files, '--sign', 'id.p12'],
      'expected --sign and --sign-password-env together, found one of them\n',
    ],
    [
      'a password that is not there',
      [...required, ...files, '--sign', 'id.p12', '--sign-password-env', 'NONE'],
      '--sign-password-env: expected the name of a non-empty environment variable\n',
    ],
    [
      'no such identity',
      [...required, ...files, '--sign', 'id.p12', '--sign-password-env', 'PATH'],
      '--sign: id.p12: cannot be read (ENOENT)\n',
    ],
    [
      'no such certificate',
      [...required, '--ca', 'none.pem', '--out', 'out.mobileconfig'],
      /^--ca none\.pem cannot be read: ENOENT: no such file or directory\n$/,
    ],
    [
      'a file that is no certificate',
      [...required, '--ca', command, '--out', 'out.mobileconfig'],
      /: expected a certificate as PEM, found something else$/m,
    ],
    [
      'a name that goes on over two lines, and steers the terminal',
      [...required, '--ca', 'no\npe\u001B', '--out', 'out.mobileconfig'],
      '--ca no\\u{a}pe\\u{1b} cannot be read: ENOENT: no such file or directory\n',
    ],
    [
      'no such folder',
      [...required, '--ca', 'ca.pem', '--out', 'none/out.mobileconfig'],
      /^--out none\/out\.mobileconfig cannot be written: ENOENT: no such file or directory\n$/,
    ],
    [
      'a folder as the file',
      [...required, '--ca', 'ca.pem', '--out', '.'],
      '--out . cannot be written: it is a folder, and only a regular file may be replaced\n',
    ],
  ])('rejects %s with one line', async (_, args, message) => {
    const { code, stdout, stderr } = await run(args);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(/^[^\n]+\n$/);
    expect(stderr).toMatch(message);
    expect(stderr).not.toContain('svc_sk_verysecret');
    expect(await readdir(folder)).toEqual(['ca.pem']);
  });
});
