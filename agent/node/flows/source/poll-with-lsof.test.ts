import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { pollWithLsof } from './poll-with-lsof.ts';
import type { SocketVisitor } from './flow-source.ts';
import { createServerPorts } from './server-ports.ts';

const visitor = { update: () => true, add: () => undefined };
const NEVER_ENDS = '#!/bin/sh\nexec /bin/sleep 1000\n';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'lsof-'));
  vi.stubEnv('PATH', folder);
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true });
});

test('an lsof that does not end is killed, and the poll is incomplete', async () => {
  writeFileSync(join(folder, 'lsof'), NEVER_ENDS, { mode: 0o755 });
  expect(await pollWithLsof(visitor, createServerPorts(), { lsof: 1, ps: 1 })).toEqual({
    complete: false,
    error: 'network flows are not observed: lsof cannot be run',
  });
});

test('a ps that does not end is killed, and the socket is recorded without its path', async () => {
  const fields = 'p501\ncclaude\nLada\nf23\nd0x3f2a\nPTCP\nn10.0.0.5:50123->104.18.32.47:443\n';
  const output = `${fields}TST=ESTABLISHED\n`;
  writeFileSync(join(folder, 'lsof'), `#!/bin/sh\nprintf '%s' '${output}'\n`, { mode: 0o755 });
  writeFileSync(join(folder, 'ps'), NEVER_ENDS, { mode: 0o755 });
  const add = vi.fn<SocketVisitor['add']>();
  const noneKnown = { update: () => false, add };
  const timeouts = { lsof: 600_000, ps: 1 };
  expect(await pollWithLsof(noneKnown, createServerPorts(), timeouts)).toEqual({ complete: true });
  expect(add.mock.calls).toMatchObject([[{ owner: { pid: 501, path: null } }, {}]]);
});
