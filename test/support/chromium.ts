import { existsSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { type Browser, chromium } from 'playwright-core';

/** How to start a Chromium. */
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

/** The package that brings a Chromium to machines without one, with the libraries it needs. */
export const CHROMIUM_PACKAGE = join(import.meta.dirname, 'chromium-package');

/** Of that package: where `fetch-chromium.ts` unpacks it, once for all checkouts of a user. */
export function fetchedChromium(): string {
  const { dependencies } = JSON.parse(
    readFileSync(join(CHROMIUM_PACKAGE, 'package.json'), 'utf8'),
  ) as { dependencies: Record<'@sparticuz/chromium', string> };
  const cache = process.env.XDG_CACHE_HOME || join(homedir(), '.cache');
  return join(cache, 'gatehouse', `chromium-${dependencies['@sparticuz/chromium']}`);
}

/** Starts the Chromium in that folder, with its own libraries and fonts. */
export const unpackedIn = (folder: string): ChromiumProgram => ({
  executablePath: join(folder, 'chromium'),
  env: {
    ...(process.env as Record<string, string>),
    LD_LIBRARY_PATH: join(folder, 'al2023/lib'),
    FONTCONFIG_FILE: join(folder, 'fonts.conf'),
  },
});

/** The one of CHROMIUM_PATH, the system's, or one that `npm test` fetched. */
export function findChromium(): ChromiumProgram | undefined {
  const given = process.env.CHROMIUM_PATH;
  return [
    ...(given ? [{ executablePath: given }] : []),
    ...installed.map((executablePath) => ({ executablePath })),
    unpackedIn(fetchedChromium()),
    { executablePath: chromium.executablePath() },
  ].find(({ executablePath }) => existsSync(executablePath));
}

/** Headless, in containers too, and without calls to its vendor's services. */
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
