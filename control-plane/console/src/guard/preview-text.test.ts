import { expect, test } from 'vitest';
import { devicesText, settingText } from './preview-text.ts';

const of = (device_count: number, changed_count: number) => ({
  device_count,
  changed_count,
  changed_devices: [],
  hosts: [],
  settings: [],
});

test.each([
  [of(3, 3), 'Changes 3 devices.'],
  [of(1, 1), 'Changes 1 device.'],
  [of(3, 0), 'Changes nothing on the 3 devices in this scope.'],
  [of(0, 0), 'No device is in this scope yet.'],
])('%j: %s', (preview, text) => expect(devicesText(preview, 'global')).toBe(text));

test('a change that some devices already have affects only the others', () =>
  expect(devicesText(of(36, 35), 'global')).toMatch(/^Changes 35 of 36 devices; /));

test('the scope of a revoked device has no device', () =>
  expect(devicesText(of(0, 0), 'device')).toBe('Changes nothing until the device is restored.'));

test('layers of apps change no devices', () =>
  expect(devicesText(of(0, 0), 'agent')).toMatch(/^Changes no device/));

test.each([
  [{ field: 'capture_enabled', before: false, after: true } as const, 'Capture: off → on'],
  [
    { field: 'blocked_hosts', before: [], after: ['a.example', 'b.example'] } as const,
    'Blocked hosts: none → a.example, b.example',
  ],
  [
    { field: 'coding_agents', before: 'off', after: 'prompts' } as const,
    'Coding agents: off → prompts',
  ],
])('%j: %s', ({ field, before, after }, text) => {
  const copy = (value: boolean | string | readonly string[]) =>
    typeof value === 'object' ? [...value] : value;
  expect(settingText({ field, before: copy(before), after: copy(after) })).toBe(text);
});
