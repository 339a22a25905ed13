import { dirname, join } from 'node:path';
import { z } from 'zod';
import { RELAY_PORT } from '#domain/coding-agents/relay-address.ts';
import { describeIssues } from '#contract/errors.ts';
import { logLevels } from './node/log.ts';
import { platform } from './node/platform.ts';
import { TOOL_SOCKET_NAME } from '#domain/coding-agents/tool-socket.ts';
import { serviceRunFolder, serviceStateFolder } from './node/state/service-folders.ts';

const seconds = (fallback: number) => z.coerce.number().positive().max(86_400).default(fallback);
const absolutePath = z.string().startsWith('/', 'expected an absolute path');

/** A file that may be missing begins with `-`. */
const optionalFile = z.string().regex(/^-?\//, 'expected an absolute path');

/** An empty variable counts as unset, because most launchers write "no value" that way. */
const environment = z.object({
  MANAGED_PREFERENCES: absolutePath.optional(),
  AGENT_STATE_DIR: absolutePath.optional(),
  APP_BUNDLE_ID: z
    .string()
    .regex(/^[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)+$/, 'expected a bundle id like com.example.agent')
    .default('com.gatehouse.agent'),
  AGENT_TRUSTED_ROOTS: optionalFile.optional(),
  AGENT_HARDWARE_ID: z.string().min(8).max(128).optional(),
  LOG_LEVEL: z.enum(logLevels).default('info'),
  AGENT_INVENTORY_SECONDS: seconds(3600),
  AGENT_HEARTBEAT_SECONDS: seconds(30),
  AGENT_FLOW_UPLOAD_SECONDS: seconds(2),
  // Clients time out if they wait longer.
  AGENT_POLICY_CHECK_SECONDS: z.coerce.number().positive().max(30).default(2),
  AGENT_PROXY_PORT: z
    .union([z.literal('off'), z.coerce.number().int().min(0).max(65_535)])
    .default(9877),
  AGENT_OTLP_PORT: z
    .union([z.literal('off'), z.coerce.number().int().min(0).max(65_535)])
    .default(RELAY_PORT),
  AGENT_SYSTEM_TRUST: z.enum(['on', 'off']).optional(),
  AGENT_TOOL_SOCKET: absolutePath.max(107, 'expected at most 107 characters').optional(),
  AGENT_SYSTEM_ROOT: z.union([z.literal('off'), absolutePath]).optional(),
  AGENT_EXTENSIONS: z.union([z.literal('off'), absolutePath]).optional(),
  AGENT_TPM: z
    .string()
    .regex(/^(off$|\/|[a-z]+:)/, 'expected off, the path of a device, or a TCTI of tpm2-tools')
    .default('/dev/tpmrm0'),
});

export interface AgentConfig {
  bundleId: string;
  managedPreferences: string;
  stateDir: string;
  /** Folder for the sockets of the macOS network extensions; created by root. */
  extensionFolder: string;
  /**
   * The program that activates the macOS network extensions, in the same app; null: they are left as
   * they are.
   */
  extensionsProgram: string | null;
  /** PEM file with roots to trust besides the system's; after a `-`, one that may be missing. */
  trustedRootsFile: string | null;
  hardwareId: string | null;
  logLevel: (typeof logLevels)[number];
  inventorySeconds: number;
  heartbeatSeconds: number;
  flowUploadSeconds: number;
  /** The longest time that an LLM call is held for its policy check. */
  policyCheckSeconds: number;
  /** Port of the HTTP proxy on loopback, for programs configured to use one; null: none, 0: any. */
  proxyPort: number | null;
  /** Port of the relay for telemetry of coding agents, on loopback; null: none, 0: any. */
  otlpPort: number | null;
  /**
   * On Linux, as root: whether to add the tenant's roots to the system's trust store while hosts
   * are captured.
   */
  systemTrust: boolean;
  /**
   * The folder below which system-wide settings of coding agents are written; null: none are
   * written.
   */
  systemRoot: string | null;
  /**
   * The folder in which device management stores the preferences of coding agents; null: this system
   * has none.
   */
  toolPreferences: string | null;
  /** The TPM that binds the private keys: the path of a device or a TCTI of tpm2-tools; null: none. */
  tpm: string | null;
  /** The socket at which hooks and gateways of coding agents request checks. */
  toolSocket: string;
}

/**
 * Reads the agent's configuration from its environment, or returns a one-line error that names the
 * invalid variable.
 */
export function readAgentConfig(
  env: Record<string, string | undefined> = process.env,
): { config: AgentConfig } | { error: string } {
  const set = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''));
  const read = environment.safeParse(set);
  if (!read.success) return { error: describeIssues(read.error, 'environment') };
  const given = read.data;
  const managedPreferences =
    given.MANAGED_PREFERENCES ??
    `/Library/Managed Preferences/${given.APP_BUNDLE_ID}.proxymonitor.plist`;
  return {
    config: {
      bundleId: given.APP_BUNDLE_ID,
      managedPreferences,
      stateDir: given.AGENT_STATE_DIR ?? platform.stateDir(given.APP_BUNDLE_ID),
      extensionFolder: `/var/run/${given.APP_BUNDLE_ID}`,
      extensionsProgram: extensionsProgramOf(given),
      trustedRootsFile: given.AGENT_TRUSTED_ROOTS ?? null,
      hardwareId: given.AGENT_HARDWARE_ID ?? null,
      logLevel: given.LOG_LEVEL,
      inventorySeconds: given.AGENT_INVENTORY_SECONDS,
      heartbeatSeconds: given.AGENT_HEARTBEAT_SECONDS,
      flowUploadSeconds: given.AGENT_FLOW_UPLOAD_SECONDS,
      policyCheckSeconds: given.AGENT_POLICY_CHECK_SECONDS,
      proxyPort: given.AGENT_PROXY_PORT === 'off' ? null : given.AGENT_PROXY_PORT,
      otlpPort: given.AGENT_OTLP_PORT === 'off' ? null : given.AGENT_OTLP_PORT,
      // A custom state folder means a trial or a second agent, which must not change the system.
      systemTrust:
        (given.AGENT_SYSTEM_TRUST ?? (given.AGENT_STATE_DIR === undefined ? 'on' : 'off')) === 'on',
      systemRoot: systemRootOf(given),
      toolPreferences: platform.os === 'macos' ? dirname(managedPreferences) : null,
      toolSocket: given.AGENT_TOOL_SOCKET ?? toolSocketOf(given),
      tpm: given.AGENT_TPM === 'off' || platform.os !== 'linux' ? null : given.AGENT_TPM,
    },
  };
}

