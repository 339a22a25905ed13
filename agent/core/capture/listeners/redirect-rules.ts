/** Parameters of the kernel's redirection rules. */
export interface RedirectRules {
  table: string;
  /** The redirection target on loopback; null: this IP version is not redirected. */
  port4: number | null;
  port6: number | null;
  /** Sockets of this group are not redirected. */
  groupId: number;
  /** The rules expire after this time without renewal. */
  holdSeconds: number;
}

/*
 * One nft line is one transaction. The table belongs to the process that creates it and is removed
 * with it (flag `owner`, Linux 5.12); only that process may change it. The port is an element with
 * a timeout, so the rules also expire when their owner hangs.
 */

/** Creates the table without addresses to redirect. */
export function createTable(rules: RedirectRules): string {
  const { table, groupId } = rules;
  const versions = [
    { ip: 'ip', set: 'v4', port: rules.port4 },
    { ip: 'ip6', set: 'v6', port: rules.port6 },
  ].filter(({ port }) => port !== null);
  // Conntrack treats the next segment of a connection older than the table as its first one, so
  // only connections that start now are redirected.
  const isFirst = 'tcp flags & (syn | ack) == syn';
  const redirects = versions.map(
    ({ ip, set, port }) => `${ip} daddr @${set} tcp dport @alive ${isFirst} redirect to :${port};`,
  );
  // A client whose UDP (HTTP/3) is rejected falls back to TCP at once.
  const rejections = versions.map(
    ({ ip, set }) =>
      `${ip} daddr @${set} udp dport @alive reject with icmpx type port-unreachable;`,
  );
  return [
    `add table inet ${table} { flags owner;`,
    'set v4 { type ipv4_addr; }; set v6 { type ipv6_addr; };',
    'set alive { type inet_service; flags timeout; };',
    // Runs before other redirections (-100), because the first one decides.
    'chain to_agent { type nat hook output priority -110; policy accept;',
    `meta skgid ${groupId} return; ${redirects.join(' ')} };`,
    'chain without_udp { type filter hook output priority 0; policy accept;',
    `meta skgid ${groupId} return; ${rejections.join(' ')} };`,
    '}',
  ].join(' ');
}

/** Renews the timeout. */
export function renewTable({ table, holdSeconds }: RedirectRules): string {
  const element = `{ 443 timeout ${holdSeconds}s }`;
  return `flush set inet ${table} alive; add element inet ${table} alive ${element}`;
}

/** Ends the redirection at once. */
export function releaseTable({ table }: RedirectRules): string {
  return `flush set inet ${table} alive`;
}

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
  const isIpv6 = (address: string): boolean => address.includes(':');
  const v4 = [...addresses].filter((address) => !isIpv6(address));
  const v6 = [...addresses].filter(isIpv6);
  return [
    ...(v4.length > 0 ? [`${command} v4 { ${v4.join(', ')} }`] : []),
    ...(v6.length > 0 ? [`${command} v6 { ${v6.join(', ')} }`] : []),
  ];
}
