import { existsSync } from 'node:fs';
import { configurationsIn, parseExtensionList } from '#agent/core/doctor/extension-list.ts';
import { parseProxySettings } from '#agent/core/doctor/environment.ts';
import { runExtensionsTool } from '../../extensions/run-extensions-tool.ts';
import { darwin as darwinPlatform } from '../../platform.ts';
import { readOutput, type DoctorSystem } from './system.ts';

export const darwin: DoctorSystem = {
  async sessionEnvironment(names) {
    const values = await Promise.all(
      names.map(async (name) => {
        const value = (await readOutput('/bin/launchctl', ['getenv', name]))?.trim();
        return value ? [[name, value]] : [];
      }),
    );
    return Object.fromEntries(values.flat() as [string, string][]);
  },
  async proxies() {
    return parseProxySettings((await readOutput('/usr/sbin/scutil', ['--proxy'])) ?? '');
  },
  async extensions() {
    const list = await readOutput('/usr/bin/systemextensionsctl', ['list']);
    return list === null ? null : parseExtensionList(list);
  },
  async networkConfigurations() {
    const program = darwinPlatform.extensionsProgram();
    if (program === null) return null;
    const signal = new AbortController().signal;
    const result = await runExtensionsTool(program, 'status', 5000, signal);
    return result.kind === 'answered' ? configurationsIn(result.events) : null;
  },
  hasExtensions: () => darwinPlatform.extensionsProgram() !== null,
  nft: () => null,
  missingRights: () => null,
  canListSockets: () => existsSync('/usr/sbin/lsof'),
  // The system itself uses utun0 to utun3 on every Mac.
  tunnelName: /^(utun([4-9]|\d\d)|ppp\d|ipsec\d)/,
  bridgeName: null,
};
