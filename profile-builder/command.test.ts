import { execFile, execFileSync } from 'node:child_process';
import { lstat, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createRoot } from '#pki/authority.ts';
import { buildProfile } from './profile.ts';
import { makeSigningIdentity } from './testing/signing-identity.ts';

const command = fileURLToPath(new URL('command.ts', import.meta.url));
const usage =
  'usage: npm run --silent profile -- --api-url URL (--api-key KEY | --api-key-env NAME) ' +
  '--ca CA.pem --out FILE [--hosts a,b] [--payloads full] ' +
  '[--sign ID.p12 --sign-password-env NAME]\n';

let folder: string;
let roots: string[];
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'profile-'));
  const made = ['first', 'second'].map((name) => createRoot({ name, now: Date.now() }));
  roots = (await Promise.all(made)).map(({ certificatePem }) => certificatePem);
  await writeFile(join(folder, 'ca.pem'), roots[0] ?? '');
});
afterEach(() => rm(folder, { recursive: true, force: true }));

interface Ended {
  code: number;
  stdout: string;
  stderr: string;
}

function run(args: string[], env: Record<string, string> = {}): Promise<Ended> {
  const team = { APPLE_TEAM_ID: 'GATEHOUSE1' };
  const options = { cwd: folder, env: { PATH: process.env['PATH'], ...team, ...env } };
  return new Promise((resolve) => {
    execFile(process.execPath, [command, ...args], options, (error, stdout, stderr) => {
      resolve({ code: error ? Number(error.code) : 0, stdout, stderr });
    });
  });
}

const wanted = ['--api-url', 'https://gatehouse.example', '--api-key', 'svc_sk_verysecret'];
const files = ['--ca', 'ca.pem', '--out', 'out.mobileconfig'];
const input = {
  now: Date.now(),
  apiUrl: 'https://gatehouse.example',
  apiKey: 'svc_sk_verysecret',
  hosts: [],
  appName: 'Gatehouse',
  bundleId: 'com.gatehouse.agent',
  teamId: 'GATEHOUSE1',
};
const done: Ended = { code: 0, stdout: '', stderr: '' };

