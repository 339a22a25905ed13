/** The local ports with a server behind them, as of the last looks. */
export interface ServerPorts {
  note: (protocol: 'tcp' | 'udp', port: number) => void;
  /** To call before each look: ports noted two looks ago are forgotten. */
  startLook: () => void;
  has: (protocol: 'tcp' | 'udp', port: number) => boolean;
}

/**
 * TCP ports of the look before count too: a connection accepted just before its server stopped
 * listening is seen only afterwards. UDP ports do not: a client's socket is itself without a remote
 * end until it connects.
 */
export function createServerPorts(): ServerPorts {
  const ports = { tcp: new Set<number>(), udp: new Set<number>() };
  let previousTcp = new Set<number>();
  return {
    note: (protocol, port) => void ports[protocol].add(port),
    startLook() {
      [previousTcp, ports.tcp] = [ports.tcp, previousTcp];
      ports.tcp.clear();
      ports.udp.clear();
    },
    has: (protocol, port) =>
      ports[protocol].has(port) || (protocol === 'tcp' && previousTcp.has(port)),
  };
}
