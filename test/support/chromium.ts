import { existsSync } from 'node:fs';

const places = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
];

/** The system's Chromium; browser tests drive no other. */
export function findChromium(): string {
  const found = [process.env.CHROMIUM_PATH ?? '', ...places].find(
    (path) => path && existsSync(path),
  );
  if (found) return found;
  throw new Error(
    'Chromium is missing: install it (Debian and Ubuntu: sudo apt-get install chromium; macOS: Google Chrome) or set CHROMIUM_PATH',
  );
}

/** Headless, in containers too, and without calls to its vendor's services. */
export const CHROMIUM_FLAGS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];
