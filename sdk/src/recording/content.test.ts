import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  endpointOf,
  type LocalServer,
  observerOf,
  startLocalServer,
  type TestObserver,
} from '#test/sdk/local-server.ts';

let server: LocalServer;
let observed: TestObserver | undefined;
beforeEach(async () => {
  server = await startLocalServer();
});
afterEach(async () => {
  await observed?.observer.shutdown();
  await server.goAway();
});

const observe = (options: object): TestObserver['observer'] =>
  (observed = observerOf(server, { captureContent: true, ...options })).observer;

test('every text of people and models is masked, but names and ids are not', async () => {
  const secret = '4111 1111 1111 1111';
  const mask = (text: string): string => text.replaceAll(secret, '[card]');
  const observer = observe({ mask });
  const run = observer.startRun({
    agentName: 'shop',
    inputs: { order: [{ card: secret }] },
    metadata: { note: secret },
  });
  run.recordCall({
    model: 'm',
    tokensIn: 1,
    tokensOut: 1,
    promptPreview: `my card is ${secret}`,
    responsePreview: secret,
    toolCalls: [{ name: 'pay', arguments: { card: secret } }],
  });
  run.recordFailedCall({ model: 'm', promptPreview: secret }, new Error(`refused: ${secret}`));
  run.recordStep('paid', { card: secret });
  run.recordTool({ name: 'pay', input: secret, output: secret, attributes: { card: secret } });
  run.recordScore({ name: 'ok', value: true, comment: secret });
  run.fail(new Error(`no ${secret}`));
  await observer.flush();
  expect(server.accepted.map(endpointOf).toSorted()).toEqual([
    'complete',
    'llm-calls',
    'scores',
    'spans',
    'start',
    'steps',
  ]);
  const sent = JSON.stringify(server.requests.map(({ body }) => body));
  expect(sent).not.toContain(secret);
  expect(sent.match(/\[card\]/g)).toHaveLength(13);
  expect(server.accepted[0]?.body).toMatchObject({ agent_name: 'shop' });
});

test('a record that cannot be masked is not sent, and reported', async () => {
  const observer = observe({
    mask: (text: string) => {
      if (text === 'bad') throw new Error('no idea');
      return text;
    },
  });
  const run = observer.startRun();
  run.recordStep('first', { text: 'bad' });
  run.recordStep('second', { text: 'good' });
  run.complete();
  await observer.flush();
  const steps = server.accepted.flatMap(({ body }) => (body.steps ?? []) as object[]);
  expect(steps).toMatchObject([{ step_name: 'second' }]);
  expect(observed?.problems[0]?.message).toContain('no idea');
});

test('runs that are not sampled are not sent, and neither are their child runs', async () => {
  const observer = observe({ sampleRate: 0 });
  const run = observer.startRun();
  const child = run.within(() => observer.startRun());
  child.recordStep('unseen');
  child.complete();
  run.complete();
  expect(await run.ready()).toBe('');
  await observer.flush();
  expect(server.requests).toEqual([]);
  expect(observer.stats().dropped).toBe(0);
});

test('about the given share of runs is sampled, each with all of its child runs', async () => {
  const observer = observe({ sampleRate: 0.5 });
  for (let i = 0; i < 200; i += 1) {
    const run = observer.startRun({ agentName: 'parent' });
    run.within(() => observer.startRun({ agentName: 'child' })).complete();
    run.complete();
  }
  await observer.flush();
  const names = server.accepted.flatMap(({ body }) => (body.agent_name as string) ?? []);
  const [parents, children] = ['parent', 'child'].map(
    (name) => names.filter((one) => one === name).length,
  ) as [number, number];
  expect(children).toBe(parents);
  // A value outside this range occurs once in 10^11 runs of the test.
  expect(parents).toBeGreaterThan(50);
  expect(parents).toBeLessThan(150);
});

test('the URL of a run is known after its start has been acknowledged', async () => {
  const run = observe({}).startRun();
  expect(run.url).toBe('');
  const id = await run.ready();
  expect(run.url).toBe(`${server.url}/runs/${id}`);
});