function extensionsProgramOf(given: {
  AGENT_EXTENSIONS?: string | undefined;
  AGENT_STATE_DIR?: string | undefined;
}): string | null {
  if (given.AGENT_EXTENSIONS === undefined)
    return given.AGENT_STATE_DIR === undefined ? platform.extensionsProgram() : null;
  return given.AGENT_EXTENSIONS === 'off' ? null : given.AGENT_EXTENSIONS;
}

function systemRootOf(given: {
  AGENT_SYSTEM_ROOT?: string | undefined;
  AGENT_STATE_DIR?: string | undefined;
}): string | null {
  const root = given.AGENT_SYSTEM_ROOT ?? (given.AGENT_STATE_DIR === undefined ? '/' : 'off');
  return root === 'off' ? null : root;
}

/**
 * Returns the path of the tool socket: in the state folder, which only its user can enter, unless
 * the agent is the service of this computer and checks the coding agents of all users.
 */
function toolSocketOf(given: {
  APP_BUNDLE_ID: string;
  AGENT_STATE_DIR?: string | undefined;
}): string {
  const stateDir = given.AGENT_STATE_DIR ?? platform.stateDir(given.APP_BUNDLE_ID);
  return stateDir === serviceStateFolder(given.APP_BUNDLE_ID)
    ? join(serviceRunFolder(given.APP_BUNDLE_ID), TOOL_SOCKET_NAME)
    : join(stateDir, TOOL_SOCKET_NAME);
}
