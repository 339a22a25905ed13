import type { ExtensionState, NetworkConfiguration } from '#agent/core/doctor/extensions.ts';
import type { NamedProxy } from '#agent/core/doctor/environment.ts';
import type { Environment } from '../config.ts';
import { execFile } from 'node:child_process';

/** The platform-specific facts for doctor. Reading them changes nothing. */
export interface DoctorSystem {
  /** Variables of the session, besides those of a shell. */
  sessionEnvironment(names: readonly string[]): Promise<Environment>;
  /** The HTTPS proxies in the system's settings. */
  proxies(): Promise<NamedProxy[]>;
  /** Network extensions; null if the system has none or cannot list them. */
  extensions(): Promise<ExtensionState[] | null>;
  /** Gatehouse's entries in the network settings; null: unknown. */
  networkConfigurations(): Promise<NetworkConfiguration[] | null>;
  /** Whether the app contains extensions that should be active. */
  hasExtensions(): boolean;
  /** Returns the facts about nft and the kernel that redirection on Linux requires. */
  nft(): { installed: boolean; kernel: string; kernelIsNewEnough: boolean } | null;
  /** Returns which of these capabilities a process lacks; null: unknown. */
  missingRights(pid: number, rights: readonly Right[]): string[] | null;
  canListSockets(): boolean;
  /** Matches the names of VPN interfaces. */
  tunnelName: RegExp;
  /** Matches interfaces to networks of containers and virtual machines. */
  bridgeName: RegExp | null;
}

export type Right = 'CAP_SETGID' | 'CAP_NET_ADMIN' | 'CAP_NET_RAW' | 'CAP_SYS_PTRACE';

/** The output of a program; null if it is missing, fails or takes more than five seconds. */
export const readOutput = (program: string, args: readonly string[]): Promise<string | null> =>
  new Promise((resolve) => {
    execFile(program, [...args], { timeout: 5000 }, (error, stdout) =>
      resolve(error ? null : stdout),
    );
  });
