import { t } from '@lingui/core/macro';

/** The order matters: user agents of later browsers also contain the names of earlier ones. */
const browsers: readonly (readonly [name: string, sign: RegExp])[] = [
  ['Edge', /\bEdg\w*\//],
  ['Opera', /\bOPR\//],
  ['Firefox', /\bFirefox\//],
  ['Chrome', /\b(?:Headless)?Chrom(?:e|ium)\//],
  ['Safari', /\bVersion\/.*\bSafari\//],
];

const systems: readonly (readonly [name: string, sign: RegExp])[] = [
  ['iPhone', /\biPhone\b/],
  ['iPad', /\biPad\b/],
  ['Android', /\bAndroid\b/],
  ['macOS', /\bMac OS X\b/],
  ['Windows', /\bWindows\b/],
  ['Linux', /\bLinux\b/],
];

const find = (names: typeof browsers, text: string): string | undefined =>
  names.find(([, sign]) => sign.test(text))?.[0];

/**
 * Returns a short name such as `Firefox on macOS`, or the user agent itself if the browser is
 * unknown.
 */
export function browserName(userAgent: string): string {
  const browser = find(browsers, userAgent);
  if (browser === undefined) return userAgent || t`Unknown`;
  const system = find(systems, userAgent);
  return system === undefined ? browser : t`${browser} on ${system}`;
}
