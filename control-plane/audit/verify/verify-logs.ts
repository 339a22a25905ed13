import type { Secrets } from '../../lib/derived-keys.ts';
import type { StorageOptions } from '../../storage/open.ts';
import {
  findSealedKey,
  hashAt,
  listTenantIds,
  openReadOnly,
  type Reader,
} from './verify-queries.ts';
import { type ChainBreak, type Verdict, verifyChain } from './verify-chain.ts';

/** An entry that the log contained at an earlier verification. */
export interface Anchor {
  tenantId: string;
  sequence: number;
  hash: string;
}

/** @throws Error */
export function readAnchor(text: string): Anchor {
  const [, tenantId = '', sequence, hash = ''] = /^(\w+):(\d+):([\da-f]{64})$/.exec(text) ?? [];
  if (sequence === undefined)
    throw new Error(
      `--anchor ${text}: expected an anchor as printed at the end of a line of this command`,
    );
  return { tenantId, sequence: Number(sequence), hash };
}

interface LogLine {
  line: string;
  isBroken: boolean;
}

/**
 * Verifies all tenants, or only one; yields one line per tenant.
 *
 * @throws Error
 */
export async function* verifyLogs(
  options: StorageOptions,
  secrets: Pick<Secrets, 'auditKey' | 'decrypt'>,
  { tenant, anchors }: { tenant: string | undefined; anchors: readonly Anchor[] },
): AsyncGenerator<LogLine> {
  await using opened = new AsyncDisposableStack();
  const { reader, close } = await openReadOnly(options);
  opened.defer(close);
  // With another key every entry would fail verification although none was altered.
  const sealed = await findSealedKey(reader);
  if (sealed) secrets.decrypt(sealed.private_key);
  for (const tenantId of await chooseTenants(reader, tenant)) {
    const verdict = await verifyChain(reader, secrets.auditKey, tenantId);
    yield lineOf(tenantId, verdict);
    if ('broken' in verdict) continue;
    for (const anchor of anchors.filter((candidate) => candidate.tenantId === tenantId))
      if ((await hashAt(reader, tenantId, anchor.sequence)) !== anchor.hash)
        yield { line: describeMissingAnchor(anchor), isBroken: true };
  }
}

async function chooseTenants(reader: Reader, requested: string | undefined) {
  const all = await listTenantIds(reader);
  if (requested === undefined) return all;
  if (!all.includes(requested)) throw new Error(`--tenant ${requested}: there is no such tenant`);
  return [requested];
}

const lineOf = (tenantId: string, verdict: Verdict): LogLine =>
  'broken' in verdict
    ? { line: `${tenantId}: ${describeBreak(verdict.broken)}`, isBroken: true }
    : {
        line: `${tenantId}: ${verdict.entries} entries, unbroken, anchor ${tenantId}:${verdict.entries}:${verdict.hash}`,
        isBroken: false,
      };

function describeBreak({ sequence, id, problem }: ChainBreak): string {
  switch (problem) {
    case 'changed':
      return `BROKEN at entry ${sequence} (${id}): it was altered`;
    case 'reordered':
      return `BROKEN at entry ${sequence} (${id}): it was moved here from another position`;
    case 'missing':
      return `BROKEN at entry ${sequence}: it is missing`;
    case 'cut off':
      return `BROKEN at entry ${sequence}: the log was truncated here`;
    case 'gone':
      return 'BROKEN: all entries are missing';
    case 'head changed':
      return `BROKEN after entry ${sequence}: the record of where the log ends was altered`;
  }
}

const describeMissingAnchor = ({ tenantId, sequence }: Anchor): string =>
  `${tenantId}: BROKEN at entry ${sequence}: the entry of this anchor is no longer in the log; the log was rolled back`;
