import { CPU_ARM64, CPU_X86_64, type MachO } from '../mach-o.ts';
import { escapeXml } from '../xml.ts';
import type { Product } from './product.ts';

export interface DistributionInput extends Product {
  /** Identifier of the one component, and the name of its folder. */
  component: string;
  componentFolder: string;
  title: string;
  installKBytes: number;
  architectures: readonly string[];
  minimumSystem: string;
}

/** The first macOS that the agent and the scripts run on. */
export const OLDEST_SYSTEM = '12.0';

/** The distribution script: what Installer and an MDM read first. It asks nothing. */
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
 * The processors that the package is for. Always said: of a package that does not say, macOS on
 * Apple silicon thinks that it needs Rosetta.
 */
export function architecturesOf(program: MachO | null): string[] {
  const found = new Set(program?.slices.map(({ cpuType }) => names.get(cpuType)));
  const known = [...names.values()].filter((name) => found.has(name));
  return known.length > 0 ? known : [...names.values()];
}

/** What the app asks for, unless that is older than what the scripts need. */
export function minimumSystem(asked: string | undefined): string {
  if (asked === undefined || !/^\d+(\.\d+){0,2}$/.test(asked)) return OLDEST_SYSTEM;
  return Number.parseInt(asked, 10) < Number.parseInt(OLDEST_SYSTEM, 10) ? OLDEST_SYSTEM : asked;
}
