import { createSocket } from 'node:dgram';
import { Resolver } from 'node:dns/promises';
import { once } from 'node:events';
import { describe, expect, test, vi } from 'vitest';
import { catalogHostOf } from './host-names.ts';
import { createObservedNames } from './host-names-observed.ts';
import { createResolvedNames } from './host-names-resolved.ts';

const flow = (over = {}) => ({
  protocol: 'tcp' as const,
  localPort: 40_000,
  address: '10.0.0.1',
  port: 443,
  ...over,
});
const ends = { localPort: 40_000, remote: Uint8Array.of(10, 0, 0, 1), port: 443 };

describe('names observed on the wire', () => {
  const cases: [string, (names: ReturnType<typeof createObservedNames>) => void, unknown][] = [
    ['nothing seen', () => undefined, undefined],
    ['asked for', (names) => names.addDnsResponse(dnsResponse('api.openai.com')), 'api.openai.com'],
    [
      'asked for, not in the catalog',
      (n) => n.addDnsResponse(dnsResponse('example.com')),
      undefined,
    ],
    ['said in the hello', (n) => n.addClientHello(ends, hello('Claude.AI')), 'claude.ai'],
    [
      'the hello decides over an address that is shared',
      (names) => {
        names.addDnsResponse(dnsResponse('api.openai.com'));
        names.addClientHello(ends, hello('www.example.com'));
      },
      null,
    ],
    [
      'the cover name of an encrypted hello says nothing',
      (names) => {
        names.addDnsResponse(dnsResponse('chatgpt.com'));
        names.addClientHello(ends, hello('cloudflare-ech.com'));
      },
      'chatgpt.com',
    ],
    ['no hello at all', (n) => n.addClientHello(ends, Uint8Array.of(0x16, 3, 1)), undefined],
  ];
  test.each(cases)('%s', (_, see, expected) => {
    const names = createObservedNames({ catalogHostOf, now: () => 0 });
    see(names);
    expect(names.nameOf(flow())).toBe(expected);
  });

  test('a ClientHello names only its own connection, a DNS answer every connection to the address', () => {
    const names = createObservedNames({ catalogHostOf, now: () => 0 });
    names.addClientHello(ends, hello('claude.ai'));
    names.addDnsResponse(dnsResponse('api.openai.com'));
    expect([
      names.nameOf(flow()),
      names.nameOf(flow({ localPort: 40_001 })),
      names.nameOf(flow({ protocol: 'udp' })),
      names.nameOf(flow({ address: '10.0.0.2' })),
    ]).toEqual(['claude.ai', 'api.openai.com', 'api.openai.com', undefined]);
  });

  test('passes on addresses of catalog hosts, and of no others', () => {
    const onResolved = vi.fn<(...dnsResponse: unknown[]) => void>();
    const names = createObservedNames({ catalogHostOf, onResolved, now: () => 0 });
    names.addDnsResponse(dnsResponse('example.com'));
    names.addDnsResponse(dnsResponse('api.openai.com', 300));
    expect(onResolved.mock.calls).toEqual([['api.openai.com', ['10.0.0.1'], 300]]);
  });

  test('a DNS answer is valid for at least a minute and at most an hour', () => {
    let now = 0;
    const names = createObservedNames({ catalogHostOf, now: () => now });
    const at = (time: number) => ((now = time), names.nameOf(flow()));
    names.addDnsResponse(dnsResponse('api.openai.com', 1));
    expect([at(59_999), at(60_000)]).toEqual(['api.openai.com', undefined]);
    names.addDnsResponse(dnsResponse('api.openai.com', 1_000_000));
    expect([at(3_659_999), at(3_660_000)]).toEqual(['api.openai.com', undefined]);
  });
});

describe('names from lookups', () => {
  test('queries the name server once per interval, and names an address that only one host has', async () => {
    const addresses: Record<string, string> = {
      'api.openai.com': '10.0.0.1',
      'claude.ai': '10.0.0.2',
      'chatgpt.com': '10.0.0.2',
    };
    await using server = await nameServer(addresses);
    let now = 0;
    const names = createResolvedNames({
      hosts: () => [...Object.keys(addresses), 'not-there.example'],
      resolve: (host) => server.resolver.resolve4(host),
      now: () => now,
      intervalMs: 1000,
    });
    expect(names.nameOf(flow({ port: 80 }))).toBeUndefined();
    expect(server.queriedNames).toEqual([]);
    await vi.waitFor(() => expect(names.nameOf(flow())).toBe('api.openai.com'));
    await vi.waitFor(() => expect(server.queriedNames).toHaveLength(4));
    expect(names.nameOf(flow({ address: '10.0.0.2' }))).toBeUndefined();
    expect(server.queriedNames).toHaveLength(4);
    now = 1000;
    names.nameOf(flow({ address: '10.0.0.2' }));
    await vi.waitFor(() => expect(server.queriedNames).toHaveLength(8));
    names.stop();
    now = 9000;
    names.nameOf(flow());
    expect(server.queriedNames).toHaveLength(8);
  });
});

const labels = (name: string) =>
  name.split('.').flatMap((label) => [label.length, ...Buffer.from(label)]);

/** A DNS response with one A record, 10.0.0.1. */
function dnsResponse(name: string, ttl = 60): Uint8Array {
  const question = [...labels(name), 0, 0, 1, 0, 1];
  const time = [ttl >>> 24, (ttl >> 16) & 255, (ttl >> 8) & 255, ttl & 255];
  const record = [0xc0, 12, 0, 1, 0, 1, ...time, 0, 4, 10, 0, 0, 1];
  return Uint8Array.from([0, 1, 0x81, 0x80, 0, 1, 0, 1, 0, 0, 0, 0, ...question, ...record]);
}

/** Returns a TLS ClientHello that contains only a server name. */
function hello(name: string): Uint8Array {
  const u16 = (value: number) => [value >> 8, value & 255];
  const entry = [0, ...u16(name.length), ...Buffer.from(name)];
  const list = [...u16(entry.length), ...entry];
  const extensions = [0, 0, ...u16(list.length), ...list];
  const body = [3, 3, ...Array<number>(32).fill(0), 0, 0, 2, 0x13, 1, 1, 0];
  const whole = [...body, ...u16(extensions.length), ...extensions];
  return Uint8Array.from([
    22,
    3,
    1,
    ...u16(whole.length + 4),
    1,
    0,
    ...u16(whole.length),
    ...whole,
  ]);
}

/** Starts a real name server on loopback with a few names; other names do not exist. */
async function nameServer(addresses: Record<string, string>) {
  const socket = createSocket('udp4');
  const queriedNames: string[] = [];
  socket.on('message', (query, from) => {
    const end = query.indexOf(0, 12);
    const name = Object.keys(addresses).find((one) =>
      query.subarray(12, end).equals(Uint8Array.from(labels(one))),
    );
    queriedNames.push(name ?? 'other');
    const address = (name && addresses[name])?.split('.').map(Number);
    const record = address ? [0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 60, 0, 4, ...address] : [];
    const head = [0x81, address ? 0x80 : 0x83, 0, 1, 0, address ? 1 : 0, 0, 0, 0, 0];
    const question = [...query.subarray(12, end + 5)];
    socket.send(
      Uint8Array.from([...query.subarray(0, 2), ...head, ...question, ...record]),
      from.port,
      from.address,
    );
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  const resolver = new Resolver();
  resolver.setServers([`127.0.0.1:${socket.address().port}`]);
  return {
    resolver,
    queriedNames,
    async [Symbol.asyncDispose]() {
      socket.close();
      await once(socket, 'close');
    },
  };
}
