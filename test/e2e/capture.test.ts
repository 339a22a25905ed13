import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  browse,
  type Client,
  clients,
  curlHttp1,
  curlHttp2,
  curlProxied,
  hasManagedBrowser,
  hosts,
  nodeFetch,
  openAiStream,
  promptOf,
  secretOf,
} from '../support/capture-world/clients.ts';
import { internet } from '../support/capture-world/network.ts';
import {
  type CaptureWorld,
  type Ended,
  startCaptureWorld,
  type Trust,
} from '../support/capture-world/world.ts';
import { MODEL_KEY } from '../support/model-provider.ts';
import { PATIENCE_MS } from '../support/patience.ts';
import { eventually, type Program } from '../support/processes.ts';

const tags = ['networks', 'nft', 'curl', 'python3'];

const on = {
  capture_enabled: true,
  intercept_hosts: [hosts.openai, hosts.anthropic, hosts.gemini],
};
const off = { capture_enabled: false };
const proxy = 'http://127.0.0.1:9877';
/** An event of a stream holds nine characters: wherever they begin, one of these is among them. */
const piecesOf = (secret: string): string[] =>
  Array.from({ length: secret.length - 15 }, (_, i) => secret.slice(8 + i, 16 + i));

const words = (text: string): number => text.split(/\s+/).length;

/** How often it fails before it works, at most so many times. */
async function failuresOf(attempt: () => Promise<Ended>, most: number): Promise<number> {
  let failures = 0;
  while (failures < most && (await attempt()).code !== 0) failures += 1;
  return failures;
}

