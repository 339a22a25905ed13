import type { ExtensionState, NetworkConfiguration } from '#agent/core/doctor/extensions.ts';
import type { NamedProxy } from '#agent/core/doctor/environment.ts';
import type { Environment } from '../config.ts';
import { execFile } from 'node:child_process';

/** What doctor reads in platform-specific ways. Nothing here changes anything. */
export interface DoctorSystem {
  /** Variables that programs of the session get, beside those of a shell. */
  sessionEnvironment(names: readonly string[]): Promise<Environment>;
  /** What the system's settings name as the proxy for HTTPS. */
  proxies(): Promise<NamedProxy[]>;
  /** Network extensions; null where the system has none, or does not list them. */
  extensions(): Promise<ExtensionState[] | null>;
  /** What the network settings hold of ours; null: not known. */
  networkConfigurations(): Promise<NetworkConfiguration[] | null>;
  /** Is it one of the app's, that is to be activated? */
  hasExtensions(): boolean;
  /** On Linux, for redirecting connections. */
  nft(): { installed: boolean; kernel: string; kernelIsNewEnough: boolean } | null;
  /** Capabilities that a process lacks, of those named; null: not known. */
  missingRights(pid: number, rights: readonly Right[]): string[] | null;
  canListSockets(): boolean;
  /** Names of interfaces of VPNs are like this. */
  tunnelName: RegExp;
}

export type Right = 'CAP_SETGID' | 'CAP_NET_ADMIN' | 'CAP_NET_RAW' | 'CAP_SYS_PTRACE';

/** The output of a program; null if it is missing, fails or takes more than five seconds. */
export const readOutput = (program: string, args: readonly string[]): Promise<string | null> =>
  new Promise((resolve) => {
    execFile(program, [...args], { timeout: 5000 }, (error, stdout) =>
      resolve(error ? null : stdout),
    );
  });
