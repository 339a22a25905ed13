import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseConfigurations, parseExtensionList } from '#agent/core/doctor/extension-list.ts';
import { parseProxySettings } from '#agent/core/doctor/proxy-settings.ts';
import { outputOf } from './output.ts';
import type { DoctorSystem } from './system.ts';

export const darwin: DoctorSystem = {
  async sessionEnvironment(names) {
    const values = await Promise.all(
      names.map(async (name) => {
        const value = (await outputOf('/bin/launchctl', ['getenv', name]))?.trim();
        return value ? [[name, value]] : [];
      }),
    );
    return Object.fromEntries(values.flat() as [string, string][]);
  },
  async proxies() {
    return parseProxySettings((await outputOf('/usr/sbin/scutil', ['--proxy'])) ?? '');
  },
  async extensions() {
    const list = await outputOf('/usr/bin/systemextensionsctl', ['list']);
    return list === null ? null : parseExtensionList(list);
  },
  async networkConfigurations() {
    const events = await outputOf(join(dirname(process.execPath), 'gatehouse-extensions'), [
      'status',
    ]);
    return events === null ? null : parseConfigurations(events);
  },
  // …/Contents/MacOS/<program>
  hasExtensions: () => existsSync(join(dirname(process.execPath), '../Library/SystemExtensions')),
  nft: () => null,
  missingRights: () => null,
  canListSockets: () => existsSync('/usr/sbin/lsof'),
  // utun0 to utun3 are the system's own, on every Mac.
  tunnelName: /^(utun([4-9]|\d\d)|ppp\d|ipsec\d)/,
};
