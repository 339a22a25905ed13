import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { WebSocket } from 'ws';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { createClient } from '#contract/client.ts';
import { contract } from '#contract/index.ts';
import { LIVE_PATH } from '#contract/live.ts';
import { API_KEY, OWNER, settingsOn } from '../support/control-plane.ts';
import { databases, newDatabase, type TestDatabase } from '../support/databases.ts';
import { freePort, built, pollUntil, type Program, startProgram } from '../support/processes.ts';
import { type KeepAliveConnection, openConnection } from '../support/keep-alive-connection.ts';

const CLIENTS = 16;
const start = JSON.stringify({ agent_name: 'busy', workflow_name: 'w' });

interface Outcome {
  answers: number;
  /** The `Connection` header of the last response. */
  connection: string | undefined;
  /** The error of the first request without a response. */
  failure: string | undefined;
  wasNew: boolean;
}

describe.each(databases)('stopping on %s', (kind) => {
  let database: TestDatabase;
  let urls: { main: string; device: string };
  let env: Record<string, string>;
  let program: Program;

  beforeAll(async () => {
    database = await newDatabase(kind);
    const [port, devicePort] = [await freePort(), await freePort()];
    urls = { main: `http://127.0.0.1:${port}`, device: `https://127.0.0.1:${devicePort}` };
    env = {
      ...settingsOn(database),
      PORT: String(port),
      DEVICE_PORT: String(devicePort),
      DRAIN_SECONDS: '8',
    };
  });
  afterEach(async () => void (await program.stop('SIGKILL')));
  afterAll(() => database.remove());

  const started = async (more: Record<string, string> = {}): Promise<void> => {
    program = startProgram(built.controlPlane, { ...env, ...more });
    await program.waitForOutput('devices ');
  };
  /** Sends a single signal; returns the exit code. */
  const stop = async (): Promise<number | null> => {
    const exited = once(program.child, 'exit');
    program.child.kill('SIGTERM');
    await exited;
    return program.child.exitCode;
  };
  const client = (headers: Record<string, string>) =>
    createClient(contract, { baseUrl: urls.main, headers: () => headers });
  const countRuns = async (): Promise<number> => {
    const { token } = await client({}).identity.login({ body: OWNER });
    const { count } = await client({ Authorization: `Bearer ${token}` }).runs.listRuns({
      query: { limit: 1 },
    });
    return count;
  };
  /** Sends a request with an incomplete body; returns a function that sends the rest. */
  const half = async (): Promise<{ connection: KeepAliveConnection; finish: () => void }> => {
    const connection = await openConnection(urls.main);
    connection.write(
      [
        'POST /api/v1/observe/runs/start/ HTTP/1.1',
        'Host: localhost',
        `X-Svc-Key: ${API_KEY}`,
        `Content-Length: ${start.length}`,
        'Expect: 100-continue',
        '',
        '',
      ].join('\r\n'),
    );
    // The response proves that the request is in progress.
    expect(await connection.nextResponse()).toMatchObject({ status: 100 });
    connection.write(start.slice(0, 10));
    return { connection, finish: () => connection.write(start.slice(10)) };
  };

  test('no request on an open connection is lost under load', async () => {
    await started();
    const before = await countRuns();
    const outcomes: Outcome[] = Array.from({ length: CLIENTS }, () => ({
      answers: 0,
      connection: undefined,
      failure: undefined,
      wasNew: false,
    }));
    const running = outcomes.map((outcome) => recordUntilRefused(urls.main, outcome));
    await pollUntil(
      () => outcomes,
      (all) => all.every(({ answers }) => answers >= 20),
    );
    const stopped = stop();
    await Promise.all(running);
    expect(await stopped).toBe(0);

    for (const outcome of outcomes)
      expect(outcome).toMatchObject({ connection: 'close', failure: 'ECONNREFUSED', wasNew: true });
    expect(program.output()).not.toMatch(/destroyed|after calling end|not open/);
    await started();
    const completedRuns = outcomes.reduce((sum, { answers }) => sum + answers, 0);
    expect((await countRuns()) - before).toBe(completedRuns);
  });

  test('open requests finish, new ones are answered, and the log is complete', async () => {
    await started({ DRAIN_SECONDS: '60' });
    const { token } = await client({}).identity.login({ body: OWNER });
    const live = new WebSocket(urls.main.replace('http', 'ws') + LIVE_PATH, {
      headers: { Authorization: `Bearer ${token}` },
    });
    const ended = new Promise<number>((resolve) => live.once('close', resolve));
    await new Promise((resolve) => live.once('open', resolve));
    const idle = await Promise.all([urls.main, urls.device].map(openConnection));
    for (const connection of idle) await connection.request('/');
    const probes = await openConnection(urls.main);
    expect(await probes.request('/readyz/')).toMatchObject({ status: 200 });
    const { connection, finish } = await half();

    const stopped = stop();
    expect(await ended).toBe(1001);
    const draining = await probes.request('/readyz/');
    expect(draining).toMatchObject({ status: 503, headers: { connection: 'close' } });
    expect(draining.body).toContain('draining');
    await expect(openConnection(urls.main)).rejects.toThrow('ECONNREFUSED');
    await expect(openConnection(urls.device)).rejects.toThrow('ECONNREFUSED');
    for (const one of idle)
      expect(await one.request('/')).toMatchObject({ headers: { connection: 'close' } });
    finish();
    expect(await connection.nextResponse()).toMatchObject({
      status: 201,
      headers: { connection: 'close' },
    });
    expect(await stopped).toBe(0);
  });

  test('the process waits for requests no longer than DRAIN_SECONDS', async () => {
    await started({ DRAIN_SECONDS: '1' });
    const { connection } = await half();
    const stopped = stop();
    await connection.closed;
    expect(await stopped).toBe(0);
  });

  test('a second signal ends the process at once', async () => {
    await started();
    const probes = await openConnection(urls.main);
    await half();
    void stop();
    await pollUntil(
      () =>
        openConnection(urls.main).then(
          () => false,
          () => true,
        ),
      (refused) => refused,
    );
    await probes.request('/readyz/');
    const exited = pollUntil(
      () => {
        program.child.kill('SIGTERM');
        return program.child.exitCode;
      },
      (code) => code !== null,
    );
    expect(await exited).toBe(1);
  });
});

/**
 * Starts runs one after another on a persistent connection, and on a new one if the server closes
 * it.
 */
async function recordUntilRefused(url: string, outcome: Outcome): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  while (outcome.failure === undefined)
    await new Promise<void>((resolve) => {
      const sent = request(`${url}/api/v1/observe/runs/start/`, {
        agent,
        method: 'POST',
        headers: { 'X-Svc-Key': API_KEY, 'Content-Length': start.length },
      });
      sent.on('response', (response) => {
        response.resume();
        response.on('end', () => {
          if (response.statusCode === 201) outcome.answers += 1;
          else outcome.failure = `status ${response.statusCode}`;
          outcome.connection = response.headers.connection;
          // Gives the agent time to take the connection back.
          setImmediate(resolve);
        });
        response.on('error', (error) => fail(error));
      });
      const fail = (error: Error & { code?: string }): void => {
        outcome.failure = error.code ?? error.message;
        outcome.wasNew = !sent.reusedSocket;
        resolve();
      };
      sent.on('error', fail);
      sent.end(start);
    });
  agent.destroy();
}
