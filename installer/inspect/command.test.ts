import { execFile } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestAuthority } from '../testing/authority.ts';
import { createWorkshop, toPem, type Workshop } from '../testing/workshop.ts';
import { craftArchive } from './testing/craft-archive.ts';
import { craftProduct, sampleEntries } from './testing/craft-component.ts';
import { craftSigner } from './testing/craft-signer.ts';

let workshop: Workshop;
beforeAll(async () => {
  workshop = await createWorkshop();
  const authority = await createTestAuthority();
  const chain = [await authority.issueInstaller(), authority.authority, authority.root];
  await workshop.write('ca.pem', toPem(authority.root.certificate));
  await workshop.write('leaf.pem', toPem((chain[0] as (typeof chain)[0]).certificate));
  const signer = craftSigner({ chain });
  await workshop.write('signed.pkg', await craftArchive({ files: craftProduct(), signer }));
  await workshop.write('plain.pkg', await craftArchive({ files: craftProduct() }));
  const gap = await craftArchive({ files: craftProduct(), signer, gap: 8 });
  await workshop.write('gap.pkg', gap);
});
afterAll(() => workshop[Symbol.asyncDispose]());

interface Outcome {
  code: number;
  stdout: string;
  stderr: string;
}

const main = new URL('../command.ts', import.meta.url).pathname;
function run(...args: string[]): Promise<Outcome> {
  const all = [main, 'inspect', ...args];
  return new Promise((resolve) => {
    execFile(process.execPath, all, { cwd: workshop.path('') }, (error, stdout, stderr) => {
      resolve({ code: Number(error?.code ?? 0), stdout, stderr });
    });
  });
}

describe('inspect', () => {
  test('prints a description of a package', async () => {
    const { code, stdout, stderr } = await run('signed.pkg', '--trust', 'ca.pem', '--strict');
    expect([code, stderr]).toEqual([0, '']);
    const output = stdout.split('\n');
    expect(output).toContain('Product      com.example.product 1.2.3');
    expect(output).toContain('Minimum OS   12.0');
    expect(output).toContain('Component    com.example.app 1.2.3, in com.example.app.pkg');
    expect(output).toContain('Payload      100755  17 bytes  ./X.app/run');
    expect(output).toContain('Payload      120755  3 bytes  ./X.app/link -> run');
    expect(output).toContain('Signature    RSA and CMS (rsa with sha1; rsa with sha256)');
    expect(output).toContain(
      'Signer       Developer ID Installer: Gatehouse Test (GATEHOUSE1), team GATEHOUSE1',
    );
    expect(output.slice(-2)).toEqual(['Result       valid', '']);
  });

  test('prints the same as one JSON document', async () => {
    const { code, stdout } = await run('plain.pkg', '--allow-unsigned', '--json');
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      file: 'plain.pkg',
      product: { identifier: 'com.example.product' },
      signature: null,
      problems: [],
    });
  });

  test.each([
    [['plain.pkg'], 'signature: the package is not signed\n'],
    [['signed.pkg'], 'certificates: the chain ends at "Test Root CA", which is not trusted\n'],
    [['gap.pkg', '--trust', 'ca.pem', '--strict'], 'heap: 8 unreferenced bytes at offset 12564\n'],
  ])('describes and then rejects %j', async (args, stderr) => {
    const outcome = await run(...args);
    expect(outcome).toMatchObject({ code: 1, stderr });
    expect(outcome.stdout).toContain('Product      com.example.product 1.2.3\n');
    expect(outcome.stdout).toMatch(/\nProblem {6}[^\n]+\nResult {7}refused\n$/);
  });

  test.each([
    [[], /^usage: /],
    [['one', 'two'], /^usage: /],
    [['signed.pkg', '--what'], /^Unknown option '--what'/],
    [['signed.pkg', '--trust', 'nothing'], /^--trust nothing cannot be read: ENOENT$/],
    [['signed.pkg', '--trust', 'signed.pkg'], /^--trust signed.pkg: expected a certificate as PEM/],
    [['signed.pkg', '--trust', 'leaf.pem'], /^--trust leaf.pem: .* is not a CA certificate/],
    [['nothing.pkg'], /^nothing.pkg cannot be read: ENOENT$/],
  ])('%j is a one-line error', async (args, message) => {
    const { code, stdout, stderr } = await run(...args);
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr.trimEnd()).toMatch(message);
    expect(stderr.split('\n')).toHaveLength(2);
  });

  test('identifies a package for Linux', async () => {
    await workshop.write('agent.deb', Buffer.from(`!<arch>\ndebian-binary   ${'0'.repeat(40)}`));
    const { code, stderr } = await run('agent.deb', '--allow-unsigned');
    expect([code, stderr]).toEqual([
      1,
      'header: not a macOS package (.pkg): it is a package of Debian (.deb), which `dpkg-deb --info` and `--contents` show\n',
    ]);
  });

  test('escapes control characters in names', async () => {
    const path = './\u001B[2Jevil\u202E\nname';
    const files = craftProduct({
      entries: [...sampleEntries, { path, mode: 0o100644, bom: { checksum: 1 } }],
    });
    await workshop.write('evil.pkg', await craftArchive({ files }));
    const { code, stdout, stderr } = await run('evil.pkg', '--allow-unsigned');
    expect(code).toBe(1);
    expect(stdout).toContain('./\\u{1b}[2Jevil\\u{202e}\\u{a}name\n');
    expect(stderr).toContain('/Payload: ./\\u{1b}[2Jevil\\u{202e}\\u{a}name: checksum');
    expect(stderr.split('\n')).toHaveLength(2);
  });

  test('truncates a long list, and prints its length', async () => {
    const many = Array.from({ length: 60 }, (_, index) => ({
      path: `./file-${index}`,
      mode: 0o100644,
    }));
    const entries = [...sampleEntries, ...many];
    await workshop.write('many.pkg', await craftArchive({ files: craftProduct({ entries }) }));
    const { stdout } = await run('many.pkg', '--allow-unsigned');
    expect(stdout.match(/^Payload /gm)).toHaveLength(41);
    expect(stdout).toContain('\nPayload      and 25 more\n');
    const { stdout: all } = await run('many.pkg', '--allow-unsigned', '--all');
    expect(all.match(/^Payload /gm)).toHaveLength(65);
    expect(all).not.toContain(' more\n');
  });
});
