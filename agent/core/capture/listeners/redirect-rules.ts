/** What the rules in the kernel depend on. */
export interface RedirectRules {
  table: string;
  /** Where connections are taken to, on loopback; null: not those of this IP version. */
  port4: number | null;
  port6: number | null;
  /** Sockets made under this group are left alone. */
  groupId: number;
  /** Without a sign of life for so long, the rules stop to apply. */
  holdSeconds: number;
}

/*
 * One line for nft is one transaction. The table belongs to the process that makes it and goes with
 * it (flags owner, Linux 5.12); only that process may change it. The port is an element that expires,
 * so that the rules also stop to apply when their owner hangs.
 */

/** Makes the table, with nothing in it to be taken. */
export function createTable(rules: RedirectRules): string {
  const { table, groupId } = rules;
  const versions = [
    { ip: 'ip', set: 'v4', port: rules.port4 },
    { ip: 'ip6', set: 'v6', port: rules.port6 },
  ].filter(({ port }) => port !== null);
  // Of a connection that was open before there was a table, the next segment looks like the first.
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
    // Before other redirections (-100): the first one decides.
    'chain to_agent { type nat hook output priority -110; policy accept;',
    `meta skgid ${groupId} return; ${redirects.join(' ')} };`,
    'chain without_udp { type filter hook output priority 0; policy accept;',
    `meta skgid ${groupId} return; ${rejections.join(' ')} };`,
    '}',
  ].join(' ');
}

/** The sign of life. */
export function renewTable({ table, holdSeconds }: RedirectRules): string {
  const element = `{ 443 timeout ${holdSeconds}s }`;
  return `flush set inet ${table} alive; add element inet ${table} alive ${element}`;
}

/** The rules stop to apply at once. */
export function releaseTable({ table }: RedirectRules): string {
  return `flush set inet ${table} alive`;
}

/** Makes the addresses `before` into those of `after`: one line, or none if they are the same. */
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
