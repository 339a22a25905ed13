import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { TestClient } from '../support/control-plane.ts';
import { type Fleet, makeFleet } from '../support/fleet.ts';
import { makeOtherHost, type OtherHost } from '../support/network-namespace.ts';
import { pollUntil, type Program } from '../support/processes.ts';
import { TEST_LIMIT_MS } from '../support/time-limits.ts';

const program = join(import.meta.dirname, '../support/tls-client.ts');

/** Opens one connection per number, and sends that many bytes. */
async function exchange(host: OtherHost, ...sizes: number[]): Promise<void> {
  const args = [program, host.address, 'api.openai.com', '50', ...sizes.map(String)];
  const [code] = (await once(spawn(process.execPath, args), 'exit')) as [number];
  expect(code).toBe(0);
}

const tags = ['networks', 'openssl'];

const allEnded = (flows: { ended_at: string | null }[]) => flows.every((flow) => flow.ended_at);

// A flow that an agent reports again with another id would be an additional row here.
// test/api/endpoint.test.ts shows that a repeated batch with the same id changes nothing.
describe('no flow record is lost and none is stored twice', { tags }, () => {
  let fleet: Fleet;
  let host: OtherHost;
  const programs: Program[] = [];
  beforeAll(async () => {
    fleet = await makeFleet();
    host = makeOtherHost();
    await host.serveTls();
  });
  afterAll(async () => {
    for (const one of programs) await one.stop('SIGKILL');
    host.remove();
    fleet.remove();
  });

  const started = (one: Program): Program => {
    programs.push(one);
    return one;
  };
  const stored = async (client: TestClient) => {
    const { results } = await client.flows.listFlows({ query: { limit: 100 } });
    return results.filter((flow) => flow.address === host.address);
  };
  const endedInSpool = () =>
    fleet
      .readSpool()
      .split('\n')
      .filter((line) => line.includes(host.address) && !line.includes('"ended_at":null'));

  test(
    'while the control plane is killed, and while the agent is killed',
    { timeout: TEST_LIMIT_MS },
    async () => {
      let controlPlane = started(await fleet.startControlPlane());
      await fleet.installProfile();
      let agent = started(fleet.startAgent());
      // Sessions outlive the process of the control plane, so the whole test needs only one
      // sign-in.
      const client = await fleet.byOwner();
      const devices = () => client.devices.listDevices({ query: {} });
      await pollUntil(devices, ({ results }) => results[0]?.online === true);

      await exchange(host, 101, 102, 103);
      await pollUntil(
        () => stored(client),
        (flows) => flows.length === 3 && allEnded(flows),
      );

      await controlPlane.stop('SIGKILL');
      await exchange(host, 201, 202, 203, 204, 205);
      await pollUntil(endedInSpool, (lines) => lines.length >= 5);

      await agent.stop('SIGKILL');
      agent = started(fleet.startAgent());
      await agent.waitForOutput('ECONNREFUSED');
      await exchange(host, 301, 302);
      await pollUntil(endedInSpool, (lines) => lines.length >= 7);

      controlPlane = started(await fleet.startControlPlane());
      await pollUntil(
        () => stored(client),
        (all) => all.length >= 10 && allEnded(all),
      );
      // A repeated report, if there were one, would arrive before later reports.
      const known = new Set((await stored(client)).map((flow) => flow.started_at));
      await exchange(host, 401);
      const flows = await pollUntil(
        () => stored(client),
        (all) => all.some((flow) => !known.has(flow.started_at)) && allEnded(all),
      );
      expect(flows).toHaveLength(11);
      expect([...new Set(flows.map((flow) => flow.host))]).toEqual(['api.openai.com']);
      expect([await agent.stop(), await controlPlane.stop()]).toEqual([0, 0]);
    },
  );
});
