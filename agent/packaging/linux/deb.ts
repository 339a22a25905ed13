import { chmodSync, copyFileSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { version } from '../electron-app.ts';
import { run } from '../run.ts';
import { buildAgent, nodeProgram, nodeVersion } from './agent-bundle.ts';
import { maintainerScripts } from './maintainer-scripts.ts';
import type { LinuxNames } from './names.ts';
import { PackagingError } from '../packaging-error.ts';
import { serviceUnit } from './unit.ts';

/** The script of the command in PATH: it runs the agent with the settings of the service. */
export const commandScript = (names: LinuxNames): string => `#!/bin/sh
# Runs the agent, or one of its subcommands (--help), with the settings of the service.
export APP_BUNDLE_ID="\${APP_BUNDLE_ID:-${names.bundleId}}"
export MANAGED_PREFERENCES="\${MANAGED_PREFERENCES:-${names.managedPreferences}}"
# A file that may be missing, and may come after the agent has started.
export AGENT_TRUSTED_ROOTS="\${AGENT_TRUSTED_ROOTS:--${names.trustedRoots}}"
exec ${names.programs}/node --max-semi-space-size=8 ${names.programs}/agent/headless.js "$@"
`;

export interface DebOptions {
  names: LinuxNames;
  output: string;
  /** A folder for intermediate files. */
  work: string;
  /** `xz` takes a minute and reduces the package to a fourth. */
  compression: 'xz' | 'none';
}

/** Debian's names of the processor architectures. */
const architectures: Readonly<Record<string, string>> = { x64: 'amd64', arm64: 'arm64' };

/** Makes the Debian package with dpkg-deb. Returns its path. */
export async function makeDeb({ names, output, work, compression }: DebOptions): Promise<string> {
  const architecture = architectures[process.arch];
  if (!architecture)
    throw new PackagingError(
      `a .deb can be built only for amd64 or arm64, not for ${process.arch}`,
    );
  const tree = join(work, 'deb');
  await writeTree(tree, names);
  writeControl(tree, names, architecture);
  makeReadableByAll(tree);
  const out = join(output, `${names.packageName}_${version}_${architecture}.deb`);
  await run('dpkg-deb', ['--root-owner-group', `-Z${compression}`, '--build', tree, out]);
  return out;
}

async function writeTree(tree: string, names: LinuxNames): Promise<void> {
  const { packageName, programs, settings, command, unit } = names;
  await buildAgent(join(tree, programs, 'agent'));
  copyFileSync(nodeProgram, join(tree, programs, 'node'));
  mkdirSync(join(tree, settings), { recursive: true });
  write(tree, command, commandScript(names), 0o755);
  write(tree, unit, serviceUnit(names));
  const about = join('/usr/share/doc', packageName);
  write(tree, join(about, 'copyright'), copyright(names));
  write(tree, join(about, 'changelog.gz'), gzipSync(changelog(names), { level: 9 }));
}

function writeControl(tree: string, names: LinuxNames, architecture: string): void {
  for (const [name, script] of Object.entries(maintainerScripts(names)))
    write(tree, join('DEBIAN', name), script, 0o755);
  write(tree, 'DEBIAN/control', control(names, architecture, kilobytesIn(tree)));
}

/**
 * The control file. The agent redirects connections with nftables and installs the tenant's root with
 * ca-certificates; hooks of coding agents call it with curl. Node requires this version of the C
 * library. With tpm2-tools, which apt installs by default, the agent binds its keys to the TPM.
 */
const control = (
  { appName, packageName }: LinuxNames,
  architecture: string,
  kilobytes: number,
): string => `Package: ${packageName}
Version: ${version}
Architecture: ${architecture}
Maintainer: ${appName}
Installed-Size: ${kilobytes}
Depends: libc6 (>= 2.28), libstdc++6, ca-certificates, curl, nftables
Recommends: tpm2-tools
Section: admin
Priority: optional
Description: agent that reports the AI apps on a computer and the hosts that they connect to
 A service that runs as root. What it may do is decided by the ${appName} control
 plane of the organization that manages this computer.
`;

const copyright = ({
  appName,
  programs,
}: LinuxNames): string => `${appName} agent: all rights reserved.

${programs}/node is Node.js ${nodeVersion} as its project publishes it, under the MIT licence;
https://github.com/nodejs/node/blob/v${nodeVersion}/LICENSE names it and those of what is in it.
${programs}/agent/node_modules/koffi is under the licence in its LICENSE.txt.
`;

const changelog = ({ appName, packageName }: LinuxNames): string =>
  `${packageName} (${version}) stable; urgency=low

  * Packed from the sources of this version.

 -- ${appName}  Thu, 01 Jan 1970 00:00:00 +0000
`;

function write(tree: string, path: string, content: string | Buffer, mode = 0o644): void {
  const file = join(tree, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, content);
  chmodSync(file, mode);
}

/** Makes all files readable for all users, regardless of the umask of this process. */
function makeReadableByAll(folder: string): void {
  chmodSync(folder, 0o755);
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) makeReadableByAll(path);
    else chmodSync(path, isProgram(path) ? 0o755 : 0o644);
  }
}

const isProgram = (path: string): boolean =>
  (statSync(path).mode & 0o100) !== 0 && !/\.(js|node|json|txt)$/.test(basename(path));

function kilobytesIn(folder: string): number {
  const bytes = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0);
  return Math.ceil(bytes / 1024);
}
