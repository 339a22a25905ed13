import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startModelTraffic, type ModelTraffic } from '../support/capture-world/model-traffic.ts';
import { curlHttp1, openAiStream } from '../support/capture-world/clients.ts';
import { OTHER_VERSION } from '../support/capture-world/files.ts';
import { type Polling, startPolling } from '../support/capture-world/polling.ts';
import {
  type CaptureWorld,
  type ProgramResult,
  startCaptureWorld,
} from '../support/capture-world/world.ts';
import type { Program } from '../support/processes.ts';
import { createDiskFiller } from '../support/small-disk.ts';

const tags = ['networks', 'nft', 'curl', 'python3'];

/** The rules of a killed agent would last at least this long if the kernel kept them. */
const RULES_LAST_MS = 10_000;
/** Shorter than any timeout for an upstream that does not respond. */
const HANGS_MS = 14_000;

describe('capture during failures', { tags }, () => {
  let world: CaptureWorld;
  let traffic: ModelTraffic;
  let agent: Program;
  let polling: Polling;
  /** The results without capture, in the order of `clients`. */
  let results: ProgramResult[];

  beforeAll(async () => {
    world = await startCaptureWorld();
    agent = await world.startAgent();
    traffic = startModelTraffic(world);
    results = await traffic.runAllClients('public');
    await traffic.enableCapture();
  });
  beforeEach(async () => {
    polling = await startPolling(world);
  });
  afterEach(() => polling.stop());
  afterAll(() => world?.[Symbol.asyncDispose]());

  const startAgain = async (name: string, options = {}): Promise<void> => {
    agent = await world.startAgent(options);
    await traffic.waitUntilRedirected();
    await traffic.expectCaptured(curlHttp1, name);
  };

  test('after the agent is killed traffic continues, and after a restart it is captured again', async () => {
    const stream = await traffic.startPausedStream(openAiStream, 'hold the line', 'managed');
    const since = Date.now();
    agent.child.kill('SIGKILL');
    await traffic.waitUntilNotRedirected();
    await polling.waitForRequests();
    expect(await traffic.runAllClients('public')).toEqual(results);
    // The open connection is closed; the next one succeeds.
    expect((await stream.ended).code).not.toBe(0);
    for (const { startedAt } of polling.failures())
      expect(startedAt - since).toBeLessThan(RULES_LAST_MS);
    expect(polling.slowerThan(HANGS_MS)).toEqual([]);
    await startAgain('curl after a restart');
  });

  test('a stopped agent finishes open connections, and new ones work', async () => {
    expect(await agent.stop('SIGTERM')).toBe(0);
    expect(await traffic.runAllClients('public')).toEqual(results);
    await polling.waitForRequests();
    expect(polling.failures()).toEqual([]);
    expect(polling.slowerThan(HANGS_MS)).toEqual([]);
    await traffic.waitUntilNotRedirected();
    await startAgain('curl after a stop');
    expect(polling.failures()).toEqual([]);
  });

  test('another version takes over the state folder without interruption', async () => {
    const before = await traffic.device();
    await agent.stop('SIGTERM');
    await startAgain('curl after an update', { otherVersion: true });
    expect(await traffic.runAllClients('managed')).toEqual(results);
    expect(await traffic.device()).toMatchObject({ id: before.id, agent_version: OTHER_VERSION });
    expect(polling.failures()).toEqual([]);
    expect(polling.slowerThan(HANGS_MS)).toEqual([]);
  });

  test('with a full disk clients work and the admin sees a problem; with space, capture resumes', async () => {
    const disk = createDiskFiller(agent, world.state.onDevice);
    disk.fillExcept(0);
    expect(await traffic.runAllClients('managed')).toEqual(results);
    await traffic.waitUntilReported('ENOSPC');
    await polling.waitForRequests();
    expect(polling.failures()).toEqual([]);
    expect(polling.slowerThan(HANGS_MS)).toEqual([]);
    disk.empty();
    await traffic.expectCaptured(curlHttp1, 'curl with room');
  });

  test('after it is killed with a full disk, the agent does not start and reports why, and traffic continues', async () => {
    const { id } = await traffic.device();
    const disk = createDiskFiller(agent, world.state.onDevice);
    const since = Date.now();
    disk.fillExcept(0);
    agent.child.kill('SIGKILL');
    await expect(world.startAgent()).rejects.toThrow('cannot be used: ENOSPC');
    await traffic.waitUntilNotRedirected();
    expect(await traffic.runAllClients('public')).toEqual(results);
    for (const { startedAt } of polling.failures())
      expect(startedAt - since).toBeLessThan(RULES_LAST_MS);
    expect(polling.slowerThan(HANGS_MS)).toEqual([]);
    rmSync(join(world.state.folder, 'filler'));
    await startAgain('curl with room again');
    expect(await traffic.device()).toMatchObject({ id });
  });
});
