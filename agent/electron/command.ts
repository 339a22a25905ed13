import { spawn } from 'node:child_process';
import { buildApp, builtApp } from './build.ts';
import { readElectronConfig } from './config.ts';
import { electronPackage, fetchElectron, findElectron } from './find-electron.ts';

const USAGE = 'usage: npm run agent:electron [-- start | build]';
const FETCH_TIMEOUT_MS = 120_000;

const read = readElectronConfig();
if ('error' in read) fail(read.error);
const { appName, electronFolder } = read.config;

const [task = 'start', ...more] = process.argv.slice(2);
if (task === '--help' || task === '-h') {
  console.log(USAGE);
  process.exit();
}
if (more.length > 0 || (task !== 'start' && task !== 'build')) fail(USAGE);
try {
  if (task === 'start') await start();
  else await buildApp(appName);
} catch (error) {
  fail(error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error));
}

/** Builds the app, runs it in Electron and exits with its code. */
async function start(): Promise<void> {
  const electron = await findOrFetchElectron();
  if (electron === null)
    fail(
      electronFolder === null
        ? 'The Electron program is missing and could not be downloaded: run `npx install-electron --no` with access to its download site, or set ELECTRON_OVERRIDE_DIST_PATH to an unpacked Electron'
        : `ELECTRON_OVERRIDE_DIST_PATH: no Electron program in ${electronFolder}`,
    );

  await buildApp(appName);
  const child = spawn(electron, [builtApp], { stdio: 'inherit' });
  // A terminal signals both processes. This one waits until the app has ended.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => child.kill(signal));
  child.on('error', (error) => fail(`${electron}: ${error.message}`));
  child.on('exit', (code) => process.exit(code ?? 1));
}

async function findOrFetchElectron(): Promise<string | null> {
  const paths = { packageFolder: electronPackage, electronFolder };
  const found = findElectron(paths);
  if (found !== null || electronFolder !== null) return found;
  await fetchElectron(electronPackage, FETCH_TIMEOUT_MS);
  return findElectron(paths);
}

function fail(line: string): never {
  console.error(line);
  process.exit(1);
}
