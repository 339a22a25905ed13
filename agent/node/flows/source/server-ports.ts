/** The local ports of servers in the latest polls. */
export interface ServerPorts {
  add: (protocol: 'tcp' | 'udp', port: number) => void;
  /** Call before each poll: ports added two polls ago are removed. */
  startPoll: () => void;
  has: (protocol: 'tcp' | 'udp', port: number) => boolean;
}

/**
 * TCP ports of the previous poll also count, because a connection may be accepted just before its
 * server stops listening. UDP ports do not: a client's socket has no remote end until it connects.
 */
export function createServerPorts(): ServerPorts {
  const ports = { tcp: new Set<number>(), udp: new Set<number>() };
  let previousTcp = new Set<number>();
  return {
    add: (protocol, port) => void ports[protocol].add(port),
    startPoll() {
      [previousTcp, ports.tcp] = [ports.tcp, previousTcp];
      ports.tcp.clear();
      ports.udp.clear();
    },
    has: (protocol, port) =>
      ports[protocol].has(port) || (protocol === 'tcp' && previousTcp.has(port)),
  };
}
