import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  anthropicStream,
  type Client,
  curlHttp1,
  hosts,
  nodeFetch,
  nodeHttp2,
  openAi,
  openAiRealtime,
  openAiStream,
} from '../support/capture-world/clients.ts';
import { internet } from '../support/capture-world/network.ts';
import { promptOf, secretOf } from '../support/capture-world/model-traffic.ts';
import { type CaptureWorld, startCaptureWorld } from '../support/capture-world/world.ts';
import { MODEL_KEY } from '../support/model-provider.ts';
import { pollUntil } from '../support/processes.ts';

const tags = ['networks', 'nft', 'curl', 'python3'];

const capture = {
  capture_enabled: true,
  intercept_hosts: [hosts.openai, hosts.anthropic, hosts.gemini],
};
const sdks = [openAi, openAiStream, anthropicStream];
const blockedBy = (policy: string, reason: string): string =>
  `Blocked by your organization's policy "${policy}": ${reason}`;

describe('policies are enforced on a device, end to end', { tags }, () => {
  let world: CaptureWorld;

  beforeAll(async () => {
    world = await startCaptureWorld();
    await world.startAgent();
    const set = { device_id: null, app: null, agent_name: 'desk' };
    await world.owner.captures.putCaptureAgent({ body: set });
    await world.setGuardConfig({ ...capture, enforce_policies: true });
    await pollUntil(world.readNftTable, (table) =>
      ['443 timeout', ...Object.values(internet)].every((element) => table.includes(element)),
    );
  });
  afterAll(() => world?.[Symbol.asyncDispose]());

  const runClient = ({ name, command }: Client) =>
    world.start(command(promptOf(`${name} enforced`)), 'managed').ended;
  const policy = async (name: string, category: string, rules: Record<string, unknown>) => {
    const body = { name, category, rules, scope: { agents: ['desk'] } };
    const { id } = await world.owner.policies.createPolicy({ body });
    return {
      [Symbol.asyncDispose]: () => world.owner.policies.deletePolicy({ params: { id }, query: {} }),
    };
  };
  const expectRefused = async (client: Client, message: string) => {
    const { code, out, err } = await runClient(client);
    expect([code, out]).toEqual([1, '']);
    expect(err).toContain('PermissionDeniedError: 403 ');
    expect(err.replaceAll('\\"', '"')).toContain(message);
  };
  const runs = async () => {
    const { results } = await world.owner.runs.listRuns({ query: { agent: 'desk', limit: 100 } });
    return results;
  };
  const refused = async () => {
    const { results } = await world.owner.captures.listCaptures({ query: { limit: 100 } });
    return results.filter(({ status }) => status === 403);
  };

  test('calls that no policy applies to are unaffected, over HTTP/1.1', async () => {
    for (const client of [...sdks, nodeFetch, curlHttp1])
      expect(await runClient(client)).toMatchObject({ code: 0, err: '' });
    await pollUntil(runs, ({ length }) => length === 5);
  });

  test('for a blocked model, SDKs throw the same error as for a refusal by the provider', async () => {
    const models = { blocked_models: ['gpt-4o', 'claude-sonnet-4-6'] };
    await using _ = await policy('No models', 'llm', models);
    const before = await runs();
    for (const client of sdks)
      await expectRefused(client, blockedBy('No models', `Model '${client.model}' is blocked`));
    const recorded = await pollUntil(refused, ({ length }) => length === sdks.length);
    expect(recorded.map(({ model }) => String(model)).toSorted()).toEqual([
      'claude-sonnet-4-6',
      'gpt-4o',
      'gpt-4o',
    ]);
    expect(await runs()).toHaveLength(before.length);
    const { results } = await world.owner.incidents.listIncidents({ query: { agent: 'desk' } });
    // One incident per model.
    expect(results.map(({ occurrences }) => occurrences).toSorted((a, b) => a - b)).toEqual([1, 2]);
    expect(new Set(results.map(({ policy_name }) => policy_name))).toEqual(new Set(['No models']));
  });

  test('prohibited content is refused', async () => {
    const pii = { enabled: true, action: 'block', types: ['email'] };
    await using _ = await policy('No mail', 'content', { pii_detection: pii });
    const reason = 'Input content violations: PII detected: email';
    for (const client of sdks) await expectRefused(client, blockedBy('No mail', reason));
  });

  test('over HTTP/2, one call is refused on its stream and another one on the connection continues', async () => {
    const before = await runs();
    const allowed = 'gpt-4o: 200\ngpt-4o-mini: 200';
    expect(await runClient(nodeHttp2)).toMatchObject({ code: 0, out: allowed, err: '' });
    await pollUntil(runs, ({ length }) => length === before.length + 2);
    await using _ = await policy('No models', 'llm', { blocked_models: ['gpt-4o-mini'] });
    const refusedBefore = await refused();
    const refusal = blockedBy('No models', "Model 'gpt-4o-mini' is blocked");
    expect(await runClient(nodeHttp2)).toMatchObject({
      code: 0,
      out: `gpt-4o: 200\ngpt-4o-mini: 403 ${refusal}`,
      err: '',
    });
    await pollUntil(runs, ({ length }) => length === before.length + 3);
    await pollUntil(refused, ({ length }) => length === refusedBefore.length + 1);
  });

  test('over a WebSocket, a refused call is answered with an error event', async () => {
    expect(await runClient(openAiRealtime)).toMatchObject({
      code: 0,
      out: 'response.create',
      err: '',
    });
    await using _ = await policy('No realtime', 'llm', { blocked_models: ['gpt-realtime'] });
    const { code, out } = await runClient(openAiRealtime);
    expect(code).toBe(0);
    expect(out).toContain(blockedBy('No realtime', "Model 'gpt-realtime' is blocked"));
  });

  test('an agent that fails too often is blocked until it recovers', async () => {
    await using _ = await policy('Circuit', 'kill', { kill_on_error_rate: 0, min_samples: 1 });
    expect(await runClient(openAi)).toMatchObject({ code: 0 });
    const wrong = curlHttp1
      .command(promptOf('a wrong key'))
      .map((argument) => argument.replace(MODEL_KEY, 'wrong'));
    expect((await world.start(wrong, 'managed').ended).code).not.toBe(0);
    await pollUntil(runs, (all) => all.some(({ status }) => status === 'error'));
    for (const client of sdks)
      await expectRefused(client, blockedBy('Circuit', 'Circuit open: error rate'));
  });

  test('checks and records do not contain redacted text', async () => {
    const known = world.agentOutputAndFiles();
    const secrets = [
      MODEL_KEY,
      ...[...sdks, nodeHttp2, openAiRealtime].map(({ name }) => secretOf(`${name} enforced`)),
    ];
    expect(secrets.filter((secret) => known.includes(secret))).toEqual([]);
  });

  test('without enforcement the same calls pass', async () => {
    await using _ = await policy('No models', 'llm', { blocked_models: ['gpt-4o'] });
    await world.setGuardConfig({ ...capture, enforce_policies: false });
    const before = await runs();
    for (const client of sdks) expect(await runClient(client)).toMatchObject({ code: 0, err: '' });
    await pollUntil(runs, ({ length }) => length === before.length + sdks.length);
  });
});
