import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { commandScript } from './deb.ts';
import { linuxNames } from './names.ts';

let programs: string;
beforeEach(() => {
  programs = mkdtempSync(join(tmpdir(), 'command-'));
  writeFileSync(join(programs, 'node'), '#!/bin/sh\nenv\n', { mode: 0o755 });
});
afterEach(() => rmSync(programs, { recursive: true }));

/** Returns the variables that the command sets for the agent. */
function settings(env: Record<string, string>): string[] {
  const script = commandScript({ ...linuxNames('Lookout', 'com.example.lookout'), programs });
  const output = execFileSync('sh', ['-c', script], {
    env: { PATH: process.env.PATH, ...env },
    encoding: 'utf8',
  });
  return output.split('\n').filter((line) => /^(AGENT|APP|MANAGED)_/.test(line));
}

test('the agent reads the roots of the settings folder also if they come after its start', () => {
  expect(settings({}).toSorted()).toEqual([
    'AGENT_TRUSTED_ROOTS=-/etc/lookout/roots.pem',
    'APP_BUNDLE_ID=com.example.lookout',
    'MANAGED_PREFERENCES=/etc/lookout/managed.plist',
  ]);
});

test('variables that are set take precedence', () => {
  expect(settings({ AGENT_TRUSTED_ROOTS: '/srv/ca.pem' })).toContain(
    'AGENT_TRUSTED_ROOTS=/srv/ca.pem',
  );
});
