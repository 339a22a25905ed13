import { expect, test } from 'vitest';
import { type Options, readSettings, type Settings } from './config.ts';

const set = { SVC_API_KEY: 'svc_sk_1', SVC_API_URL: 'https://control.example' };

test.each<[string, Options, Record<string, string>, Partial<Settings>]>([
  [
    'the environment',
    {},
    set,
    {
      enabled: true,
      apiKey: 'svc_sk_1',
      baseUrl: 'https://control.example',
      captureContent: false,
      error: undefined,
    },
  ],
  [
    'options before the environment',
    { apiKey: 'other', baseUrl: 'http://localhost:1///' },
    set,
    { apiKey: 'other', baseUrl: 'http://localhost:1' },
  ],
  [
    'blanks around secrets',
    {},
    { ...set, SVC_API_KEY: ' svc_sk_1\n' },
    { apiKey: 'svc_sk_1', enabled: true },
  ],
  [
    'off by environment',
    { enabled: true },
    { ...set, SVC_OBSERVE: 'False' },
    { enabled: false, error: undefined },
  ],
  ['off by option', { enabled: false }, set, { enabled: false, error: undefined }],
  ['off, and nothing else set', {}, { SVC_OBSERVE: '0' }, { enabled: false, error: undefined }],
  ['anything else is on', {}, { ...set, SVC_OBSERVE: 'yes' }, { enabled: true }],
  [
    'content and debug by environment',
    {},
    { ...set, SVC_CAPTURE_CONTENT: 'true', SVC_DEBUG: '1' },
    { captureContent: true, debug: true },
  ],
  [
    'content off by option',
    { captureContent: false },
    { ...set, SVC_CAPTURE_CONTENT: 'true' },
    { captureContent: false },
  ],
  [
    'no key',
    {},
    { SVC_API_URL: 'https://x' },
    { enabled: false, error: expect.stringContaining('SVC_API_KEY') as string },
  ],
  [
    'no address',
    {},
    { SVC_API_KEY: 'k' },
    { enabled: false, error: expect.stringContaining('SVC_API_URL') as string },
  ],
  [
    'an invalid URL',
    { baseUrl: 'control.example' },
    set,
    { enabled: false, error: expect.stringContaining('"control.example"') as string },
  ],
  [
    'numbers out of range',
    { maxQueue: 0, timeoutMs: -1, flushIntervalMs: Number.NaN },
    set,
    { maxQueue: 1, timeoutMs: 1, flushIntervalMs: 1000 },
  ],
])('%s', (_name, options, env, expected) => {
  expect(readSettings(options, env)).toMatchObject(expected);
});

test('an invalid key is rejected, and the message does not contain it', () => {
  const { error } = readSettings({ apiKey: 'svc_sk_ä' }, set);
  expect(error).toContain('API key');
  expect(error).not.toContain('svc_sk');
});