describe('capture on a device, end to end', { tags, timeout: PATIENCE_MS }, () => {
  let world: CaptureWorld;
  let agent: Program;
  /** Without capture, in the order of `clients`. */
  let answers: Ended[];
  const asked = new Set<string>();

  beforeAll(async () => {
    world = await startCaptureWorld();
    agent = await world.startAgent();
  });
  afterAll(() => world?.[Symbol.asyncDispose]());

  const start = ({ command }: Client, name: string, trust: Trust) => {
    asked.add(name);
    return world.start(command(promptOf(name)), trust);
  };
  const ask = (client: Client, trust: Trust): Promise<Ended> =>
    start(client, client.name, trust).ended;
  const askAll = (trust: Trust): Promise<Ended[]> =>
    Promise.all(clients.map((client) => ask(client, trust)));
  const curl = (...args: string[]) =>
    world.start(['curl', '--no-progress-meter', '--fail', ...args], 'world').ended;

  /** A stream that stops in its middle, until SIGUSR2 to the servers. */
  const startHeld = async (name: string) => {
    const stream = start(openAiStream, name, 'managed');
    await world.upstreams.said(`holding: ${name}`);
    await eventually(stream.out, (out) => out.length > 0);
    return stream;
  };
  const switchOn = async (): Promise<void> => {
    await world.guard(on);
    await untilRedirected();
  };
  /** The table of an agent that was killed is there for a second, without the port. */
  const untilRedirected = () =>
    eventually(world.redirected, (table) =>
      ['443 timeout', ...Object.values(internet)].every((element) => table.includes(element)),
    );
  const captures = async () => {
    const { results } = await world.owner.captures.listCaptures({ query: { limit: 100 } });
    return Promise.all(
      results.map(({ id }) => world.owner.captures.getCapture({ params: { id } })),
    );
  };
  const capturesOf = async (name: string) => {
    const all = await captures();
    return all.filter(({ request_body: body }) => body?.includes(`"${name}: `));
  };
  /** Reports arrive in order: with this one, all of before are there. */
  const expectCaptured = async (client: Client, name: string) => {
    expect(await start(client, name, 'managed').ended).toMatchObject({ code: 0, err: '' });
    await eventually(
      () => capturesOf(name),
      (found) => found.length === 1,
    );
  };
  const expectNoSecrets = async (): Promise<void> => {
    const known = world.written() + JSON.stringify(await captures());
    const secrets = [MODEL_KEY, ...[...asked].flatMap((name) => piecesOf(secretOf(name)))];
    expect(secrets.filter((secret) => known.includes(secret))).toEqual([]);
  };

  test('without capture each program is with the server itself', async () => {
    expect(await world.redirected()).toBe('');
    answers = await askAll('world');
    for (const answer of answers) expect(answer).toMatchObject({ code: 0, err: '' });
  });

  test('switched on, the admin sees each exchange, redacted, and no program notices', async () => {
    await switchOn();
    expect(await askAll('managed')).toEqual(answers);
    const all = await eventually(captures, (found) => found.length >= clients.length);
    expect(all).toHaveLength(clients.length);
    for (const { name, host, model, process } of clients) {
      const found = await capturesOf(name);
      expect(found).toMatchObject([
        {
          host,
          model,
          process: expect.stringMatching(process),
          user: 'root',
          status: 200,
          tokens_in: words(promptOf(name)),
          tokens_out: words(promptOf(name)) + 1,
          redactions: { API_KEY: 2, EMAIL: 2 },
          request_truncated: false,
          response_truncated: false,
        },
      ]);
      const seen = `${name}: what is wrong with the key ##API_KEY## of ##EMAIL## ?`;
      expect(found[0]?.request_body).toContain(seen);
      expect(found[0]?.response_body).toContain(seen);
    }
    await expectNoSecrets();
  });

  test('another host on the same address is not touched', async () => {
    const { code, out } = await curl(`https://${hosts.neighbour}/`);
    expect([code, out]).toEqual([0, `${hosts.neighbour} has no news\n`]);
  });

  test('a program that is told to use a proxy is captured too, for hosts that are on', async () => {
    const proxied = curlProxied(proxy);
    await expectCaptured(proxied, proxied.name);
    const { code, out } = await curl('--proxy', proxy, `https://${hosts.neighbour}/`);
    expect([code, out]).toEqual([0, `${hosts.neighbour} has no news\n`]);
    const file = await curl(`${proxy}/proxy.pac`);
    expect(file.out).toContain(`"${hosts.openai}"`);
    expect(file.out).not.toContain(hosts.neighbour);
  });

  test('switched off in the middle of a stream, it goes on, and nothing of it is uploaded', async () => {
    const stream = await startHeld('hold on');
    await world.guard(off);
    await eventually(world.redirected, (table) => !table.includes(internet.first));
    expect(await ask(curlHttp1, 'world')).toEqual(answers[clients.indexOf(curlHttp1)]);
    world.upstreams.child.kill('SIGUSR2');
    const { code, out } = await stream.ended;
    expect([code, out]).toEqual([0, expect.stringContaining(promptOf('hold on'))]);
    await eventually(world.redirected, (table) => table === '');
    const before = await captures();
    await switchOn();
    await expectCaptured(curlHttp1, 'curl afterwards');
    expect(await captures()).toHaveLength(before.length + 1);
    expect(await capturesOf('hold on')).toEqual([]);
  });

  test('killed, the agent is in nobody’s way; started again, it captures', async () => {
    const stream = await startHeld('hold the line');
    agent.child.kill('SIGKILL');
    // As many as fit into a second; by itself the kernel forgets the port after fifteen.
    expect(await failuresOf(() => ask(curlHttp1, 'world'), 25)).toBeLessThan(25);
    expect((await stream.ended).code).not.toBe(0);
    agent = await world.startAgent();
    await untilRedirected();
    await expectCaptured(curlHttp1, 'curl after a restart');
  });

  test('what the company masks besides is gone on the device already', async () => {
    await world.mask([{ name: 'PROJECT', pattern: 'project-[a-z]+' }]);
    const prompt = promptOf('project-falcon');
    asked.add('project-falcon');
    expect((await world.start(curlHttp1.command(prompt), 'managed').ended).out).toContain(prompt);
    const [found] = await eventually(
      async () =>
        (await captures()).filter(({ request_body: body }) => body?.includes('##PROJECT##')),
      ({ length }) => length > 0,
    );
    // The device counts what it redacts; the control plane does not.
    expect(found?.redactions).toEqual({ API_KEY: 2, EMAIL: 2, PROJECT: 2 });
    expect(found?.response_body).toContain('##PROJECT##: what is wrong');
    expect(world.written()).not.toContain('project-falcon');
    await world.mask([]);
  });

  test.runIf(hasManagedBrowser)('a browser trusts what its policies name', async () => {
    const name = 'a browser';
    asked.add(name);
    const url = `https://${hosts.openai}/v1/browsed?key=${secretOf(name)}`;
    const { out } = await world.start(browse(url), 'managed').ended;
    expect(out).toContain('there is no /v1/browsed');
    const [found] = await eventually(
      async () => (await captures()).filter(({ path }) => path === '/v1/browsed'),
      ({ length }) => length > 0,
    );
    expect(found).toMatchObject({ host: hosts.openai, process: 'chromium', status: 404 });
  });

  test.each([
    ['node', nodeFetch],
    ['curl', curlHttp2],
  ])('%s without the root of the tenant works after two failures at most', async (name, client) => {
    const answer = answers[clients.indexOf(client)];
    const failures = await failuresOf(async () => {
      const ended = await ask(client, 'world');
      // Another process of the same program, which has the root, changes nothing about it.
      expect(await ask(client, 'managed')).toEqual(answer);
      return ended;
    }, 3);
    expect(failures).toBeOneOf([1, 2]);
    expect(await ask(client, 'world')).toEqual(answer);
    const { results } = await world.owner.fleet.listDevices({ query: {} });
    const id = results[0]?.id ?? '';
    const refused = `${name} does not accept this device's certificate for ${client.host}`;
    const { certificate_refusals } = await eventually(
      () => world.owner.fleet.getDevice({ params: { id } }),
      ({ problems }) => problems.some((line) => line.includes(refused)),
    );
    const { host } = client;
    expect(certificate_refusals).toContainEqual(expect.objectContaining({ process: name, host }));
  });

  test('in the end no secret was written anywhere', expectNoSecrets);
});
