import { startTestControlPlane, type TestControlPlane } from './control-plane.ts';
import { appOf, captureOf, flowOf } from './device-reports.ts';
import { enrollDevice } from './device.ts';

/**
 * Interval between the records. It is short, because certificates are valid from an hour before
 * they are issued.
 */
const UNIT_MS = 8 * 60_000;

/**
 * Starts a control plane with two sessions, end users, devices and apps, minutes apart, with flows,
 * captures and audit entries.
 */
export async function makeFleetOverTime(): Promise<TestControlPlane> {
  const service = await startTestControlPlane('sqlite');
  const start = Date.now() - 6 * UNIT_MS;
  const at = (units: number) => new Date(start + units * UNIT_MS).toISOString();
  const setTimeTo = (units: number) => service.setTime(start + units * UNIT_MS);

  setTimeTo(0);
  await recordCalls(service, 'early', [{ duration_ms: 250, prompt_preview: 'hello' }]);
  const prompt = { name: 'first', content: 'x' };
  await service.byOwner.prompts.createPrompt({ body: prompt });
  const one = await enrollDevice(service, 'hardware-one');
  const { device } = one.client;
  await device.reportInventory({ body: { batch_id: 'inventory-one', apps: [appOf('aider')] } });
  const flows = [
    flowOf('a', { started_at: at(-1), ended_at: at(-0.5), bytes_in: 20, process: 'curl' }),
    flowOf('b', { started_at: at(-0.5), bytes_in: 30, process: 'aider' }),
  ];
  await device.reportFlows({ body: { batch_id: 'flows-of-one', flows } });

  setTimeTo(3);
  const slow = { duration_ms: 9000, prompt_preview: 'hello' };
  await recordCalls(service, 'late', [slow, { prompt_preview: 'hello' }]);
  await service.byOwner.prompts.createPrompt({ body: { ...prompt, name: 'second' } });
  const other = await enrollDevice(service, 'hardware-two');
  const apps = [appOf('aider'), appOf('codex')];
  await other.client.device.reportInventory({ body: { batch_id: 'inventory-two', apps } });
  const later = [flowOf('c', { started_at: at(2), bytes_in: 10, process: 'node' })];
  await other.client.device.reportFlows({ body: { batch_id: 'flows-of-two', flows: later } });
  await service.byOwner.guard.putLayer({
    body: {
      layer: 'device',
      scope: other.id,
      config: { capture_enabled: true, intercept_hosts: ['api.openai.com'] },
    },
  });

  setTimeTo(5.5);
  const captures = [
    captureOf('k', at(3.5), { status: 500, model: 'gpt-5' }),
    captureOf('l', at(4), { status: 200, model: 'o3' }),
    captureOf('m', at(5), { status: 429, model: 'gpt-4o' }),
  ];
  const report = { batch_id: 'captures-of-two', captures };
  await other.client.device.reportCaptures({ body: report });
  service.setTime(undefined);
  return service;
}

interface CallFields {
  duration_ms?: number;
  prompt_preview: string;
}

async function recordCalls(
  { byKey: { recording } }: TestControlPlane,
  name: string,
  called: readonly CallFields[],
): Promise<void> {
  const { run_id } = await recording.startRun({
    body: { agent_name: 'support', session_id: `session-${name}`, user_id: `user-${name}` },
  });
  const counted = { model: 'gpt-4o', tokens_in: 10, tokens_out: 1 };
  const calls = called.map((call) => ({ ...counted, ...call }));
  await recording.recordLlmCalls({ params: { run_id }, body: { calls } });
  await recording.completeRun({ params: { run_id }, body: {} });
}
