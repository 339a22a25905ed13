import type { BundleInfo } from '../bundle/info-plist.ts';
import { escapeXml } from '../xml.ts';

const start = (identifier: string, version: string, location: string): string =>
  '<?xml version="1.0" encoding="utf-8"?>\n' +
  `<pkg-info overwrite-permissions="true" relocatable="false" identifier="${escapeXml(identifier)}" ` +
  `postinstall-action="none" version="${escapeXml(version)}" format-version="2" ` +
  `generator-version="1"${location} auth="root">\n`;

export interface AppComponent {
  identifier: string;
  version: string;
  /** `./Applications/X.app` */
  appPath: string;
  info: BundleInfo;
  /** The number of entries in the Bom, including its root. */
  numberOfFiles: number;
  installKBytes: number;
}

/**
 * The PackageInfo of the app. An older app is replaced completely, because leftover files would
 * break the code signature. Versions are not compared, so that IT can downgrade. An app that was
 * moved elsewhere is not updated there.
 */
export function appPackageInfo(component: AppComponent): string {
  const { identifier, version, appPath, info, numberOfFiles, installKBytes } = component;
  const id = escapeXml(info.CFBundleIdentifier);
  const bundle = `<bundle id="${id}"/>`;
  return `${start(identifier, version, ' install-location="/"')}\
    <payload numberOfFiles="${numberOfFiles}" installKBytes="${installKBytes}"/>
    <bundle path="${escapeXml(appPath)}" id="${id}"${versions(info)}/>
    <bundle-version/>
    <upgrade-bundle>${bundle}</upgrade-bundle>
    <update-bundle/>
    <atomic-update-bundle/>
    <strict-identifier>${bundle}</strict-identifier>
    <relocate/>
    <scripts>
        <preinstall file="./preinstall"/>
        <postinstall file="./postinstall"/>
    </scripts>
</pkg-info>
`;
}

function versions(info: BundleInfo): string {
  return (['CFBundleShortVersionString', 'CFBundleVersion'] as const)
    .filter((key) => info[key] !== undefined)
    .map((key) => ` ${key}="${escapeXml(info[key] as string)}"`)
    .join('');
}

/** A component that installs nothing, runs a script and leaves no receipt. */
export const scriptPackageInfo = (identifier: string, version: string): string =>
  `${start(identifier, version, '')}\
    <scripts>
        <postinstall file="./postinstall"/>
    </scripts>
</pkg-info>
`;
