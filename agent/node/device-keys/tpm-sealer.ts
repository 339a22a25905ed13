import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createNoSealer, type Sealer, type UnsealResult } from './sealer.ts';
import { formatSealedObject, parseSealedObject } from './sealed-object.ts';
import { findTpmAccess, type TpmAccess } from './tpm-access.ts';
import { runTpmTool, type ToolResult } from './tpm-tool.ts';

const TOOL_TIMEOUT_MS = 10_000;

const PRIMARY_ATTRIBUTES =
  'restricted|decrypt|fixedtpm|fixedparent|sensitivedataorigin|userwithauth|noda';
// `noda`: wrong passwords of other objects do not lock this one.
const SEALED_ATTRIBUTES = 'fixedtpm|fixedparent|userwithauth|noda';

// All properties are given, so that each version of the tools derives the same key. The key is derived
// from the owner seed of the TPM, and does not take up any of its storage.
const CREATE_PRIMARY = `tpm2_createprimary -Q -C o -g sha256 -G ecc256:aes128cfb -a ${PRIMARY_ATTRIBUTES} -c primary.ctx`;
const CREATE = `tpm2_create -Q -C primary.ctx -g sha256 -a ${SEALED_ATTRIBUTES} -i - -u sealed.pub -r sealed.priv`;
const LOAD = 'tpm2_load -Q -C primary.ctx -u sealed.pub -r sealed.priv -c sealed.ctx';
const UNSEAL = 'tpm2_unseal -c sealed.ctx';

/**
 * Seals with a TPM 2.0, by tpm2-tools (tested with 5.4). `tpm` is the path of a device or a TCTI of
 * tpm2-tools; null: no TPM is used.
 */
export function createTpmSealer(tpm: string | null, timeoutMs = TOOL_TIMEOUT_MS): Sealer {
  if (tpm === null)
    return createNoSealer(
      process.platform === 'linux' ? 'AGENT_TPM is off' : 'the agent uses TPMs only on Linux',
    );
  const inSession = <T>(
    access: TpmAccess,
    signal: AbortSignal,
    work: (session: Session) => Promise<T>,
  ): Promise<T> =>
    inWorkFolder((folder) =>
      work({
        run: (command, input) =>
          runTpmTool(command, { folder, access, timeoutMs, signal, ...(input && { input }) }),
        file: (name) => join(folder, name),
      }),
    );
  return {
    seal: async (secret, signal) => {
      const found = findTpmAccess(tpm);
      if ('obstacle' in found) return { error: found.obstacle.reason };
      return inSession(found.access, signal, (session) => seal(session, secret));
    },
    unseal: async (sealed, signal) => {
      const found = findTpmAccess(tpm);
      if ('obstacle' in found) return found.obstacle;
      return inSession(found.access, signal, (session) => unseal(session, sealed));
    },
  };
}

interface Session {
  run: (command: string, input?: Buffer) => Promise<ToolResult>;
  file: (name: string) => string;
}

/** Runs with a private folder, which never contains a secret. */
async function inWorkFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'agent-tpm-'));
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function seal({ run, file }: Session, secret: Buffer): ReturnType<Sealer['seal']> {
  const primary = await run(CREATE_PRIMARY);
  const created = primary.kind === 'done' ? await run(CREATE, secret) : primary;
  if (created.kind !== 'done') return { error: describe(created) };
  const sealed = formatSealedObject({
    publicPart: await readFile(file('sealed.pub')),
    privatePart: await readFile(file('sealed.priv')),
  });
  return { sealed };
}

async function unseal({ run, file }: Session, sealed: string): Promise<UnsealResult> {
  const object = parseSealedObject(sealed);
  if (!object) return { kind: 'foreign', reason: 'the sealed key is damaged' };
  await writeFile(file('sealed.pub'), object.publicPart);
  await writeFile(file('sealed.priv'), object.privatePart);
  const primary = await run(CREATE_PRIMARY);
  if (primary.kind !== 'done') return { kind: 'unavailable', reason: describe(primary) };
  const loaded = await run(LOAD);
  if (loaded.kind === 'failed' && hasFailedIntegrity(loaded.messages))
    return { kind: 'foreign', reason: "this computer's TPM has not sealed it" };
  const unsealed = loaded.kind === 'done' ? await run(UNSEAL) : loaded;
  return unsealed.kind === 'done'
    ? { kind: 'unsealed', secret: unsealed.output }
    : { kind: 'unavailable', reason: describe(unsealed) };
}

/**
 * Returns whether TPM2_Load has answered TPM_RC_INTEGRITY: the HMAC of the private part does not
 * verify with the key of this TPM (TPM 2.0 Library, part 3, TPM2_Load). tpm2-tools prints the
 * response code as `…_Load(0x1DF)`; bits 8 to 11 are the number of the parameter and bit 6 says that it
 * is one (part 2, "TPM_RC").
 */
export function hasFailedIntegrity(messages: string): boolean {
  const code = /_Load\(0x([0-9A-F]+)\)/i.exec(messages)?.[1];
  return code !== undefined && (parseInt(code, 16) & FORMAT_ONE_ERROR) === TPM_RC_INTEGRITY;
}

const FORMAT_ONE_ERROR = 0xbf;
const TPM_RC_INTEGRITY = 0x9f;

function describe(result: Exclude<ToolResult, { kind: 'done' }>): string {
  switch (result.kind) {
    case 'not_started':
      return result.code === 'ENOENT'
        ? 'tpm2-tools is not installed'
        : `tpm2-tools cannot be started: ${result.code}`;
    case 'timeout':
      return 'the TPM does not answer';
    case 'failed':
      return `tpm2-tools failed: ${firstError(result.messages)}`;
  }
}

/** The first line names the cause, the last one only the tool. */
const firstError = (messages: string): string =>
  /^ERROR: (.+)$/m.exec(messages)?.[1] ?? 'without a message';
