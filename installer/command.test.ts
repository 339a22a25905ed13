import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { copyApp, makeApp } from './testing/make-app.ts';

const command = join(import.meta.dirname, 'command.ts');

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'installer-'));
  makeApp(join(folder, 'Gatehouse.app'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

interface How {
  env?: Record<string, string>;
  umask?: string;
  /** Drops the capabilities with which root can read every file. */
  powerless?: boolean;
}

/** Starts the command through a shell, with the given umask and time zone. */
function start(args: readonly string[], { env = {}, umask = '022', powerless }: How = {}) {
  const script = 'umask "$1"; shift; exec "$@"';
  const drop = powerless ? ['setpriv', '--bounding-set=-all', '--inh-caps=-all'] : [];
  const [program, ...prefix] = [...drop, 'sh', '-c', script, 'sh', umask, process.execPath];
  return spawn(program, [...prefix, command, ...args], {
    cwd: folder,
    env: { PATH: process.env['PATH'], ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

async function run(args: readonly string[], how?: How) {
  const child = start(args, how);
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close') as Promise<[number]>,
  ]);
  return { code, stdout, stderr };
}

const build = ['build', '--app', 'Gatehouse.app', '--version', '1.2.3', '--out', 'out.pkg'];
const bytesOf = (name: string): Buffer => readFileSync(join(folder, name));

describe('the installer command', () => {
  test('builds, reports progress on standard output, and prints nothing on standard error', async () => {
    const { stdout, ...ended } = await run(build);
    expect(ended).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain('reading Gatehouse.app\npacking ');
    expect(stdout).toMatch(/writing the package\nout\.pkg: \d+ bytes, not signed\n$/);
    expect(readdirSync(folder).sort()).toEqual(['Gatehouse.app', 'out.pkg']);
    expect(await run(['inspect', 'out.pkg', '--allow-unsigned'])).toMatchObject({ code: 0 });
    expect(await run(['inspect', 'out.pkg'])).toMatchObject({ code: 1 });
  });

  test(
    'is deterministic across folders, time zones, umasks and file order',
    { tags: ['bsdtar'] },
    async () => {
      await run(build);
      mkdirSync(join(folder, 'a'), { mode: 0o700 });
      copyApp(join(folder, 'Gatehouse.app'), join(folder, 'a/Gatehouse.app'));
      // The copy is created in another order, with the modes of umask 077, and outside the source
      // folder.
      mkdirSync(join(folder, 'c'));
      execFileSync('sh', [
        '-ec',
        'cd "$1"; find . | sort -r | bsdtar --format odc -cnf - -T - | (umask 077; mkdir "$2"; cd "$2"; bsdtar -xf - --no-same-permissions)',
        'sh',
        join(folder, 'a/Gatehouse.app'),
        join(folder, 'c/Gatehouse.app'),
      ]);
      execFileSync('touch', ['-r', join(folder, 'Gatehouse.app'), join(folder, 'c/Gatehouse.app')]);
      expect(
        await run(
          ['build', '--app', 'c/Gatehouse.app/', '--version', '1.2.3', '--out', 'c/x.pkg'],
          {
            env: { TZ: 'Pacific/Kiritimati', LC_ALL: 'tr_TR.UTF-8' },
            umask: '077',
          },
        ),
      ).toMatchObject({ code: 0 });
      expect(bytesOf('c/x.pkg').equals(bytesOf('out.pkg'))).toBe(true);
    },
  );

  test("takes the product's name from its configuration", { tags: ['bsdtar'] }, async () => {
    const env = { APP_NAME: 'Wächter', APP_BUNDLE_ID: 'org.example.guard' };
    const args = ['build-uninstaller', '--version', '2.0', '--out', 'remove.pkg'];
    expect(await run(args, { env })).toMatchObject({ code: 0, stderr: '' });
    const distribution = execFileSync('bsdtar', ['-xOf', 'remove.pkg', 'Distribution'], {
      cwd: folder,
    });
    expect(distribution.toString()).toContain('<title>Remove Wächter</title>');
    expect(distribution.toString()).toContain('"org.example.guard.uninstaller"');
    expect(await run(build, { env })).toEqual({
      code: 1,
      stdout: 'reading Gatehouse.app\n',
      stderr: 'Gatehouse.app: its bundle id is com.gatehouse.agent, expected org.example.guard\n',
    });
  });

  test.each([
    [[], /^usage: npm run --silent installer -- build --app/],
    [['pack'], /^usage: /],
    [['build'], /^usage: /],
    [build.slice(0, -2), /^usage: /],
    [['build-uninstaller', ...build.slice(1)], /^usage: /],
    [[...build, '--fast'], /^Unknown option '--fast'/],
    [[...build, 'more'], /^Unexpected argument 'more'/],
    [[...build, '--notary-key-id', 'K'], /^--notary-key-id: /],
    [
      [...build.slice(0, -1), 'none/out.pkg'],
      /^none\/out.pkg cannot be written: ENOENT: no such file or directory\n$/,
    ],
    [[...build, 'a\nb\u001B]0;x\u0007'], /^Unexpected argument 'a b\\u\{1b\}\]0;x\\u\{7\}'/],
    [
      ['build', '--app', 'a\nb\u001B.app', ...build.slice(3)],
      /^a\\u\{a\}b\\u\{1b\}\.app: expected a folder named X\.app\n$/,
    ],
    [[...build.slice(0, -1), 'Gatehouse.app/out.pkg'], /must not be inside Gatehouse.app/],
    [['build', '--app', 'No.app', ...build.slice(3)], /^No.app: cannot be read \(ENOENT\)/],
    [[...build, '--version', '1.x'], /^version 1.x: expected numbers/],
  ])('rejects %j with one line, and leaves no files', async (args, message) => {
    const { code, stderr } = await run(args);
    expect(code).toBe(1);
    expect(stderr).toMatch(message);
    expect(stderr.trimEnd().split('\n')).toHaveLength(1);
    expect(readdirSync(folder)).toEqual(['Gatehouse.app']);
  });

  test.each([
    ['a file larger than 4 GiB', /Contents\/large: 4294967296 bytes, a file in a package can have/],
    ['a damaged Info.plist', /Info\.plist: not a property list/],
  ])('rejects %s with one line', async (description, message) => {
    const contents = join(folder, 'Gatehouse.app/Contents');
    if (description.startsWith('a file')) {
      writeFileSync(join(contents, 'large'), '');
      truncateSync(join(contents, 'large'), 2 ** 32);
    } else writeFileSync(join(contents, 'Info.plist'), '<plist><dict>');
    const { code, stderr } = await run(build);
    expect(code).toBe(1);
    expect(stderr).toMatch(message);
    expect(stderr.trimEnd().split('\n')).toHaveLength(1);
    expect(readdirSync(folder)).toEqual(['Gatehouse.app']);
  });

  test('reports the whole problem if a name has a line break', async () => {
    const contents = join(folder, 'Gatehouse.app/Contents');
    execFileSync('mkfifo', [join(contents, 'a\nb\u001B]0;x\u0007')]);
    expect(await run(build)).toMatchObject({
      code: 1,
      stderr:
        `${contents}/a\\u{a}b\\u{1b}]0;x\\u{7}: a named pipe: ` +
        'a package can contain only files, folders and links\n',
    });
  });

  test.each(['Contents/PkgInfo', 'Contents/Resources'])(
    'rejects an unreadable %s',
    async (path) => {
      chmodSync(join(folder, 'Gatehouse.app', path), 0);
      const { code, stderr } = await run(build, { powerless: process.getuid?.() === 0 });
      expect(code).toBe(1);
      expect(stderr).toBe(`${join(folder, 'Gatehouse.app', path)}: cannot be read (EACCES)\n`);
      chmodSync(join(folder, 'Gatehouse.app', path), 0o755);
    },
  );

  test('leaves no files if it is interrupted', async () => {
    // The file is large enough that packing is still running when the first line of output arrives.
    const large = join(folder, 'Gatehouse.app/Contents/large');
    writeFileSync(large, '');
    truncateSync(large, 2_000_000_000);
    const child = start(build);
    const errors = text(child.stderr);
    for await (const output of child.stdout)
      if (String(output).includes('packing')) child.kill('SIGTERM');
    expect(await errors).toBe('interrupted (SIGTERM)\n');
    expect(child.exitCode ?? ((await once(child, 'exit')) as [number])[0]).toBe(1);
    expect(readdirSync(folder)).toEqual(['Gatehouse.app']);
  });
});
