import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { freePort } from '../support/free-port.ts';
import { run } from '../support/processes.ts';

describe('a control plane that cannot start says why in one line', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'gatehouse-startup-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const ending = async (env: Record<string, string>) => {
    const program = run('control-plane/main.ts', {
      HOST: '127.0.0.1',
      PORT: '0',
      DEVICE_PORT: '0',
      DATA_DIR: folder,
      LOG_LEVEL: 'silent',
      ...env,
    });
    const code = await new Promise((resolve) => program.child.once('close', resolve));
    return { code, output: program.output() };
  };

  test('a bad setting', async () => {
    expect(await ending({ PORT: 'http' })).toEqual({
      code: 1,
      output: expect.stringMatching(/^control plane: PORT: [^\n]+\n$/) as string,
    });
  });

  test('a port that is taken', async () => {
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const { port } = other.address() as AddressInfo;
    const { code, output } = await ending({ PORT: String(port) });
    other.close();
    expect([code, output]).toEqual([
      1,
      `control plane: port ${port} is taken: stop what listens there, or set PORT\n`,
    ]);
  });

  test('a data folder that is a file', async () => {
    const file = join(folder, 'file');
    writeFileSync(file, '');
    const { code, output } = await ending({ DATA_DIR: join(file, 'data') });
    expect([code, output]).toEqual([
      1,
      expect.stringMatching(/^control plane: DATA_DIR \S+ cannot be used: [^\n]+\n$/),
    ]);
  });

  test('a database file that is none', async () => {
    mkdirSync(folder, { recursive: true });
    writeFileSync(
      join(folder, 'gatehouse.db'),
      'this is not a database, but long enough to be read as one'.repeat(50),
    );
    const { code, output } = await ending({});
    expect([code, output]).toEqual([
      1,
      expect.stringMatching(
        /^control plane: the database in DATA_DIR \S+ cannot be opened: [^\n]+\n$/,
      ),
    ]);
  });

  test('a PostgreSQL that does not answer', async () => {
    const { code, output } = await ending({
      DATABASE_URL: `postgres://x@127.0.0.1:${await freePort()}/x`,
    });
    expect([code, output]).toEqual([
      1,
      expect.stringMatching(
        /^control plane: DATABASE_URL: PostgreSQL cannot be reached: [^\n]+\n$/,
      ),
    ]);
  });

  test('another secret key than the one that the data was made with', async () => {
    const first = run('control-plane/main.ts', {
      HOST: '127.0.0.1',
      PORT: '0',
      DEVICE_PORT: '0',
      DATA_DIR: folder,
    });
    await first.said('Keep these');
    expect(await first.end('SIGINT')).toBe(0);
    const { code, output } = await ending({
      SECRET_KEY: 'another key of at least thirty-two chars',
    });
    expect([code, output]).toEqual([
      1,
      'control plane: SECRET_KEY is not the one that this database was made with\n',
    ]);
  });
});
