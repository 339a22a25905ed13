import { once } from 'node:events';
import { createSocket } from 'node:dgram';
import { createServer, connect } from 'node:net';
import type { AddressInfo } from 'node:net';
import { describe, expect, test, vi } from 'vitest';
import { bootSecondMachine } from '../testing/second-machine.ts';
import { firstOutput } from '../testing/programs.ts';
import { ipText } from '#agent/core/ip-address.ts';
import { connectionFilter } from './packet-filter.ts';
import { tapPackets } from './packet-tap.ts';

test('the program only jumps forwards and within its limits', () => {
  const bytes = connectionFilter();
  const count = bytes.length / 8;
  expect(Number.isInteger(count)).toBe(true);
  for (let at = 0; at < count; at++) {
    const furthest = Math.max(bytes[at * 8 + 2] ?? 0, bytes[at * 8 + 3] ?? 0);
    expect(at + 1 + furthest).toBeLessThanOrEqual(count);
  }
});

const PEER = `
require('node:net').createServer((s) => s.on('error', () => {}).on('data', () => s.write('data')))
  .listen(7001, '::', () => console.log('ready'));
const names = require('node:dgram').createSocket('udp6');
names.on('message', (m, from) => names.send(m, from.port, from.address)).bind(53);`;

describe('the kernel accepts', { tags: ['networks'] }, () => {
  test('only SYN packets, ClientHellos and DNS responses', async () => {
    await using machine = await bootSecondMachine();
    await firstOutput(machine.start(process.execPath, ['-e', PEER]));
    const seen: string[] = [];
    // Other programs on this machine connect meanwhile, so only packets of the second machine
    // count.
    const tap = tapPackets(({ protocol, endpoints, isConnecting, payload }) => {
      const size = endpoints.remote.length === 4 ? 4 : 16;
      const both = [ipText(endpoints.remote, 0, size), ipText(endpoints.local, 0, size)];
      if (!both.includes(machine.there) && !both.includes(machine.there6)) return;
      const what = isConnecting ? 'begins' : Buffer.from(payload).toString();
      seen.push(`${protocol} ${size} ${what}`);
    });
    const hello = '\u0016\u0003\u0001\u0000\u0005\u0001hello';
    for (const address of [machine.there, machine.there6]) {
      const socket = connect(7001, address);
      for (const text of ['plain', hello, '\u0016\u0003\u0001\u0000\u0005\u0002no', 'last']) {
        socket.write(text);
        await once(socket, 'data');
      }
      socket.destroy();
    }
    await connectOnLoopback();
    const udp = createSocket('udp6');
    udp.send('question', 53, machine.there6);
    await once(udp, 'message');
    udp.close();
    await vi.waitFor(() => expect(seen).toHaveLength(5));
    expect(seen).toEqual([
      'tcp 4 begins',
      `tcp 4 ${hello}`,
      'tcp 16 begins',
      `tcp 16 ${hello}`,
      'udp 16 question',
    ]);
    tap?.close();
  });
});

async function connectOnLoopback(): Promise<void> {
  const server = createServer((socket) => socket.pipe(socket)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  socket.write('\u0016\u0003\u0001\u0000\u0005\u0001loopback');
  await once(socket, 'data');
  socket.destroy();
  server.close();
}