describe('the profile command', () => {
  it('writes the profile where only its owner may read it, and nothing else', async () => {
    await writeFile(join(folder, 'out.mobileconfig'), 'old', { mode: 0o644 });
    expect(await run([...wanted, ...files])).toEqual(done);
    const out = join(folder, 'out.mobileconfig');
    expect(await readFile(out, 'utf8')).toBe(
      buildProfile({ ...input, rootCertificates: roots.slice(0, 1) }),
    );
    expect((await stat(out)).mode & 0o777).toBe(0o600);
    expect((await readdir(folder)).sort()).toEqual(['ca.pem', 'out.mobileconfig']);
  });

  it('takes hosts, several roots in one file, and the product from the environment', async () => {
    await writeFile(join(folder, 'ca.pem'), `first\n${roots[0]}\nsecond\n${roots[1]}`);
    const env = {
      APP_NAME: 'Tower',
      APP_BUNDLE_ID: 'com.tower.agent',
      APPLE_TEAM_ID: 'TOWER12345',
    };
    const hosts = ['--hosts', ' claude.ai,api.openai.com, '];
    expect(await run([...wanted, ...files, ...hosts], env)).toEqual(done);
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

  it('refuses to name a team that nobody gave, in one line, and writes nothing', async () => {
    const refused = await run([...wanted, ...files], { APPLE_TEAM_ID: '' });
    expect(refused).toMatchObject({ code: 1, stdout: '' });
    expect(refused.stderr).toMatch(/^APPLE_TEAM_ID is not set: expected [^\n]+\n$/);
    expect(await readdir(folder)).toEqual(['ca.pem']);
  });

  it('takes the key from a variable, which no list of processes shows', async () => {
    const args = [...wanted.slice(0, 2), '--api-key-env', 'KEY', ...files];
    expect(await run(args, { KEY: 'svc_sk_verysecret' })).toEqual(done);
    expect(await readFile(join(folder, 'out.mobileconfig'), 'utf8')).toBe(
      buildProfile({ ...input, rootCertificates: roots.slice(0, 1) }),
    );
  });

  it('takes hosts in any case and order, each once, and the full set of payloads', async () => {
    const hosts = ['--hosts', 'Claude.AI,api.openai.com', '--hosts', 'claude.ai.'];
    const umask = process.umask(0);
    expect(await run([...wanted, ...files, ...hosts, '--payloads', 'full'])).toEqual(done);
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

  it('signs, around the very profile that it writes unsigned', { tags: ['openssl'] }, async () => {
    const extensions = 'keyUsage=digitalSignature';
    const { file, authority, password } = makeSigningIdentity(folder, { name: 'it', extensions });
    const sign = ['--sign', file, '--sign-password-env', 'SIGN_PASSWORD'];
    expect(await run([...wanted, ...files, ...sign], { SIGN_PASSWORD: password })).toEqual(done);
    const out = join(folder, 'out.mobileconfig');
    const verify = ['cms', '-verify', '-binary', '-inform', 'DER', '-in', out];
    const how = { encoding: 'utf8', stdio: 'pipe' } as const;
    expect(execFileSync('openssl', [...verify, '-CAfile', authority, '-purpose', 'any'], how)).toBe(
      buildProfile({ ...input, rootCertificates: roots.slice(0, 1) }),
    );
    expect((await stat(out)).mode & 0o777).toBe(0o600);
    const wrong = await run([...wanted, ...files, ...sign], { SIGN_PASSWORD: 'other' });
    expect(wrong).toEqual({
      code: 1,
      stdout: '',
      stderr: `--sign: ${file}: the password is wrong\n`,
    });
  });

  it.each(['mkfifo other', 'ln -s ca.pem other'])(
    'leaves what is no file as it is, made by %s',
    leavesAsItIs,
  );
  it('leaves a device as it is', { tags: ['root'] }, () => leavesAsItIs('mknod other c 1 3'));

  async function leavesAsItIs(make: string): Promise<void> {
    const [program = '', ...args] = make.split(' ');
    execFileSync(program, args, { cwd: folder });
    const { ino } = await lstat(join(folder, 'other'));
    const { code, stderr } = await run([...wanted, '--ca', 'ca.pem', '--out', 'other']);
    expect(code).toBe(1);
    expect(stderr).toMatch(
      /^--out other cannot be written: it is a [a-z ]+, and only a file is replaced\n$/,
    );
    expect((await lstat(join(folder, 'other'))).ino).toBe(ino);
    expect((await readdir(folder)).sort()).toEqual(['ca.pem', 'other']);
  }

  it('says how it is used when asked', async () => {
    const answer = { code: 0, stdout: usage, stderr: '' };
    expect(await run(['--help'])).toEqual(answer);
    expect(await run([...wanted, ...files, '--help'])).toEqual(answer);
    expect(await readdir(folder)).toEqual(['ca.pem']);
  });

  it.each([
    ['nothing', [], usage],
    [
      'the key twice',
      [...wanted, '--api-key-env', 'PATH', ...files],
      'expected one of --api-key and --api-key-env, found both\n',
    ],
    [
      'the key where its variable belongs',
      [...wanted.slice(0, 2), '--api-key-env', 'svc_sk_verysecret', ...files],
      '--api-key-env: expected the name of a variable that is set and not empty\n',
    ],
    ['no key', ['--api-url', 'https://x.example', ...files], usage],
    ['a stray argument', [...wanted, ...files, 'svc_sk_verysecret'], usage],
    ['a value that is missing', ['--api-url', '--api-key', 'x', ...files], /^Option '--api-url/],
    ['an unknown option', [...wanted, ...files, '--verbose'], /^Unknown option '--verbose'/],
    ['a bad URL', ['--api-url', 'x', '--api-key', 'y', ...files], /^profile: API URL: expected/],
    [
      'a host outside the catalog',
      [...wanted, ...files, '--hosts', 'x.example'],
      '--hosts: not a host of the AI-host catalog: "x.example"\n',
    ],
    ['no host', [...wanted, ...files, '--hosts', ' ,'], /^--hosts: expected host names/],
    [
      'other payloads',
      [...wanted, ...files, '--payloads', 'silent'],
      '--payloads: expected "full", found "silent"\n',
    ],
    [
      'an identity without its password',
      [...wanted, ...files, '--sign', 'id.p12'],
      'expected --sign and --sign-password-env together, found one of them\n',
    ],
    [
      'a password that is not there',
      [...wanted, ...files, '--sign', 'id.p12', '--sign-password-env', 'NONE'],
      '--sign-password-env: expected the name of a variable that is set and not empty\n',
    ],
    [
      'no such identity',
      [...wanted, ...files, '--sign', 'id.p12', '--sign-password-env', 'PATH'],
      '--sign: id.p12: cannot be read (ENOENT)\n',
    ],
    [
      'no such certificate',
      [...wanted, '--ca', 'none.pem', '--out', 'out.mobileconfig'],
      /^--ca none\.pem cannot be read: ENOENT: no such file or directory\n$/,
    ],
    [
      'a file that is no certificate',
      [...wanted, '--ca', command, '--out', 'out.mobileconfig'],
      /: expected a certificate as PEM, found something else$/m,
    ],
    [
      'a name that goes on over two lines, and steers the terminal',
      [...wanted, '--ca', 'no\npe\u001B', '--out', 'out.mobileconfig'],
      '--ca no\\u{a}pe\\u{1b} cannot be read: ENOENT: no such file or directory\n',
    ],
    [
      'no such folder',
      [...wanted, '--ca', 'ca.pem', '--out', 'none/out.mobileconfig'],
      /^--out none\/out\.mobileconfig cannot be written: ENOENT: no such file or directory\n$/,
    ],
    [
      'a folder as the file',
      [...wanted, '--ca', 'ca.pem', '--out', '.'],
      '--out . cannot be written: it is a folder, and only a file is replaced\n',
    ],
  ])('refuses %s with one line', async (_, args, message) => {
    const { code, stdout, stderr } = await run(args);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(/^[^\n]+\n$/);
    expect(stderr).toMatch(message);
    expect(stderr).not.toContain('svc_sk_verysecret');
    expect(await readdir(folder)).toEqual(['ca.pem']);
  });
});
