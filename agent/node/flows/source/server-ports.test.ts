import { expect, it } from 'vitest';
import { createServerPorts } from './server-ports.ts';

it('remembers TCP ports for one look more, UDP ports for none', () => {
  const ports = createServerPorts();
  const now = () => [ports.has('tcp', 80), ports.has('udp', 53), ports.has('udp', 80)];
  ports.note('tcp', 80);
  ports.note('udp', 53);
  const first = now();
  ports.startLook();
  const second = now();
  ports.startLook();
  expect([first, second, now()]).toEqual([
    [true, true, false],
    [true, false, false],
    [false, false, false],
  ]);
});
