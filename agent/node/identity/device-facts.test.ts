import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { findHardwareId } from './device-facts.ts';

const system = (id: string | null) => ({ readHardwareId: async () => id });

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'hardware-'));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

test("the given id takes precedence over the system's, and that over a random one", async () => {
  expect(await findHardwareId(dir, 'given-id', system('system-id'))).toBe('given-id');
  expect(await findHardwareId(dir, null, system('system-id'))).toBe('system-id');
});

test('a random id is stored, and generated again only if the stored text is not an id', async () => {
  const id = await findHardwareId(dir, null, system(null));
  expect(id).toMatch(/^[0-9a-f-]{36}$/);
  expect(await findHardwareId(dir, null, system(null))).toBe(id);
  writeFileSync(join(dir, 'hardware-id'), 'torn');
  const fresh = await findHardwareId(dir, null, system(null));
  expect(fresh).toMatch(/^[0-9a-f-]{36}$/);
  expect(await findHardwareId(dir, null, system(null))).toBe(fresh);
});
