import { backoffMs } from '#agent/core/backoff.ts';
import {
  changeAddresses,
  createTable,
  renewTable,
  releaseTable,
  versionOf,
} from '#agent/core/capture/listeners/redirect-rules.ts';
import type { IpVersion, RedirectRules } from '#agent/core/capture/listeners/redirect-rules.ts';
import { oneLine } from '#lib/one-line.ts';
import { startNft } from './nft.ts';
import type { Nft } from './nft.ts';

/** The nftables table that redirects connections to some addresses to this process. */
export interface RedirectTable {
  /**
   * Sets the redirected addresses. Resolves once they are applied, or the attempt has failed and
   * will be retried.
   */
  setAddresses: (addresses: ReadonlySet<string>) => Promise<void>;
  /** Removes the table. This also cuts connections that are currently redirected. */
  remove: () => Promise<void>;
}

export interface RedirectTableOptions {
  /** Whether connections to this address arrive at this process when they are redirected. */
  arrives: (address: string) => Promise<boolean>;
  command?: string | undefined;
  onProblem: (line: string | null) => void;
}

const messageOf = (error: unknown): string =>
  oneLine(`nft: ${error instanceof Error ? error.message : String(error)}`);

const retryLimits = { firstMs: 1000, maxMs: 300_000 };

/** The message about a table that belongs to another process. */
const NOT_OWNER = 'nft: Could not process rule: Operation not permitted';
const OTHER_AGENT =
  'another agent on this computer redirects connections (table inet gatehouse of nftables): only one can';

function describeLost(versions: ReadonlySet<IpVersion>): string | null {
  const names = [...versions].map((version) => `IPv${version}`);
  if (names.length === 0) return null;
  return `${names.join(' and ')} not redirected: a firewall on this computer drops redirected connections`;
}

/** A running nft with the table that it owns. */
interface NftOwner {
  nft: Nft;
  /** The addresses in the table; undefined before the table exists. */
  addresses: ReadonlySet<string> | undefined;
  /** The IP versions that were probed, whatever the result. */
  probed: ReadonlySet<IpVersion>;
  holdTimer: NodeJS.Timeout;
}

/**
 * The table exists as long as the `nft` process that owns it, which exits when its standard input
 * is closed: when this process ends for any reason, connections are no longer redirected.
 *
 * A firewall may drop connections that are redirected to loopback, although it accepts them to their
 * own address. So nothing is redirected before a probe has arrived, nor while none does.
 */
export function createRedirectTable(
  rules: RedirectRules,
  { arrives, command, onProblem }: RedirectTableOptions,
): RedirectTable {
  let desired: ReadonlySet<string> = new Set();
  let owner: NftOwner | undefined;
  let retryTimer: NodeJS.Timeout | undefined;
  let failures = 0;
  let queue: Promise<void> = Promise.resolve();

  /**
   * Serialized, because output of nft belongs to the latest command. Work that throws counts as a
   * failed attempt, and later work runs all the same. Never rejects: if the report of the failure
   * fails too, a retry is already planned, and its outcome is reported.
   */
  const enqueue = (work: () => Promise<void>): Promise<void> =>
    (queue = queue
      .then(work)
      .catch((error: unknown) => retryLater(messageOf(error)))
      .catch(() => undefined));

  function start(): NftOwner {
    const nft = startNft(releaseTable(rules), command);
    void nft.exited.then(() => enqueue(() => fail(nft, 'nft: exited unexpectedly')));
    const renewHold = async (): Promise<void> => {
      if (owner?.nft === nft) await renew(owner);
    };
    const holdTimer = setInterval(() => void enqueue(renewHold), (rules.holdSeconds * 1000) / 3);
    return { nft, addresses: undefined, probed: new Set(), holdTimer };
  }

  /** Redirects the IP versions whose probes arrive. Returns whether nft could do that. */
  async function renew(current: NftOwner): Promise<boolean> {
    const addresses = [...(current.addresses ?? [])];
    const probed = versionsOf(addresses);
    const arrived = await arrivingOf(probed, addresses);
    if (!(await runAll(current.nft, [renewTable(rules, arrived)]))) return false;
    current.probed = probed;
    onProblem(describeLost(probed.difference(arrived)));
    return true;
  }

  /** The IP versions of addresses that can be redirected. */
  const versionsOf = (addresses: readonly string[]): Set<IpVersion> =>
    new Set(addresses.map(versionOf).filter((version) => rules.ports[version] !== null));

  async function arrivingOf(
    versions: ReadonlySet<IpVersion>,
    addresses: readonly string[],
  ): Promise<Set<IpVersion>> {
    const arrived = new Set<IpVersion>();
    const probe = async (version: IpVersion): Promise<void> => {
      const address = addresses.find((one) => versionOf(one) === version);
      if (address !== undefined && (await arrives(address))) arrived.add(version);
    };
    await Promise.all([...versions].map(probe));
    return arrived;
  }

  async function reconcile(): Promise<void> {
    if (retryTimer || (!owner && desired.size === 0)) return;
    const current = (owner ??= start());
    const addresses = desired;
    const isApplied = await runAll(current.nft, [
      ...(current.addresses ? [] : [createTable(rules)]),
      ...changeAddresses(rules, current.addresses ?? new Set(), addresses),
    ]);
    if (!isApplied) return;
    current.addresses = addresses;
    const isProbed = versionsOf([...addresses]).isSubsetOf(current.probed);
    if (!isProbed && !(await renew(current))) return;
    failures = 0;
  }

  async function runAll(nft: Nft, lines: readonly string[]): Promise<boolean> {
    for (const line of lines) {
      const error = await nft.run(line);
      if (error === undefined) continue;
      await fail(nft, error);
      return false;
    }
    return true;
  }

  async function fail(nft: Nft, line: string): Promise<void> {
    if (owner?.nft === nft) await retryLater(line === NOT_OWNER ? OTHER_AGENT : line);
  }

  /** Stops nft and retries later. */
  async function retryLater(line: string): Promise<void> {
    clearTimeout(retryTimer);
    retryTimer = setTimeout(
      () => {
        retryTimer = undefined;
        void enqueue(reconcile);
      },
      backoffMs(failures, Math.random(), retryLimits),
    );
    failures += 1;
    await stopOwner();
    onProblem(line);
  }

  async function stopOwner(): Promise<void> {
    const previousOwner = owner;
    owner = undefined;
    clearInterval(previousOwner?.holdTimer);
    await previousOwner?.nft.stop();
  }

  return {
    setAddresses(addresses) {
      desired = addresses;
      return enqueue(reconcile);
    },
    remove() {
      desired = new Set();
      clearTimeout(retryTimer);
      retryTimer = undefined;
      failures = 0;
      return enqueue(async () => {
        await stopOwner();
        onProblem(null);
      });
    },
  };
}
