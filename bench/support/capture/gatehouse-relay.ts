/**
 * The agent's relay with everything that a device does to a captured connection: observing,
 * copying, joining and redacting. Reports are dropped instead of stored. The response to a message
 * is the number of reports since the previous message.
 *
 * gatehouse-relay.ts CERTIFICATES PORT     the server's port
 */
import { readFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { createCaptureTaps } from '#agent/node/capture/capture-taps.ts';
import { createInterceptor } from '#agent/node/capture/interceptor.ts';
import { createLeafCertificates } from '#agent/node/capture/leaf-certificates.ts';
import { createUpstreamContexts } from '#agent/node/capture/upstream-context.ts';
import type { Certificates } from './certificates.ts';
import { CAPTURED } from './traffic.ts';

/** The numbers of reports since the previous message. */
export interface ReportCounts {
  made: number;
  withBodies: number;
}

const [, , file = '', port] = process.argv;
const { authority, worldRoot } = JSON.parse(readFileSync(file, 'utf8')) as Certificates;
const leaves = createLeafCertificates(authority);
const upstreamContext = createUpstreamContexts({
  systemRoots: () => [worldRoot],
  tenantRoots: () => [],
});
const destination = { host: '127.0.0.1', port: Number(port), name: null };
const client = Promise.resolve({
  pid: 1,
  process: 'node',
  path: '/usr/bin/node',
  user: 'ada',
  signingId: null,
});
const config = {
  version: 1,
  capture_enabled: true,
  intercept_hosts: [CAPTURED],
  intercept_processes: [],
  blocked_hosts: [],
  blocked_processes: [],
  enforce_policies: false,
  pause_minutes: 0,
  coding_agents: 'off' as const,
  tool_checks: 'off' as const,
};

let counts: ReportCounts = { made: 0, withBodies: 0 };
const notices = new Set<string>();
const onNotice = (line: string): void => {
  if (!notices.has(line)) console.error(line);
  notices.add(line);
};
const taps = createCaptureTaps({
  onReport: (report) => {
    counts.made += 1;
    if (report.response_body !== null) counts.withBodies += 1;
  },
  onNotice,
});
const interceptor = createInterceptor({
  config: () => config,
  leafCertificates: () => leaves,
  upstreamContext,
  tap: taps.open,
  checks: { start: () => undefined, evaluate: () => Promise.resolve(null) },
  onNotice,
  onBlocked: onNotice,
});
const listener = createServer({ allowHalfOpen: true, pauseOnConnect: true }, (socket) =>
  interceptor.handle({ socket, destination, client }),
);
listener.listen(0, '127.0.0.1', () =>
  process.send?.({ port: (listener.address() as AddressInfo).port }),
);
process.on('message', () => {
  process.send?.(counts);
  counts = { made: 0, withBodies: 0 };
});
process.on('disconnect', () => process.exit());
