import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { openExtensionLink } from '#agent/node/extensions/extension-link.ts';
import { catalogHosts, type HostNames } from '../host-names.ts';
import { createResolvedNames } from '../host-names-resolved.ts';
import { pollWithLsof } from './poll-with-lsof.ts';
import { createMonitoredFlows, isMonitored } from './monitored-flows.ts';
import type { MonitoredFlows } from './monitored-flows.ts';
import { createServerPorts } from './server-ports.ts';
import type { FlowMonitorAddress, FlowSource, SourceOptions } from './flow-source.ts';

/** The time after which lsof replaces FlowMonitor, which usually restarts sooner. */
const RESTART_TIMEOUT_MS = 10_000;

const TOO_MANY_FLOWS =
  'some network flows were not observed: there were more than this agent takes';

/**
 * Observes the sockets of a Mac: with FlowMonitor while it runs (every flow, with its bytes and
 * name), else with lsof. A flow that is open during a switch between them is reported as two.
 */
export function openDarwinSource(options: SourceOptions): FlowSource {
  const ports = createServerPorts();
  const monitor = options.flowMonitor ? openMonitor(options.flowMonitor, options) : noMonitor;
  const names = createResolvedNames({ hosts: catalogHosts, now: options.now });
  return {
    scope: 'darwin',
    // The kernel reuses the address of a socket. The time makes the id unique, and comes first so
    // that ids of similar times are stored side by side.
    flowId(key, startedAt) {
      const hash = createHash('sha256').update(`${key} ${startedAt}`).digest('hex');
      return `fl_${startedAt.toString(16).padStart(12, '0')}${hash.slice(0, 20)}`;
    },
    maxMisses: 1,
    async poll(visitor) {
      const missed = monitor.flows.takeDroppedCount() > 0 ? { error: TOO_MANY_FLOWS } : {};
      const state = monitor.state();
      if (state === 'away') return pollWithLsof(visitor, ports);
      if (state === 'expected') return { complete: false, ...missed };
      monitor.flows.visit(visitor);
      return { complete: true, ...missed };
    },
    isServerPort: ports.has,
    findOwners: () => new Map(),
    names: namesOf(monitor.flows, names),
    close: monitor.close,
  };
}

interface Monitor {
  flows: MonitoredFlows;
  /** `expected`: the connection is about to be established or restored. */
  state: () => 'listed' | 'expected' | 'away';
  close: () => void;
}

const noMonitor: Monitor = {
  flows: createMonitoredFlows({
    catalogHostOf: () => undefined,
    onConnecting: () => undefined,
    onClosed: () => false,
  }),
  state: () => 'away',
  close: () => undefined,
};

function openMonitor({ path, owner }: FlowMonitorAddress, options: SourceOptions): Monitor {
  const { now } = options;
  const flows = createMonitoredFlows(options);
  let isListed = false;
  /** Whether FlowMonitor is installed: its socket exists, or it has sent a message. */
  let isInstalled = existsSync(path);
  let goneSince = now();
  const link = openExtensionLink({
    path,
    owner,
    extension: 'flowmonitor',
    onReady() {
      flows.clear();
      link.send({ type: 'observe', on: true });
    },
    onMessage(message) {
      flows.handle(message);
      isListed ||= message.type === 'listed';
      isInstalled ||= isListed;
    },
    onGone() {
      isListed = false;
      goneSince = now();
    },
    onProblem: (line) => options.onMonitorProblem?.(line),
  });
  const isExpected = (): boolean => isInstalled && now() - goneSince < RESTART_TIMEOUT_MS;
  return {
    flows,
    state: () => (isListed ? 'listed' : isExpected() ? 'expected' : 'away'),
    close: link.close,
  };
}

/** FlowMonitor's name of a flow, else the name to which its address was resolved. */
function namesOf(flows: MonitoredFlows, resolved: HostNames): HostNames {
  return {
    ...resolved,
    nameOf(flow) {
      const { key } = flow;
      const name = key !== undefined && isMonitored(key) ? flows.nameOf(key) : undefined;
      return name === undefined ? resolved.nameOf(flow) : name;
    },
  };
}
