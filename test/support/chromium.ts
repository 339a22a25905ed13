import { existsSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { type Browser, chromium } from 'playwright-core';

/** How to start Chromium. */
export interface ChromiumProgram {
  executablePath: string;
  env?: Record<string, string>;
}

const installed = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
];

/** The npm package that provides Chromium with its libraries on machines without one. */
export const CHROMIUM_PACKAGE = join(import.meta.dirname, 'chromium-package');

/** The folder where `fetch-chromium.ts` unpacks that package, shared by all checkouts of a user. */
export function fetchedChromium(): string {
  const { dependencies } = JSON.parse(
    readFileSync(join(CHROMIUM_PACKAGE, 'package.json'), 'utf8'),
  ) as { dependencies: Record<'@sparticuz/chromium', string> };
  const cache = process.env.XDG_CACHE_HOME || join(homedir(), '.cache');
  return join(cache, 'gatehouse', `chromium-${dependencies['@sparticuz/chromium']}`);
}

/** Starts the Chromium in a folder with the libraries and fonts there. */
export const unpackedIn = (folder: string): ChromiumProgram => ({
  executablePath: join(folder, 'chromium'),
  env: {
    ...(process.env as Record<string, string>),
    LD_LIBRARY_PATH: join(folder, 'al2023/lib'),
    FONTCONFIG_FILE: join(folder, 'fonts.conf'),
  },
});

/**
 * Finds Chromium: that of CHROMIUM_PATH, of the system, or the one that `npm test` has downloaded.
 */
export function findChromium(): ChromiumProgram | undefined {
  const given = process.env.CHROMIUM_PATH;
  return [
    ...(given ? [{ executablePath: given }] : []),
    ...installed.map((executablePath) => ({ executablePath })),
    unpackedIn(fetchedChromium()),
    { executablePath: chromium.executablePath() },
  ].find(({ executablePath }) => existsSync(executablePath));
}

/** Flags for headless use, also in containers, without requests to services of the vendor. */
const flags = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

export function launchChromium(program = findChromium()): Promise<Browser> {
  if (!program) throw new Error('Chromium is missing; npm test fetches one');
  return chromium.launch({ ...program, args: flags });
}
