import { backoffMs } from '#agent/core/backoff.ts';
import {
  changeAddresses,
  createTable,
  holdTable,
  releaseTable,
} from '#agent/core/capture/doors/redirect-rules.ts';
import type { RedirectRules } from '#agent/core/capture/doors/redirect-rules.ts';
import { startNft } from './nft.ts';
import type { Nft } from './nft.ts';

/** The table in the kernel that takes connections to some addresses to this process. */
export interface RedirectTable {
  /** Resolves once they are in force, or cannot be for now: then it is tried again later. */
  setAddresses: (addresses: ReadonlySet<string>) => Promise<void>;
  /** Removes the table. It also cuts connections that are redirected now. */
  remove: () => Promise<void>;
}

export interface RedirectTableOptions {
  command?: string | undefined;
  onProblem: (line: string | null) => void;
}

const retryLimits = { firstMs: 1000, mostMs: 300_000 };

/** A run of nft with the table that it owns. */
interface Owner {
  nft: Nft;
  /** In the table now; nothing before there is a table. */
  addresses: ReadonlySet<string> | undefined;
  signs: NodeJS.Timeout;
}

/**
 * The table exists as long as the `nft` that made it, and that one as long as its standard input is
 * open: when this process ends, however it does, connections go their own way again at once.
 */
export function createRedirectTable(
  rules: RedirectRules,
  { command, onProblem }: RedirectTableOptions,
): RedirectTable {
  let wanted: ReadonlySet<string> = new Set();
  let owner: Owner | undefined;
  let retry: NodeJS.Timeout | undefined;
  let failures = 0;
  let queue: Promise<void> = Promise.resolve();

  /** One after the other: an answer of nft belongs to the latest command. */
  const enqueue = (work: () => Promise<void>): Promise<void> => (queue = queue.then(work));

  function start(): Owner {
    const nft = startNft(releaseTable(rules), command);
    void nft.ended.then(() => enqueue(() => fail(nft, 'nft: it has ended')));
    const giveSign = async (): Promise<void> => {
      await runAll(nft, [holdTable(rules)]);
    };
    const signs = setInterval(() => void enqueue(giveSign), (rules.holdSeconds * 1000) / 3);
    return { nft, addresses: undefined, signs };
  }

  async function bringAbout(): Promise<void> {
    if (retry || (!owner && wanted.size === 0)) return;
    const current = (owner ??= start());
    const after = wanted;
    const isDone = await runAll(current.nft, [
      ...(current.addresses ? [] : [createTable(rules), holdTable(rules)]),
      ...changeAddresses(rules, current.addresses ?? new Set(), after),
    ]);
    if (!isDone) return;
    current.addresses = after;
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

  /** Starts afresh, later. */
  async function fail(nft: Nft, line: string): Promise<void> {
    if (owner?.nft !== nft) return;
    onProblem(line);
    retry = setTimeout(
      () => {
        retry = undefined;
        void enqueue(bringAbout);
      },
      backoffMs(failures, Math.random(), retryLimits),
    );
    failures += 1;
    await endOwner();
  }

  async function endOwner(): Promise<void> {
    const ending = owner;
    owner = undefined;
    clearInterval(ending?.signs);
    await ending?.nft.end();
  }

  return {
    setAddresses(addresses) {
      wanted = addresses;
      return enqueue(bringAbout);
    },
    remove() {
      wanted = new Set();
      clearTimeout(retry);
      retry = undefined;
      failures = 0;
      return enqueue(async () => {
        await endOwner();
        onProblem(null);
      });
    },
  };
}
