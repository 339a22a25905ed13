import { expect, test } from 'vitest';
import { acceptsEncoding } from './accepted-encodings.ts';

const accepts = (header: string | undefined) =>
  acceptsEncoding({ headers: { 'accept-encoding': header } }, 'gzip');

test.each(['gzip', 'br, gzip', 'GZIP;q=0.5', 'deflate , gzip ; q=1'])(
  '"%s" accepts gzip',
  (header) => {
    expect(accepts(header)).toBe(true);
  },
);

test.each([undefined, '', 'identity', 'br', 'gzip;q=0', 'gzip; q=0.00', 'xgzip'])(
  '"%s" does not accept gzip',
  (header) => {
    expect(accepts(header)).toBe(false);
  },
);
