import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { root } from '#test/support/processes.ts';

const execute = promisify(execFile);

export interface InstalledPackage {
  /** The project in which it is installed. */
  folder: string;
  /** The files of the package, as npm lists them. */
  files: string[];
  /** Runs a script of that project; returns its output and its exit status. */
  run(script: string, env?: Record<string, string>): Promise<ProgramResult>;
  remove(): void;
}

export interface ProgramResult {
  code: number;
  stdout: string;
  stderr: string;
}

/** Builds the SDK, packs it and installs it into a new project, as its users do. */
export async function installPackage(): Promise<InstalledPackage> {
  const folder = mkdtempSync(join(tmpdir(), 'svc-observe-test-'));
  const npm = async (...args: string[]): Promise<string> =>
    (await execute('npm', args, { cwd: folder })).stdout;
  const dist = join(folder, 'dist');
  await execute(process.execPath, [join(root, 'sdk/build.ts'), dist]);
  const [packed] = JSON.parse(await npm('pack', dist, '--json')) as Packed[];
  writeFileSync(join(folder, 'package.json'), '{"type": "module", "private": true}');
  await npm('install', '--offline', '--no-audit', '--no-fund', `./${packed?.filename}`);
  return {
    folder,
    files: packed?.files.map(({ path }) => path) ?? [],
    run: (script, env = {}) => runScript(folder, script, env),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

interface Packed {
  filename: string;
  files: { path: string }[];
}

async function runScript(
  folder: string,
  script: string,
  env: Record<string, string>,
): Promise<ProgramResult> {
  const place = mkdtempSync(join(folder, 'run-'));
  writeFileSync(join(place, 'script.js'), script);
  const options = { env: { PATH: process.env.PATH ?? '', ...env } };
  try {
    const { stdout, stderr } = await execute(process.execPath, [join(place, 'script.js')], options);
    return { code: 0, stdout, stderr };
  } catch (error) {
    return error as ProgramResult;
  }
}
