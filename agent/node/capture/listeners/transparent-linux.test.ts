import { once } from 'node:events';
import { userInfo } from 'node:os';
import {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  describe,
  expect,
  test,
  vi,
  onTestFinished,
} from 'vitest';
import type { AgentMethods } from './testing/agent-program.ts';
import type { clientMethods } from './testing/client-methods.ts';
import { addresses, bootDeviceNetwork } from './testing/device-network.ts';
import type { DeviceNetwork } from './testing/device-network.ts';
import type { Remote } from './testing/remote.ts';

const [a4, b4, a6, b6] = addresses.internet;
const hosts = { 'a.example': [a4, a6], 'b.example': [b4, b6] };
const both = Object.keys(hosts);

let network: DeviceNetwork;
let client: Remote<typeof clientMethods>;
let agent: Remote<AgentMethods>;

describe('the transparent listener', { tags: ['networks', 'nft'] }, () => {
  beforeAll(async () => {
    network = await bootDeviceNetwork();
    await network.internet.startRemote('internet-program.ts');
    client = await network.device.startRemote('client-program.ts');
  });

  afterAll(() => network?.[Symbol.asyncDispose]());

  beforeEach(async () => {
    agent = await startAgent();
  });

  afterEach(() => end(agent));

  async function startAgent(
    options: { nft?: string; holdSeconds?: number } = {},
    within: string[] = [],
  ) {
    const started = await network.device.startRemote<AgentMethods>('agent-program.ts', ...within);
    await started.call.open(hosts, options);
    return started;
  }

  async function end({ child, call }: Remote<AgentMethods>): Promise<void> {
    if (child.exitCode === null && child.signalCode === null) {
      child.kill('SIGCONT');
      await call.closeListener();
      child.kill('SIGKILL');
      await once(child, 'exit');
    }
    await expect.poll(tables).toBe('');
  }

  const tables = () => network.device.run('nft', 'list', 'tables');

  test.each([
    ['IPv4', a4],
    ['IPv6', a6],
  ])(
    'receives connections to an enabled host with their original destination: %s',
    async (_, host) => {
      await agent.call.setHosts(['a.example']);
      const expected = {
        destination: { host, port: 443, name: null, hosts: ['a.example'] },
        client: {
          pid: client.child.pid,
          process: 'node',
          path: process.execPath,
          script: expect.stringMatching(/client-program\.ts$/) as string,
          user: userInfo().username,
          signingId: null,
        },
      };
      // On a busy machine the time limit to find the client may be exceeded.
      await vi.waitFor(async () => {
        const { who, number } = await client.call.openTo(host);
        const taken = await agent.next('taken');
        await client.call.close(number);
        expect([who, taken]).toEqual(['agent', expected]);
      });
      expect(agent.events('problem')).toEqual([]);
    },
  );

  test.each([
    ['another address', b4, 443],
    ['another IPv6 address', b6, 443],
    ['another port', a4, 8443],
    ['another IPv6 port', a6, 8443],
  ])('does not redirect connections to %s', async (_, host, port) => {
    await agent.call.setHosts(['a.example']);
    expect(await client.call.whoAnswers(host, port)).toBe('server');
    expect(agent.events('taken')).toEqual([]);
  });

  test.each([
    ['IPv4', a4],
    ['IPv6', a6],
  ])('does not redirect connections that were already open: %s', async (_, host) => {
    const { who, number } = await client.call.openTo(host);
    await agent.call.setHosts(['a.example']);
    expect([who, await client.call.echo(number, 'hello')]).toEqual(['server', 'hello']);
    await client.call.close(number);
    expect(agent.events('taken')).toEqual([]);
  });

  test("does not redirect the agent's own connections", async () => {
    await agent.call.setHosts(both);
    const own = [...addresses.internet].map((host) => agent.call.whoAnswers(host, 443));
    expect(await Promise.all(own)).toEqual(['server', 'server', 'server', 'server']);
    expect(await agent.call.sendUdp(a4)).toBe('hello');
    expect(await agent.call.sendUdp(a6)).toBe('hello');
  });

  test('closes connections that were not redirected to it', async () => {
    await agent.call.setHosts(both);
    const rules = network.device.run('nft', 'list', 'table', 'inet', 'gatehouse');
    const ports = [...rules.matchAll(/@alive\d .* redirect to :(\d+)/g)].map(([, port]) =>
      Number(port),
    );
    expect(ports).toHaveLength(2);
    expect(await client.call.whoAnswers('127.0.0.1', ports[0] ?? 0)).toBe('closed');
    expect(await client.call.whoAnswers('::1', ports[1] ?? 0)).toBe('closed');
    expect(agent.events('taken')).toEqual([]);
  });

  test('rejects UDP, so that HTTP/3 clients switch to TCP at once', async () => {
    expect(await client.call.sendUdp(a4)).toBe('hello');
    await agent.call.setHosts(['a.example']);
    expect(await client.call.sendUdp(a4)).toBe('ECONNREFUSED');
    expect(await client.call.sendUdp(a6)).toBe('ECONNREFUSED');
    expect(await client.call.sendUdp(b4)).toBe('hello');
  });

  test('applies changed hosts to the next connection', async () => {
    const who = async () => [
      await client.call.whoAnswers(a4, 443),
      await client.call.whoAnswers(b6, 443),
    ];
    await agent.call.setHosts(['a.example']);
    expect(await who()).toEqual(['agent', 'server']);
    await agent.call.setHosts(['b.example']);
    expect(await who()).toEqual(['server', 'agent']);
    await agent.call.setHosts(both);
    expect(await who()).toEqual(['agent', 'agent']);
    await agent.call.setHosts([]);
    expect(await who()).toEqual(['server', 'server']);
    expect(tables()).toBe('');
  });

  test('learns addresses from DNS answers to others, but only of enabled hosts', async () => {
    await agent.call.setHosts(['*.example', 'c.test']);
    expect(await client.call.whoAnswers(a4, 443)).toBe('server');
    await agent.call.addResolved('a.example', [a4]);
    await agent.call.addResolved('x.b.example', [b4]);
    expect(await agent.call.addresses()).toEqual({ [a4]: ['a.example'] });
    await expect.poll(() => client.call.whoAnswers(a4, 443)).toBe('agent');
    expect(await client.call.whoAnswers(b4, 443)).toBe('server');
  });

  test('probes idle connections, so that the kernel does not forget their redirection', async () => {
    await agent.call.setHosts(both);
    const kept = [await client.call.openTo(a4), await client.call.openTo(a6)];
    await Promise.all([agent.next('taken'), agent.next('taken')]);
    const ofAgent = `pid=${agent.child.pid},`;
    const sockets = network.device.run('ss', '-Htnop', 'state', 'established').split('\n');
    const timers = sockets
      .filter((line) => line.includes(ofAgent))
      .map((line) => /timer:\(keepalive/.test(line));
    expect(timers).toEqual([true, true]);
    for (const { number } of kept) await client.call.close(number);
  });

  test('redirects only as many connections as it may have open files for', async () => {
    await end(agent);
    agent = await startAgent({}, ['prlimit', '--nofile=142']);
    await agent.call.setHosts(both);
    const opened: { who: string; number: number }[] = [];
    for (let count = 0; count < 100; count += 1) opened.push(await client.call.openTo(a4));
    const answers = opened.map(({ who }) => who);
    expect(new Set(answers)).toEqual(new Set(['agent', 'server']));
    expect(new Set(answers.slice(0, 20))).toEqual(new Set(['agent']));
    expect(new Set(answers.slice(-50))).toEqual(new Set(['server']));
    expect(await agent.next('problem')).toMatch(/^only 20 connections at once can be captured/);
    for (const { number } of opened) await client.call.close(number);
    expect(await agent.next('problem')).toBe(null);
    await expect.poll(() => client.call.whoAnswers(a4, 443)).toBe('agent');
  });

  test('redirects nothing if it may have too few open files', async () => {
    await end(agent);
    agent = await startAgent({}, ['prlimit', '--nofile=64']);
    await agent.call.setHosts(both);
    expect(await agent.next('problem')).toMatch(/^only 0 connections at once can be captured/);
    expect(await client.call.whoAnswers(a4, 443)).toBe('server');
  });

  test('identifies a curl that exits soon', { tags: ['curl'] }, async () => {
    await agent.call.setHosts(both);
    // On a busy machine curl may exit too soon.
    await vi.waitFor(async () => {
      const curl = network.device.start('curl', '-s', `http://${a4}:443/`);
      await once(curl, 'exit');
      const { client: found } = (await agent.next('taken')) as { client: object };
      expect(found).toMatchObject({ pid: curl.pid, process: 'curl', user: userInfo().username });
    });
  });

  test('redirects nothing after the agent was killed', async () => {
    await end(agent);
    // Longer than any wait in this test, so that the redirection does not end with the hold.
    agent = await startAgent({ holdSeconds: 3600 });
    await agent.call.setHosts(both);
    const kept = await Promise.all(Array.from({ length: 20 }, () => client.call.openTo(a4)));
    expect(new Set(kept.map(({ who }) => who))).toEqual(new Set(['agent']));
    agent.child.kill('SIGKILL');
    await expect.poll(() => client.call.whoAnswers(a4, 443), { interval: 5 }).toBe('server');
    // The table still exists for the last segments of connections that broke off.
    expect(tables()).toContain('gatehouse');
    await expect.poll(() => client.call.sendUdp(a4), { interval: 5 }).toBe('hello');
    await Promise.all(kept.map(({ number }) => client.call.untilClosed(number)));
    await expect.poll(tables).toBe('');
  });

  // Rules before the redirection see the own address of a connection, rules after it the address of
  // the agent, but still the interface to the own address.
  const onlyHttps = ['oifname lo accept', 'tcp dport 443 accept'];
  const onlyFromLoopback = ['ip saddr 127.0.0.0/8 accept'];
  test.each([
    ['output', onlyHttps],
    ['input', onlyFromLoopback],
  ])('redirects nothing while a firewall drops its connections: %s', async (hook, accepted) => {
    const rules = [...accepted, 'meta l4proto icmpv6 accept', 'ct state established accept'];
    const firewall = [
      'add table inet firewall',
      `add chain inet firewall guard { type filter hook ${hook} priority 0; policy drop; }`,
      ...rules.map((rule) => `add rule inet firewall guard ${rule}`),
    ].join('; ');
    const problem =
      'IPv4 and IPv6 not redirected: a firewall on this computer drops redirected connections';
    // A change of the firewall between the probes of both versions is reported for one of them first.
    const untilProblem = async (expected: string | null): Promise<void> => {
      while ((await agent.next('problem')) !== expected);
    };
    await end(agent);
    network.device.run('nft', firewall);
    onTestFinished(() => void network.device.run('nft', 'flush ruleset'));
    agent = await startAgent({ holdSeconds: 1 });
    await agent.call.setHosts(both);
    expect(await agent.next('problem')).toBe(problem);
    expect(await client.call.whoAnswers(a4, 443)).toBe('server');
    expect(await client.call.whoAnswers(a6, 443)).toBe('server');
    // The table of the agent stays, because only its owner can change it.
    network.device.run('nft', 'flush ruleset');
    await untilProblem(null);
    expect(await client.call.whoAnswers(a4, 443)).toBe('agent');
    expect(await client.call.whoAnswers(a6, 443)).toBe('agent');
    network.device.run('nft', firewall);
    await untilProblem(problem);
    expect(await client.call.whoAnswers(a4, 443)).toBe('server');
    network.device.run('nft', 'flush ruleset');
  });

  test('redirects nothing while the agent hangs', async () => {
    await end(agent);
    agent = await startAgent({ holdSeconds: 1 });
    await agent.call.setHosts(both);
    // On a busy machine the renewal may be late too.
    await expect.poll(() => client.call.whoAnswers(a4, 443)).toBe('agent');
    agent.child.kill('SIGSTOP');
    await expect.poll(() => client.call.sendUdp(a4)).toBe('hello');
    expect(await client.call.whoAnswers(a4, 443)).toBe('server');
    agent.child.kill('SIGCONT');
    await expect.poll(() => client.call.whoAnswers(a4, 443)).toBe('agent');
    expect(agent.events('problem')).toEqual([]);
  });

  test('keeps its table while connections need it, but redirects no new ones', async () => {
    await agent.call.setHosts(both);
    const kept = await client.call.openTo(a6);
    await agent.call.closeListener();
    expect(await client.call.whoAnswers(a6, 443)).toBe('server');
    expect(await client.call.echo(kept.number, 'still there')).toBe('still there');
    await client.call.close(kept.number);
    await expect.poll(tables).toBe('');
  });

  test('creates its table again when nft is killed', async () => {
    await agent.call.setHosts(both);
    network.device.run('pkill', '-KILL', '-x', '-P', String(agent.child.pid), 'nft');
    expect(await agent.next('problem')).toBe('nft: exited unexpectedly');
    expect(await agent.next('problem')).toBe(null);
    expect(await client.call.whoAnswers(a4, 443)).toBe('agent');
  });

  test('is not affected by a signal that a service manager sends to all its processes', async () => {
    await agent.call.setHosts(['a.example']);
    network.device.run('pkill', '-TERM', '-P', String(agent.child.pid));
    await agent.call.setHosts(both);
    expect(await client.call.whoAnswers(b4, 443)).toBe('agent');
    expect(agent.events('problem')).toEqual([]);
  });

  test('reports once that another agent has the table, and takes over after it', async () => {
    await agent.call.setHosts(['a.example']);
    const second = await startAgent();
    await second.call.setHosts(['b.example']);
    expect(await second.next('problem')).toBe(
      'another agent on this computer redirects connections (table inet gatehouse of nftables): only one can',
    );
    expect(await client.call.whoAnswers(b4, 443)).toBe('server');
    agent.child.kill('SIGKILL');
    expect(await second.next('problem')).toBe(null);
    expect(await client.call.whoAnswers(b4, 443)).toBe('agent');
    await end(second);
  });

  test.each([
    ['there is no nft', { nft: 'not-there' }, [], 'nft: not installed (package nftables)'],
    [
      'nft may do nothing',
      {},
      ['setpriv', '--bounding-set', '-net_admin'],
      'nft: cache initialization failed: Operation not permitted',
    ],
    [
      'it could not tell its own connections',
      {},
      ['setpriv', '--bounding-set', '-setgid'],
      'cannot join the agent group (CAP_SETGID)',
    ],
  ])('redirects nothing if %s, and reports it', async (_, options, within, problem) => {
    await end(agent);
    agent = await startAgent(options, within);
    await agent.call.setHosts(both);
    expect(agent.events('problem')).toEqual([problem]);
    expect(await client.call.whoAnswers(a4, 443)).toBe('server');
  });
});
