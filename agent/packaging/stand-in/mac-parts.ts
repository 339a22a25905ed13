import { basename, dirname, join } from 'node:path';
import type { SigningIds } from '../mac/entitlements.ts';
import type { MacParts } from '../mac/parts.ts';
import { standInProgram } from './mach-o.ts';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { build, type PlistValue } from 'plist';

export type Content = string | Buffer;

/** Writes files of a stand-in below a folder. */
export function filesIn(folder: string) {
  const place = (path: string): string => {
    const whole = join(folder, path);
    mkdirSync(dirname(whole), { recursive: true });
    return whole;
  };
  return {
    file: (path: string, content: Content): void => writeFileSync(place(path), content),
    program: (path: string, content: Content): void =>
      writeFileSync(place(path), content, { mode: 0o755 }),
    link: (path: string, target: string): void => symlinkSync(target, place(path)),
    infoPlist: (path: string, info: Record<string, PlistValue>): void =>
      writeFileSync(place(path), `${build(info)}\n`),
  };
}

/** Writes files in the layout of the build of agent/macos: the extensions and the extension tool. */
export function writeMacParts(parts: MacParts, ids: SigningIds, version: string): void {
  const providers = [
    { folder: parts.flowMonitor, classes: flowMonitorClasses },
    { folder: parts.proxyMonitor, classes: proxyMonitorClasses },
  ];
  for (const { folder, classes } of providers) writeExtension(folder, { classes, ids, version });
  filesIn('/').program(parts.extensionTool, standInProgram(Buffer.from('extension tool')));
}

/** The Swift class of each extension by the kind of its provider, as in agent/macos/project.yml. */
const flowMonitorClasses = {
  'com.apple.networkextension.filter-data': 'FlowMonitor.FlowMonitorProvider',
};
const proxyMonitorClasses = {
  'com.apple.networkextension.app-proxy': 'ProxyMonitor.ProxyMonitorProvider',
};

interface StandInExtension {
  classes: Record<string, string>;
  ids: SigningIds;
  version: string;
}

function writeExtension(folder: string, { classes, ids, version }: StandInExtension): void {
  const id = basename(folder, '.systemextension');
  const { program, infoPlist } = filesIn(`${folder}/Contents`);
  program(`MacOS/${id}`, standInProgram(Buffer.from(id)));
  infoPlist('Info.plist', {
    CFBundleExecutable: id,
    CFBundleIdentifier: id,
    CFBundlePackageType: 'SYSX',
    CFBundleShortVersionString: version,
    CFBundleVersion: version,
    NetworkExtension: {
      NEMachServiceName: `${ids.teamId}.${id}`,
      NEProviderClasses: classes,
    },
  });
}
