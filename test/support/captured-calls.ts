import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest';
import { startTestControlPlane, type TestControlPlane } from './control-plane.ts';
import type { databases } from './databases.ts';
import type { captureOf } from './device-reports.ts';
import { enrollDevice, type TestDevice } from './device.ts';

const HOSTS = ['api.openai.com', 'api.anthropic.com'];

/** Sets up two devices that capture, and reads the resulting runs. */
export function setUpCapturedCalls(kind: (typeof databases)[number]) {
  let service: TestControlPlane;
  let device: TestDevice;
  let other: TestDevice;
  const now = Date.now();
  const iso = (seconds: number): string => new Date(now + seconds * 1000).toISOString();
  beforeAll(async () => {
    service = await startTestControlPlane(kind);
    service.setTime(now - 60_000);
    device = await enrollDevice(service, 'hardware-one', { userGroup: 'finance' });
    other = await enrollDevice(service, 'hardware-other');
    await service.byOwner.guard.putLayer({
      body: {
        layer: 'global',
        scope: null,
        config: { capture_enabled: true, intercept_hosts: HOSTS },
      },
    });
  });
  beforeEach(() => service.setTime(now + 60_000));
  afterEach(() => service.setTime(undefined));
  afterAll(() => service.stop());

  let batches = 0;
  /** Apps for which an agent of the same name was created. */
  const named = new Set<string>();
  const send = async ({ client }: TestDevice, ...captures: ReturnType<typeof captureOf>[]) => {
    for (const name of named)
      await service.byOwner.captures.putCaptureAgent({
        body: { device_id: null, app: name, agent_name: name },
      });
    named.clear();
    return client.device.reportCaptures({
      body: { batch_id: `batch-of-${(batches += 1)}`, captures },
    });
  };
  const runsOf = async (agent: string) => {
    const { results } = await service.byOwner.runs.listRuns({ query: { agent, limit: 100 } });
    return results;
  };
  const runOf = (id: number | undefined) =>
    service.byOwner.runs.getRun({ params: { id: String(id) } });
  const oneRun = async (agent: string) => {
    const runs = await runsOf(agent);
    expect(runs).toHaveLength(1);
    return runOf(runs[0]?.id);
  };
  const callsOf = async (agent: string) => {
    const { results, aggregates } = await service.byOwner.llmCalls.listLlmCalls({
      query: { agent, limit: 100 },
    });
    return { results, ...aggregates };
  };
  /** Returns the run of the latest capture of an app. */
  const captured = async (app: string) => {
    const { results } = await service.byOwner.captures.listCaptures({ query: { app } });
    return service.byOwner.captures.getCapture({ params: { id: results[0]?.id ?? '' } });
  };
  const record = async (agent_name: string, ...ids: (string | null)[]) => {
    const { run_id } = await service.byKey.recording.startRun({ body: { agent_name } });
    const calls = ids.map((response_id) => ({
      model: 'gpt-4o',
      tokens_in: 100,
      tokens_out: 10,
      response_id,
    }));
    await service.byKey.recording.recordLlmCalls({ params: { run_id }, body: { calls } });
    return Number(run_id);
  };
  const app = (app_id: string, more: object = {}) => {
    named.add(app_id);
    return { captureFields: { app_id, ...more } };
  };

  return {
    get service() {
      return service;
    },
    get device() {
      return device;
    },
    get other() {
      return other;
    },
    get batches() {
      return batches;
    },
    iso,
    send,
    runsOf,
    runOf,
    oneRun,
    callsOf,
    captured,
    record,
    app,
  };
}
