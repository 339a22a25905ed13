import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readManagedConfig } from './managed-config.ts';

const good = { api_url: 'https://gatehouse.example', api_key: 'svc_sk_verysecret' };
const off = { capture_enabled: false, intercept_hosts: [], intercept_processes: [] };
const full = {
  ...good,
  capture_enabled: true,
  intercept_hosts: ['claude.ai'],
  intercept_processes: ['claude'],
};

describe('readManagedConfig', () => {
  test('reads all known keys, and no others', () => {
    const raw = { ...full, PayloadUUID: 'x', PayloadVersion: 1, future_key: true };
    expect(readManagedConfig(raw)).toEqual({ config: full, problems: [] });
  });

  test('capture is off by default', () => {
    expect(readManagedConfig(good)).toEqual({ config: { ...good, ...off }, problems: [] });
  });

  test('capture is off without hosts', () => {
    expect(readManagedConfig({ ...good, capture_enabled: true })).toEqual({
      config: { ...good, ...off },
      problems: [],
    });
  });

  test.each([
    [null, 'managed configuration: expected a dictionary, found nothing'],
    ['x', 'managed configuration: expected a dictionary, found a string'],
    [
      [full],
      'managed configuration: expected a dictionary, found a dictionary at position 0 of the array',
    ],
    [Buffer.from('x'), 'managed configuration: expected a dictionary, found data'],
    [{ ...full, api_url: undefined }, 'api_url: expected an https URL, found nothing'],
    [{ ...full, api_url: 'gatehouse' }, 'api_url: expected an https URL, found another string'],
    ...['http', 'ftp'].map((scheme): [unknown, string] => [
      { ...full, api_url: `${scheme}://x.example` },
      'api_url: expected an https URL, found another string',
    ]),
    [
      { ...full, api_key: '' },
      'api_key: expected a string that is not empty, found an empty string',
    ],
    [{ ...full, api_key: 5 }, 'api_key: expected a string that is not empty, found a number'],
    [
      {},
      'api_url: expected an https URL, found nothing; ' +
        'api_key: expected a string that is not empty, found nothing',
    ],
  ])('%j is not a managed configuration', (raw, error) => {
    expect(readManagedConfig(raw)).toEqual({ error });
  });

  test.each([
    ['capture_enabled', 1, 'capture_enabled: expected a boolean, found a number'],
    ['capture_enabled', 'true', 'capture_enabled: expected a boolean, found a string'],
    [
      'intercept_hosts',
      'claude.ai',
      'intercept_hosts: expected an array of strings, found a string',
    ],
    [
      'intercept_hosts',
      ['claude.ai', 7],
      'intercept_hosts: expected an array of strings, found a number at position 1 of the array',
    ],
    [
      'intercept_processes',
      {},
      'intercept_processes: expected an array of strings, found a dictionary',
    ],
    [
      'intercept_processes',
      new Date(0),
      'intercept_processes: expected an array of strings, found a date',
    ],
  ])('capture is off and a line explains why when %s is %j', (key, value, problem) => {
    expect(readManagedConfig({ ...full, [key]: value })).toEqual({
      config: { ...good, ...off },
      problems: [problem],
    });
  });

  test('never throws, and never reveals a value', () => {
    const secret = 'svc_sk_verysecret';
    const value = fc.oneof(fc.constant(secret), fc.constant([secret, 1]), fc.anything());
    const keys = Object.fromEntries(Object.keys(full).map((key) => [key, value]));
    fc.assert(
      fc.property(fc.record(keys, { requiredKeys: [] }), (raw) => {
        const reading = readManagedConfig(raw);
        const lines = 'error' in reading ? [reading.error] : reading.problems;
        expect(lines.join('\n')).not.toContain(secret);
      }),
    );
  });
});
