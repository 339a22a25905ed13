import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, inject, test } from 'vitest';
import { freePort, built, type Program, startProgram } from '../support/processes.ts';
import { databaseOf } from '../support/postgres.ts';

let folder: string;
let programs: Program[];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'gatehouse-startup-'));
  programs = [];
});
afterEach(async () => {
  await Promise.all(programs.map((program) => program.stop('SIGKILL')));
  rmSync(folder, { recursive: true, force: true });
});

function start(env: Record<string, string> = {}): Program {
  const local = { HOST: '127.0.0.1', PORT: '0', DEVICE_PORT: '0', DATA_DIR: folder };
  const program = startProgram(built.controlPlane, { ...local, ...env });
  programs.push(program);
  return program;
}

/** Starts a TCP server on a free port that closes every connection at once. */
async function blackHole() {
  const server = createServer((socket) => socket.end());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { port, [Symbol.dispose]: () => void server.close() };
}

test('a control plane without an Apple team starts, and logs that there is no profile', async () => {
  const program = start();
  await program.waitForOutput('APPLE_TEAM_ID is not set: mdm-profile/ answers 409');
  await program.waitForOutput('devices ');
  expect(await program.stop('SIGINT')).toBe(0);
});

describe('a control plane that cannot start prints the reason in one line', () => {
  const ending = async (env: Record<string, string> = {}) => {
    const program = start(env);
    const code = await new Promise((resolve) => program.child.once('close', resolve));
    return { code, output: program.output() };
  };
  /** Matches a single line that begins with this text and contains the reason. */
  const line = (beginning: string, reason: string) => {
    const [begins, message] = [beginning, reason].map((part) => RegExp.escape(part));
    const output = expect.stringMatching(
      new RegExp(`^control plane: ${begins}[^\n]*${message}[^\n]*\n$`),
    );
    return { code: 1, output: output as string };
  };

  test.each([
    [{ PORT: 'abc' }, 'PORT: ', 'found "abc"'],
    [{ DATABASE_URL: 'mysql://x' }, 'DATABASE_URL: ', 'postgres://'],
    [{ HOST: 'nosuch.invalid' }, 'HOST=nosuch.invalid, PORT=0: ', 'nosuch.invalid'],
    [{ HOST: '192.0.2.1' }, 'HOST=192.0.2.1, PORT=0: ', 'EADDRNOTAVAIL'],
    [{ DATA_DIR: '/sys/none/data' }, 'DATA_DIR=/sys/none/data: ', 'mkdir'],
  ])('%j', async (env, beginning, reason) => {
    expect(await ending(env)).toEqual(line(beginning, reason));
  });

  test.each(['PORT', 'DEVICE_PORT'])('a %s that is in use', async (name) => {
    using other = await blackHole();
    const given = String(other.port);
    expect(await ending({ [name]: given })).toEqual(
      line(`HOST=127.0.0.1, ${name}=${given}: `, 'address already in use'),
    );
  });

  test('a data folder that is a file', async () => {
    const file = join(folder, 'file');
    writeFileSync(file, '');
    expect(await ending({ DATA_DIR: file })).toEqual(line(`DATA_DIR=${file}: `, 'EEXIST'));
  });

  test('a database file that is not a database', async () => {
    writeFileSync(join(folder, 'gatehouse.db'), 'long enough to be read as a database'.repeat(99));
    expect(await ending()).toEqual(
      line(`DATA_DIR=${folder}: opening gatehouse.db`, 'file is not a database'),
    );
  });

  test('a lost secret key, before any data is encrypted with a new one', async () => {
    writeFileSync(join(folder, 'secret.key'), '');
    expect(await ending()).toEqual(line(`DATA_DIR=${folder}: `, join(folder, 'secret.key')));
    expect(existsSync(join(folder, 'gatehouse.db'))).toBe(false);
  });

  test.each([
    ['port', async () => `postgres://x@127.0.0.1:${await freePort()}/x`, 'ECONNREFUSED'],
    ['host', () => 'postgres://x@nosuch.invalid/x', 'nosuch.invalid'],
    ['role', () => inject('postgresUrl').replace('postgres@', 'nobody@'), 'role "nobody" does not'],
    ['database', () => databaseOf(inject('postgresUrl'), 'none'), 'database "none" does not'],
  ])('a PostgreSQL %s that is invalid', async (_, url, reason) => {
    expect(await ending({ DATABASE_URL: await url() })).toEqual(line('DATABASE_URL: ', reason));
  });

  test('a PostgreSQL server that closes every connection', async () => {
    using other = await blackHole();
    expect(await ending({ DATABASE_URL: `postgres://x@127.0.0.1:${other.port}/x` })).toEqual(
      line('DATABASE_URL: ', 'terminated'),
    );
  });

  test('a folder that another control plane uses, until its process has ended in any way', async () => {
    const first = start();
    await first.waitForOutput('Save these');
    expect(await ending()).toEqual(line(`DATA_DIR=${folder}: `, 'another control plane'));
    expect(await first.stop('SIGKILL')).toBe('SIGKILL');
    const next = start();
    await next.waitForOutput(/http:/);
    expect(await next.stop('SIGINT')).toBe(0);
  });

  test('a database whose secret.key is missing, without creating a new one', async () => {
    const first = start();
    await first.waitForOutput('Save these');
    expect(await first.stop('SIGINT')).toBe(0);
    const file = join(folder, 'secret.key');
    const key = readFileSync(file);
    rmSync(file);
    const message = 'there is a database but no secret.key: restore that file from the backup';
    expect(await ending()).toEqual(line(`DATA_DIR=${folder}: `, message));
    expect(existsSync(file)).toBe(false);
    writeFileSync(file, key);
    await start().waitForOutput(/http:/);
  });

  test('another secret key than the one of the existing data', async () => {
    const first = start();
    await first.waitForOutput('Save these');
    expect(await first.stop('SIGINT')).toBe(0);
    expect(await ending({ SECRET_KEY: 'another key of at least thirty-two chars' })).toEqual(
      line('SECRET_KEY: ', 'not the key that this database was created with'),
    );
  });
});

test('only the owner can read the data folder, even if it was copied with wider permissions', async () => {
  chmodSync(folder, 0o755);
  // A file may be deleted during the check.
  const modeOf = (name: string): number =>
    statSync(join(folder, name), { throwIfNoEntry: false })?.mode ?? 0;
  const open = () => readdirSync(folder).filter((name) => (modeOf(name) & 0o077) !== 0);
  const first = start();
  await first.waitForOutput('Save these');
  expect(readdirSync(folder)).toContain('gatehouse.db-wal');
  expect(open()).toEqual([]);
  await first.stop('SIGKILL');
  for (const name of readdirSync(folder))
    if (name.startsWith('gatehouse.db')) chmodSync(join(folder, name), 0o644);
  const next = start();
  await next.waitForOutput(/http:/);
  expect(open()).toEqual([]);
  await next.stop();
});
