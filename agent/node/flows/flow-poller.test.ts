import { expect, test } from 'vitest';
import { createFlowTable } from '#agent/core/flow-table.ts';
import type { FlowSocket } from '#agent/core/flow-table.ts';
import { isExcluded } from './flow-poller.ts';

const rules = {
  isServerPort: (protocol: string, port: number) => protocol === 'tcp' && port === 8080,
  excluded: [{ address: '::ffff:10.0.0.9', port: 8443 }],
  ownPid: 77,
};

test.each<[string, Partial<FlowSocket>, boolean]>([
  ['another machine', {}, false],
  ['loopback', { address: '127.0.0.2' }, true],
  ['loopback over IPv6', { address: '::1' }, true],
  ['an own address', { address: '10.0.0.1' }, true],
  ['the control plane', { address: '10.0.0.9', port: 8443 }, true],
  ['another port of the control plane', { address: '10.0.0.9', port: 443 }, false],
  ['the agent itself', { owner: { pid: 77, name: 'agent', path: null } }, true],
  ['another process', { owner: { pid: 78, name: 'curl', path: null } }, false],
  ['accepted by a server here', { localPort: 8080 }, true],
  ['the same port number over UDP', { localPort: 8080, protocol: 'udp' }, false],
])('whether a flow is excluded: %s', (_, over, expected) => {
  const table = createFlowTable({ idOf: String, reportIntervalMs: 1, maxMisses: 1 });
  const socket: FlowSocket = {
    key: 1,
    protocol: 'tcp',
    inode: 1,
    user: null,
    owner: null,
    localAddress: '10.0.0.1',
    localPort: 40_000,
    address: '10.0.0.2',
    port: 443,
    ...over,
  };
  expect(isExcluded(table.add(socket, 0), rules)).toBe(expected);
});
