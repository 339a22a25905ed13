import { expect, test } from 'vitest';
import { createServerPorts } from './server-ports.ts';

test('TCP ports are remembered for one more poll, UDP ports are not', () => {
  const ports = createServerPorts();
  const now = () => [ports.has('tcp', 80), ports.has('udp', 53), ports.has('udp', 80)];
  ports.add('tcp', 80);
  ports.add('udp', 53);
  const first = now();
  ports.startPoll();
  const second = now();
  ports.startPoll();
  expect([first, second, now()]).toEqual([
    [true, true, false],
    [true, false, false],
    [false, false, false],
  ]);
});
