import type { FlowSocket } from '#agent/core/flow-table.ts';
import { plainAddress } from '#agent/core/ip-address.ts';

/** The internet sockets of a machine, parsed from `lsof -F`. */
export interface LsofSockets {
  connected: { socket: FlowSocket; isEstablished: boolean }[];
  /** Local ports without a remote end. */
  servers: { protocol: 'tcp' | 'udp'; port: number }[];
}

/** The fields that `readLsof` needs, for the option -F. */
export const LSOF_FIELDS = 'pcLftPnTd';

const connectingStates = new Set(['SYN_SENT', 'SYN-SENT']);
const ignoredStates = new Set(['CLOSED', 'TIME_WAIT', 'SYN_RCDV', 'SYN_RECV']);

/**
 * Parses the output of `lsof -nP -i -F<lsofFields>`: one field per line, whose first character is
 * its kind. A process starts with `p`, a file with `f`. A socket that several processes share is
 * attributed to the first one. Its key consists of the device, the address of the socket in the
 * kernel, and its endpoints.
 */
export function readLsof(output: string): LsofSockets {
  const sockets: LsofSockets = { connected: [], servers: [] };
  const seen = new Set<string>();
  let processFields: Fields = {};
  let fields: Fields = {};
  const finish = () => addSocket(fields, seen, sockets);
  for (const line of output.split('\n')) {
    const kind = line.charAt(0);
    const value = line.slice(1);
    if (kind === 'p' || kind === 'f') {
      finish();
      fields = kind === 'p' ? (processFields = { p: value }) : { ...processFields, f: value };
    } else if (kind === 'T') {
      if (value.startsWith('ST=')) fields.T = value.slice(3);
    } else if (kind !== '') fields[kind] = value;
  }
  finish();
  return sockets;
}

type Fields = Record<string, string | undefined>;

function addSocket(fields: Fields, seen: Set<string>, sockets: LsofSockets): void {
  const protocol = protocolOf(fields);
  const [local, remote] = (fields.n ?? '').split('->').map(parseEndpoint);
  if (!fields.f || !protocol || !local) return;
  if (!remote) {
    sockets.servers.push({ protocol, port: local.port });
    return;
  }
  const key = `${protocol} ${fields.d} ${fields.n}`;
  const state = fields.T ?? '';
  if (ignoredStates.has(state) || seen.has(key)) return;
  seen.add(key);
  const socket: FlowSocket = {
    key,
    protocol,
    localAddress: local.address,
    localPort: local.port,
    address: remote.address,
    port: remote.port,
    inode: 0,
    user: fields.L ?? null,
    owner: { pid: Number(fields.p), name: nameOf(fields.c ?? ''), path: null },
  };
  sockets.connected.push({ socket, isEstablished: !connectingStates.has(state) });
}

function protocolOf({ P }: Fields): 'tcp' | 'udp' | undefined {
  return P === 'TCP' ? 'tcp' : P === 'UDP' ? 'udp' : undefined;
}

/** Parses `10.0.0.1:443` or `[2001:db8::1]:443`; undefined if the port or the address is `*`. */
function parseEndpoint(text: string): { address: string; port: number } | undefined {
  const at = text.lastIndexOf(':');
  const port = text.slice(at + 1);
  if (at < 0 || !/^\d+$/.test(port)) return undefined;
  return { address: plainAddress(text.slice(0, at)), port: Number(port) };
}

/** Decodes a command name, in which lsof writes spaces and unprintable characters as \\xNN. */
function nameOf(command: string): string {
  return command.replace(/\\x([0-9a-f]{2})/g, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
}
