import { CPU_ARM64, CPU_X86_64, type MachO } from '../mach-o.ts';
import { escapeXml } from '../xml.ts';
import { InstallerError } from '../installer-error.ts';

/** Identity of the packaged product. */
export interface Product {
  appName: string;
  bundleId: string;
  /** `X.Y.Z` */
  version: string;
}

const BUNDLE_ID = /^[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)+$/;
const VERSION = /^\d{1,9}(\.\d{1,9}){0,3}$/;
// Valid as a file name and as a title on a Mac, where `:` is the stored form of the Finder's `/`.
const APP_NAME = /^[^\p{Cc}/:.][^\p{Cc}/:]{0,99}$/u;

/** @throws InstallerError for values that are invalid in paths, scripts and file names */
export function checkProduct({ appName, bundleId, version }: Product): void {
  if (!BUNDLE_ID.test(bundleId) || bundleId.length > 155)
    throw new InstallerError(`bundle id ${bundleId}: expected one like com.example.agent`);
  if (!VERSION.test(version))
    throw new InstallerError(`version ${version}: expected numbers, as in 1.2.3`);
  if (!APP_NAME.test(appName))
    throw new InstallerError(`app name ${appName}: expected a name for a file and a title`);
}

export interface DistributionInput extends Product {
  /** The identifier of the only component, which is also the name of its folder. */
  component: string;
  componentFolder: string;
  title: string;
  installKBytes: number;
  architectures: readonly string[];
  minimumSystem: string;
}

/** The oldest macOS that the agent and the scripts support. */
export const OLDEST_SYSTEM = '12.0';

/** The distribution script, which Installer and MDM read first. It has no prompts. */
export function writeDistribution(input: DistributionInput): string {
  const id = escapeXml(input.component);
  const version = escapeXml(input.version);
  const architectures = input.architectures.join(',');
  return `<?xml version="1.0" encoding="utf-8"?>
<installer-gui-script minSpecVersion="1">
    <title>${escapeXml(input.title)}</title>
    <options customize="never" require-scripts="false" hostArchitectures="${architectures}" allow-external-scripts="no" rootVolumeOnly="true"/>
    <domains enable_anywhere="false" enable_currentUserHome="false" enable_localSystem="true"/>
    <volume-check>
        <allowed-os-versions>
            <os-version min="${input.minimumSystem}"/>
        </allowed-os-versions>
    </volume-check>
    <choices-outline>
        <line choice="default">
            <line choice="${id}"/>
        </line>
    </choices-outline>
    <choice id="default"/>
    <choice id="${id}" visible="false">
        <pkg-ref id="${id}"/>
    </choice>
    <pkg-ref id="${id}" version="${version}" onConclusion="none" installKBytes="${input.installKBytes}" auth="root">#${escapeXml(input.componentFolder)}</pkg-ref>
    <product id="${id}" version="${version}"/>
</installer-gui-script>
`;
}

const names = new Map([
  [CPU_X86_64, 'x86_64'],
  [CPU_ARM64, 'arm64'],
]);

/**
 * The supported processors. They are always stated, because otherwise macOS on Apple silicon
 * assumes that the package needs Rosetta.
 */
export function architecturesOf(program: MachO | null): string[] {
  const cpuTypes = new Set(program?.slices.map(({ cpuType }) => names.get(cpuType)));
  const supported = [...names.values()].filter((name) => cpuTypes.has(name));
  return supported.length > 0 ? supported : [...names.values()];
}

/** The app's minimum system version, but at least that of the scripts. */
export function minimumSystem(requested: string | undefined): string {
  if (requested === undefined || !/^\d+(\.\d+){0,2}$/.test(requested)) return OLDEST_SYSTEM;
  return Number.parseInt(requested, 10) < Number.parseInt(OLDEST_SYSTEM, 10)
    ? OLDEST_SYSTEM
    : requested;
}
