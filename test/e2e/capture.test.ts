import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  startModelTraffic,
  type ModelTraffic,
  countFailuresBeforeSuccess,
  fragmentsOf,
  promptOf,
  secretOf,
} from '../support/capture-world/model-traffic.ts';
import {
  browserStream,
  type Client,
  clients,
  curlHttp1,
  curlHttp2,
  curlProxied,
  hasManagedBrowser,
  hosts,
  nodeFetch,
  printCertificate,
  streamingClients,
  browserCommand,
} from '../support/capture-world/clients.ts';
import {
  type CaptureWorld,
  type ProgramResult,
  startCaptureWorld,
} from '../support/capture-world/world.ts';
import { MODEL_KEY } from '../support/model-provider.ts';
import { pollUntil } from '../support/processes.ts';
import { searchFor } from '../support/text-search.ts';

const tags = ['networks', 'nft', 'curl', 'python3'];

const PROXY = 'http://127.0.0.1:9877';
const words = (text: string): number => text.split(/\s+/).length;

describe('capture on a device, end to end', { tags }, () => {
  let world: CaptureWorld;
  let traffic: ModelTraffic;
  /** The results without capture, in the order of `clients`. */
  let results: ProgramResult[];

  beforeAll(async () => {
    world = await startCaptureWorld();
    await world.startAgent();
    traffic = startModelTraffic(world);
  });
  afterAll(() => world?.[Symbol.asyncDispose]());

  const curl = (...args: string[]) =>
    world.start(['curl', '--no-progress-meter', '--fail', ...args], 'public').ended;
  const answerOf = (client: Client) => results[clients.indexOf(client)];

  const startAllHeld = (what: string) =>
    Promise.all(
      streamingClients.map((client) =>
        traffic.startPausedStream(client, `hold ${what}, ${client.name}`, 'managed'),
      ),
    );
  const expectAllWhole = async (what: string, streams: { ended: Promise<ProgramResult> }[]) => {
    for (const [i, { ended }] of streams.entries()) {
      const { code, out, err } = await ended;
      expect([code, err]).toEqual([0, '']);
      expect(textOf(out)).toContain(promptOf(`hold ${what}, ${streamingClients[i]?.name}`));
    }
  };
  const capturesOfHeld = async (what: string) =>
    (await traffic.captures()).filter(({ request_body: body }) => body?.includes(`hold ${what}`));

  const expectNoSecrets = async (): Promise<void> => {
    const known = world.agentOutputAndFiles() + JSON.stringify(await traffic.captures());
    const secrets = [...traffic.usedNames].flatMap((name) => fragmentsOf(secretOf(name)));
    expect(searchFor([MODEL_KEY, ...secrets])(Buffer.from(known))).toEqual([]);
  };

  test('without capture each program connects to the server itself', async () => {
    expect(await world.readNftTable()).toBe('');
    results = await traffic.runAllClients('public');
    for (const result of results) expect(result).toMatchObject({ code: 0, err: '' });
  });

  test('a stream during which capture is switched on continues, and nothing of it is uploaded', async () => {
    const streams = await startAllHeld('on');
    await traffic.enableCapture();
    traffic.release();
    await expectAllWhole('on', streams);
    await traffic.expectCaptured(curlHttp1, 'curl after the switch');
    expect(await capturesOfHeld('on')).toEqual([]);
  });

  test('with capture on, the admin sees each redacted exchange and its call, and programs are unaffected', async () => {
    expect(await traffic.runAllClients('managed')).toEqual(results);
    for (const { name, host, model, process } of clients) {
      const [found, ...more] = await traffic.waitUntilCaptured(name);
      expect(more).toEqual([]);
      const tokens = {
        model,
        tokens_in: words(promptOf(name)),
        tokens_out: words(promptOf(name)) + 1,
      };
      expect(found).toMatchObject({
        ...tokens,
        host,
        process: expect.stringMatching(process),
        user: 'root',
        status: 200,
        redactions: { API_KEY: 2, EMAIL: 2 },
        request_truncated: false,
        response_truncated: false,
        run_id: expect.any(Number),
      });
      const seen = `${name}: what is wrong with the key ##API_KEY## of ##EMAIL## ?`;
      expect(found?.request_body).toContain(seen);
      expect(found?.response_body).toContain(seen);
      const run = await world.owner.runs.getRun({ params: { id: String(found?.run_id) } });
      expect(run).toMatchObject({ status: 'success', captured: { capture_id: found?.id } });
      const [call] = run.llm_calls;
      expect(call).toMatchObject({ ...tokens, cost_source: 'table' });
      expect(call?.cost).toBeGreaterThan(0);
    }
    await expectNoSecrets();
  });

  test('another host on the same address is not affected', async () => {
    const { code, out } = await curl(`https://${hosts.uncapturedHost}/`);
    expect([code, out]).toEqual([0, `${hosts.uncapturedHost} has no news\n`]);
    const certificateOf = async (host: string) =>
      (await world.start(printCertificate(host), 'public').ended).out.trim();
    const { uncapturedHost, openai } = hosts;
    expect(await certificateOf(uncapturedHost)).toBe(world.certificates.uncapturedHost);
    // If the model's host were not captured, its certificate would be unchanged too.
    expect(await certificateOf(openai)).not.toBe(world.certificates.models);
  });

  test('a program with a configured proxy is captured too, for enabled hosts', async () => {
    const proxied = curlProxied(PROXY);
    await traffic.expectCaptured(proxied, proxied.name);
    const { code, out } = await curl('--proxy', PROXY, `https://${hosts.uncapturedHost}/`);
    expect([code, out]).toEqual([0, `${hosts.uncapturedHost} has no news\n`]);
    const file = await curl(`${PROXY}/proxy.pac`);
    expect(file.out).toContain(`"${hosts.openai}"`);
    expect(file.out).not.toContain(hosts.uncapturedHost);
  });

  test('a stream during which capture is switched off continues, and nothing of it is uploaded', async () => {
    const streams = await startAllHeld('off');
    await traffic.disableCapture();
    expect(await traffic.runClient(curlHttp1, 'public')).toEqual(answerOf(curlHttp1));
    traffic.release();
    await expectAllWhole('off', streams);
    await traffic.waitUntilNotRedirected();
    await traffic.enableCapture();
    await traffic.expectCaptured(curlHttp1, 'curl afterwards');
    expect(await capturesOfHeld('off')).toEqual([]);
  });

  test('custom masking rules of the company are applied on the device', async () => {
    await world.setMaskingPatterns([{ name: 'PROJECT', pattern: 'project-[a-z]+' }]);
    const prompt = promptOf('project-falcon');
    traffic.usedNames.add('project-falcon');
    expect((await world.start(curlHttp1.command(prompt), 'managed').ended).out).toContain(prompt);
    const [found] = await pollUntil(
      async () =>
        (await traffic.captures()).filter(({ request_body: body }) =>
          body?.includes('##PROJECT##'),
        ),
      ({ length }) => length > 0,
    );
    // The device counts its redactions; the control plane does not.
    expect(found?.redactions).toEqual({ API_KEY: 2, EMAIL: 2, PROJECT: 2 });
    expect(found?.response_body).toContain('##PROJECT##: what is wrong');
    expect(world.agentOutputAndFiles()).not.toContain('project-falcon');
    await world.setMaskingPatterns([]);
  });

  test.runIf(hasManagedBrowser)('a browser that visits the host is captured', async () => {
    const name = 'a browser';
    traffic.usedNames.add(name);
    const url = `https://${hosts.openai}/v1/browsed?key=${secretOf(name)}`;
    const { out } = await world.start(browserCommand(url), 'managed').ended;
    expect(out).toContain('there is no /v1/browsed');
    const [found] = await pollUntil(
      async () => (await traffic.captures()).filter(({ path }) => path === '/v1/browsed'),
      ({ length }) => length > 0,
    );
    expect(found).toMatchObject({ host: hosts.openai, process: 'chromium', status: 404 });
  });

  const refusingBrowser: [string, Client] = ['chromium', browserStream];
  test.each<[string, Client]>([
    ['node', nodeFetch],
    ['curl', curlHttp2],
    ...(hasManagedBrowser ? [refusingBrowser] : []),
  ])('%s without trust in the root works after at most two failures', async (name, client) => {
    const result = answerOf(client);
    const failures = await countFailuresBeforeSuccess(async () => {
      const ended = await traffic.runClient(client, 'public');
      // Another process of the same program, which trusts the root, does not change this.
      expect(await traffic.runClient(client, 'managed')).toEqual(result);
      return ended;
    }, 3);
    // A connection closed without an alert counts as a rejection once it happens twice, now or
    // later.
    const later = await countFailuresBeforeSuccess(
      () => traffic.runClient(client, 'public'),
      3 - failures,
    );
    expect(failures + later).toBeOneOf([1, 2]);
    expect(await traffic.runClient(client, 'public')).toEqual(result);
    await traffic.waitUntilReported(
      `${name} does not accept this device's certificate for ${client.host}`,
    );
    const { certificate_refusals } = await traffic.device();
    const { host } = client;
    expect(certificate_refusals).toContainEqual(expect.objectContaining({ process: name, host }));
  });

  test('no secret was written anywhere', expectNoSecrets);
});

/** Concatenates the texts of the events if a program prints the raw events. */
function textOf(out: string): string {
  const texts = [...out.matchAll(/"(?:content|text)":("(?:[^"\\]|\\.)*")/g)];
  if (!out.includes('data: ')) return out;
  return texts.map(([, text]) => JSON.parse(text ?? '') as string).join('');
}
