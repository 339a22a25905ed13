import type { Flow } from '#agent/core/flow-table.ts';
import { isLoopback, plainAddress } from '#agent/core/ip-address.ts';

export interface LeaveOutRules {
  isServerPort: (protocol: 'tcp' | 'udp', port: number) => boolean;
  /** Where the control plane is now. */
  excluded: readonly { address: string; port: number }[];
  ownPid: number;
}

/**
 * What is no flow to report: traffic that stays on this machine, the control plane, what the agent
 * does itself, and connections that a server here accepted (its own end then has a server's port).
 */
export function isLeftOut(flow: Flow, rules: LeaveOutRules): boolean {
  return (
    isLoopback(flow.address) ||
    flow.address === flow.localAddress ||
    flow.owner?.pid === rules.ownPid ||
    rules.isServerPort(flow.protocol, flow.localPort) ||
    rules.excluded.some(
      ({ address, port }) => port === flow.port && plainAddress(address) === flow.address,
    )
  );
}
