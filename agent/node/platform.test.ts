import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, test } from 'vitest';
import { parsePlatformUuid, platform } from './platform.ts';

test('the platform UUID is found among other properties of ioreg', () => {
  const text = `+-o Mac15,6  <class IOPlatformExpertDevice, id 0x10000025a, registered>
    {
      "manufacturer" = <"Apple Inc.">
      "IOPlatformUUID" = "5A1D0B3C-7C1F-5F0E-9D5B-0123456789AB"
      "IOPlatformSerialNumber" = "C02XXXXXXXXX"
    }`;
  expect(parsePlatformUuid(text)).toBe('5A1D0B3C-7C1F-5F0E-9D5B-0123456789AB');
  expect(parsePlatformUuid('')).toBeNull();
});

describe('on this machine', () => {
  test('the hardware id is stable and long enough to enroll with, if there is one', async () => {
    const id = await platform.readHardwareId();
    expect(await platform.readHardwareId()).toBe(id);
    expect(id ?? 'x'.repeat(36)).toMatch(/^[\w-]{36,64}$/);
  });

  test('the version of the system is one line', async () => {
    expect(await platform.readOsVersion()).toMatch(/^[^\n]{1,100}$/);
  });

  test('a process has one start time, another process a different one, and an ended one has none', async () => {
    const child = spawn('/bin/sleep', ['60']);
    await once(child, 'spawn');
    const start = await platform.readProcessStart(child.pid ?? 0);
    expect(start).toBe(await platform.readProcessStart(child.pid ?? 0));
    expect(start).not.toBeNull();
    expect(start).not.toBe(await platform.readProcessStart(process.pid));
    child.kill('SIGKILL');
    await once(child, 'exit');
    expect(await platform.readProcessStart(child.pid ?? 0)).toBeNull();
  });
});
