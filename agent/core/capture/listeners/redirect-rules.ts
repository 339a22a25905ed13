/** The IP versions, as the suffixes of the table's sets. */
export type IpVersion = 4 | 6;

/** Parameters of the kernel's redirection rules. */
export interface RedirectRules {
  table: string;
  /** The redirection targets on loopback; null: this IP version is not redirected. */
  ports: Record<IpVersion, RedirectPorts | null>;
  /** Sockets of this group are not redirected. */
  groupId: number;
  /** Sockets of this group are always redirected, to the ports for probes. */
  probeGroupId: number;
  /** The rules expire after this time without renewal. */
  holdSeconds: number;
}

export interface RedirectPorts {
  clients: number;
  probes: number;
}

export const versionOf = (address: string): IpVersion => (address.includes(':') ? 6 : 4);

/*
 * One nft line is one transaction. The table belongs to the process that creates it and is removed
 * with it (flag `owner`, Linux 5.12); only that process may change it. The port is an element with
 * a timeout, so the rules also expire when their owner hangs.
 */

/** Creates the table. It redirects only probes until it is renewed. */
export function createTable({ table, ports, groupId, probeGroupId }: RedirectRules): string {
  const versions = ([4, 6] as const).flatMap((version) => {
    const targets = ports[version];
    return targets ? [{ ip: version === 4 ? 'ip' : 'ip6', version, ...targets }] : [];
  });
  // Conntrack treats the next segment of a connection older than the table as its first one, so
  // only connections that start now are redirected.
  const isFirst = 'tcp flags & (syn | ack) == syn';
  const probes = versions.map(
    ({ ip, version, probes: port }) =>
      `meta skgid ${probeGroupId} ${ip} daddr @v${version} tcp dport 443 redirect to :${port};`,
  );
  const redirects = versions.map(
    ({ ip, version, clients: port }) =>
      `${ip} daddr @v${version} tcp dport @alive${version} ${isFirst} redirect to :${port};`,
  );
  // A client whose UDP (HTTP/3) is rejected falls back to TCP at once.
  const rejections = versions.map(
    ({ ip, version }) =>
      `${ip} daddr @v${version} udp dport @alive${version} reject with icmpx type port-unreachable;`,
  );
  return [
    `add table inet ${table} { flags owner;`,
    'set v4 { type ipv4_addr; }; set v6 { type ipv6_addr; };',
    'set alive4 { type inet_service; flags timeout; };',
    'set alive6 { type inet_service; flags timeout; };',
    // Runs before other redirections (-100), because the first one decides.
    'chain to_agent { type nat hook output priority -110; policy accept;',
    `${probes.join(' ')} meta skgid ${groupId} return; ${redirects.join(' ')} };`,
    'chain without_udp { type filter hook output priority 0; policy accept;',
    `meta skgid ${groupId} return; ${rejections.join(' ')} };`,
    '}',
  ].join(' ');
}

/** Renews the timeout for these IP versions, and ends the redirection of the others at once. */
export function renewTable(
  { table, holdSeconds }: RedirectRules,
  versions: ReadonlySet<IpVersion>,
): string {
  const element = `{ 443 timeout ${holdSeconds}s }`;
  return ([4, 6] as const)
    .flatMap((version) => [
      `flush set inet ${table} alive${version}`,
      ...(versions.has(version) ? [`add element inet ${table} alive${version} ${element}`] : []),
    ])
    .join('; ');
}

/** Ends the redirection at once. */
export const releaseTable = (rules: RedirectRules): string => renewTable(rules, new Set());

/** Changes the addresses from `before` to `after`: one line, or none if they are equal. */
export function changeAddresses(
  { table }: RedirectRules,
  before: ReadonlySet<string>,
  after: ReadonlySet<string>,
): string[] {
  const commands = [
    ...elements(`add element inet ${table}`, after.difference(before)),
    ...elements(`delete element inet ${table}`, before.difference(after)),
  ];
  return commands.length > 0 ? [commands.join('; ')] : [];
}

function elements(command: string, addresses: ReadonlySet<string>): string[] {
  const v4 = [...addresses].filter((address) => versionOf(address) === 4);
  const v6 = [...addresses].filter((address) => versionOf(address) === 6);
  return [
    ...(v4.length > 0 ? [`${command} v4 { ${v4.join(', ')} }`] : []),
    ...(v6.length > 0 ? [`${command} v6 { ${v6.join(', ')} }`] : []),
  ];
}
