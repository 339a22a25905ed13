import { expect, test } from 'vitest';
import { curlHttp1, hosts, nodeFetch } from '../support/capture-world/clients.ts';
import { startModelTraffic } from '../support/capture-world/model-traffic.ts';
import { startCaptureWorld } from '../support/capture-world/world.ts';
import { pollUntil } from '../support/processes.ts';

const tags = ['networks', 'nft', 'curl'];
const REQUESTS = 5;

// The addresses are in /etc/hosts, so no DNS response names them, and the packets of redirected
// connections leave through loopback.
test('short flows to captured hosts keep their host and process', { tags }, async () => {
  await using world = await startCaptureWorld();
  await world.startAgent();
  const traffic = startModelTraffic(world);
  await traffic.enableCapture();
  for (let i = 0; i < REQUESTS; i += 1) await traffic.expectCaptured(curlHttp1, `curl ${i}`);
  await traffic.expectCaptured(nodeFetch, 'node');

  const flows = await pollUntil(
    async () => (await world.owner.flows.listFlows({ query: { limit: 100 } })).results,
    (all) => all.some(({ process }) => process === 'node'),
  );
  const ofCurl = Array.from({ length: REQUESTS }, () => `curl ${hosts.openai}`);
  expect(flows.map(({ process, host }) => `${process} ${host}`)).toEqual([
    `node ${hosts.gemini}`,
    ...ofCurl,
  ]);
});
