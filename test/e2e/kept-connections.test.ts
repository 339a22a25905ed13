import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { settingsOn } from '../support/control-plane.ts';
import { newDatabase, type TestDatabase } from '../support/databases.ts';
import { freePort, built, type Program, startProgram } from '../support/processes.ts';
import { openConnection } from '../support/keep-alive-connection.ts';

const listeners = ['main', 'device'] as const;

describe('idle connections', () => {
  let database: TestDatabase;
  let urls: Record<(typeof listeners)[number], string>;
  let program: Program;
  beforeAll(async () => {
    database = await newDatabase('sqlite');
    const [port, devicePort] = [await freePort(), await freePort()];
    urls = { main: `http://127.0.0.1:${port}`, device: `https://127.0.0.1:${devicePort}` };
  });
  afterEach(async () => void (await program.stop('SIGKILL')));
  afterAll(() => database.remove());

  const started = async (more: Record<string, string> = {}): Promise<void> => {
    program = startProgram(built.controlPlane, {
      ...settingsOn(database),
      PORT: new URL(urls.main).port,
      DEVICE_PORT: new URL(urls.device).port,
      ...more,
    });
    await program.waitForOutput('devices ');
  };

  test('are kept longer than load balancers keep them', async () => {
    await started();
    for (const listener of listeners) {
      const connection = await openConnection(urls[listener]);
      expect(await connection.request('/healthz/')).toMatchObject({
        headers: { 'keep-alive': 'timeout=620' },
      });
      connection.socket.destroy();
    }
  });

  test('are kept if the process was suspended while a request arrived', async () => {
    await started({ KEEP_ALIVE_SECONDS: '4' });
    const connections = await Promise.all(listeners.map((name) => openConnection(urls[name])));
    await Promise.all(connections.map((connection) => connection.request('/healthz/')));
    program.child.kill('SIGSTOP');
    const answers = connections.map((connection) => connection.request('/healthz/'));
    // Longer than the idle timeout including the second that Node adds. No event marks this.
    await new Promise((resolve) => setTimeout(resolve, 6000));
    program.child.kill('SIGCONT');
    for (const answer of await Promise.all(answers)) expect(answer.body).not.toBe('');
    // Once they are idle again, the connections are closed.
    await Promise.all(connections.map(({ closed }) => closed));
  });

  test('are limited by MAX_CONNECTIONS', async () => {
    await started({ MAX_CONNECTIONS: '10', LOG_LEVEL: 'warn' });
    const connections = await Promise.all(
      Array.from({ length: 10 }, () => openConnection(urls.main)),
    );
    for (const connection of connections) await connection.request('/healthz/');
    const one = await openConnection(urls.main);
    await one.closed;
    await program.waitForOutput('connections are refused: 10 are open already (MAX_CONNECTIONS)');
    connections[0]?.socket.destroy();
    await connections[0]?.closed;
    expect(await connections[1]?.request('/healthz/')).toMatchObject({ status: 200 });
  });
});
