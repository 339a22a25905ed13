import { expect, test } from 'vitest';
import { browserName } from './browser-name.ts';

const MAC = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)';
const WEBKIT = 'AppleWebKit/605.1.15 (KHTML, like Gecko)';

test.each([
  [`${MAC} ${WEBKIT} Version/26.1 Safari/605.1.15`, 'Safari on macOS'],
  [`${MAC} ${WEBKIT} Chrome/142.0.0.0 Safari/537.36`, 'Chrome on macOS'],
  [`${MAC} ${WEBKIT} Chrome/142.0.0.0 Safari/537.36 Edg/142.0.0.0`, 'Edge on macOS'],
  ['Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0', 'Firefox on Linux'],
  ['Mozilla/5.0 (Linux; Android 16) AppleWebKit Chrome/142.0 Safari/537', 'Chrome on Android'],
  ['curl/8.14.1', 'curl/8.14.1'],
  ['', 'Unknown'],
])('%s', (userAgent, name) => expect(browserName(userAgent)).toBe(name));
