import { execFileSync } from 'node:child_process';
import { copyFileSync, cpSync, existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { TestedClient } from './clients.ts';

const root = join(import.meta.dirname, '../..');
const pinned = join(import.meta.dirname, 'environments');
const installed = join(root, 'node_modules/.cache/clients');

const lockOf = ({ language, environment }: Environment): string =>
  join(pinned, language === 'python' ? `${environment}.txt` : `${environment}/package-lock.json`);
const stampOf = (environment: Environment): string =>
  join(
    folderOf(environment),
    environment.language === 'python' ? 'requirements.txt' : 'installed.json',
  );
const folderOf = ({ environment }: Environment): string => join(installed, environment);

type Environment = Pick<TestedClient, 'language' | 'environment'>;

/** Whether the pinned packages of a client are installed. */
export const isInstalled = (environment: Environment): boolean =>
  existsSync(stampOf(environment)) &&
  readFileSync(stampOf(environment), 'utf8') === readFileSync(lockOf(environment), 'utf8');

/**
 * Installs the pinned packages of a client if they are missing.
 *
 * @throws Error if that fails
 */
export function install(environment: Environment): void {
  if (isInstalled(environment)) return;
  const folder = folderOf(environment);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(installed, { recursive: true });
  if (environment.language === 'python') {
    execute(installed, 'python3', '-m', 'venv', folder);
    execute(
      installed,
      join(folder, 'bin/python'),
      ...'-m pip install --quiet --disable-pip-version-check --no-deps --requirement'.split(' '),
      lockOf(environment),
    );
  } else {
    cpSync(join(pinned, environment.environment), folder, { recursive: true });
    const options = '--legacy-peer-deps --ignore-scripts --no-audit --no-fund --loglevel=error';
    execute(folder, 'npm', 'ci', ...options.split(' '));
  }
  copyFileSync(lockOf(environment), stampOf(environment));
}

/** The program and first arguments that run the script of a client. */
export const commandOf = (client: TestedClient): [string, ...string[]] =>
  client.language === 'python'
    ? [
        join(folderOf(client), 'bin/python'),
        '-W',
        'ignore',
        join(import.meta.dirname, 'python', client.script),
      ]
    : [process.execPath, join(folderOf(client), client.script)];

/** Copies the scripts of Node to their packages, where Node resolves them. */
export function placeScripts(client: TestedClient): void {
  if (client.language === 'node')
    cpSync(join(import.meta.dirname, 'node'), folderOf(client), { recursive: true });
}

/** The pinned version of a package. */
export function versionOf(client: TestedClient, name: string): string {
  const text = readFileSync(lockOf(client), 'utf8');
  const version =
    client.language === 'python'
      ? new RegExp(`^${name}==(\\S+)`, 'm').exec(text)?.[1]
      : (JSON.parse(text) as { packages: Record<string, { version?: string }> }).packages[
          `node_modules/${name}`
        ]?.version;
  if (version === undefined) throw new Error(`${lockOf(client)} has no ${name}`);
  return version;
}

function execute(cwd: string, program: string, ...args: string[]): void {
  execFileSync(program, args, { cwd, stdio: ['ignore', 'ignore', 'inherit'] });
}
