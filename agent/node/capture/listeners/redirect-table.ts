import { backoffMs } from '#agent/core/backoff.ts';
import {
  changeAddresses,
  createTable,
  renewTable,
  releaseTable,
} from '#agent/core/capture/listeners/redirect-rules.ts';
import type { RedirectRules } from '#agent/core/capture/listeners/redirect-rules.ts';
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
  command?: string | undefined;
  onProblem: (line: string | null) => void;
}

const messageOf = (error: unknown): string =>
  oneLine(`nft: ${error instanceof Error ? error.message : String(error)}`);

const retryLimits = { firstMs: 1000, maxMs: 300_000 };

/** A running nft with the table that it owns. */
interface NftOwner {
  nft: Nft;
  /** The addresses in the table; undefined before the table exists. */
  addresses: ReadonlySet<string> | undefined;
  holdTimer: NodeJS.Timeout;
}

/**
 * The table exists as long as the `nft` process that owns it, which exits when its standard input
 * is closed: when this process ends for any reason, connections are no longer redirected.
 */
export function createRedirectTable(
  rules: RedirectRules,
  { command, onProblem }: RedirectTableOptions,
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
      await runAll(nft, [renewTable(rules)]);
    };
    const holdTimer = setInterval(() => void enqueue(renewHold), (rules.holdSeconds * 1000) / 3);
    return { nft, addresses: undefined, holdTimer };
  }

  async function reconcile(): Promise<void> {
    if (retryTimer || (!owner && desired.size === 0)) return;
    const current = (owner ??= start());
    const addresses = desired;
    const isApplied = await runAll(current.nft, [
      ...(current.addresses ? [] : [createTable(rules), renewTable(rules)]),
      ...changeAddresses(rules, current.addresses ?? new Set(), addresses),
    ]);
    if (!isApplied) return;
    current.addresses = addresses;
    failures = 0;
    onProblem(null);
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
    if (owner?.nft === nft) await retryLater(line);
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
