/** How the two files get to Macs with one device management system. */
export interface MdmGuide {
  id: string;
  name: string;
  /** The steps of its page in docs/deploy/, with the menus of that system. */
  steps: readonly string[];
  /** What is particular there. */
  note: string;
}

const PACKAGE = 'Gatehouse-Setup-<version>.pkg';

export const mdmGuides: readonly MdmGuide[] = [
  {
    id: 'jamf',
    name: 'Jamf Pro',
    steps: [
      'Sign the profile: Jamf rewrites unsigned ones.',
      'Computers › Configuration Profiles › Upload: the signed profile. Level Computer Level, distribution Install Automatically. Scope: a smart group with one Mac first.',
      'Wait until the profile’s log shows Completed for these Macs.',
      `Settings › Computer Management › Packages › New: ${PACKAGE}. Then Computers › Policies › New: trigger Recurring Check-in, frequency Once per computer, payload Packages, action Install, the same scope.`,
    ],
    note: 'For PreStage enrollment the package must be signed by a signer that the Mac trusts.',
  },
  {
    id: 'intune',
    name: 'Microsoft Intune',
    steps: [
      'Devices › macOS › Configuration › Create › New policy › Templates › Custom. Deployment channel Device channel; upload the profile, unsigned. Assign a group with one Mac first.',
      'Wait until the policy’s device status is Succeeded.',
      `Apps › macOS › Create › macOS app (PKG): ${PACKAGE}. Detection: bundle id com.gatehouse.agent with the version. Minimum system: macOS 12. Assign as Required to the same group.`,
    ],
    note: 'Do not rebuild the profile from the templates: the VPN template cannot name the provider of a transparent proxy.',
  },
  {
    id: 'kandji-iru',
    name: 'Iru (formerly Kandji)',
    steps: [
      'Library › Add new › Custom Profile: the profile, unsigned. Device family Mac. Assign a blueprint with one Mac.',
      'Wait until the item’s status is Success for it.',
      `Library › Add new › Custom App: type Installer Package, the file ${PACKAGE}, Audit and enforce, with an audit script that looks for com.gatehouse.agent.`,
    ],
    note: 'Its own Privacy, System Extension and Login Item library items are not needed: the profile contains all of them.',
  },
  {
    id: 'mosyle',
    name: 'Mosyle',
    steps: [
      'Management › Custom Profiles › Add: the profile, unsigned. Assign to devices, one Mac first.',
      'Wait until the Mac is listed as installed.',
      `Upload ${PACKAGE} to the CDN, then Management › Install PKG › Add: choose it, Install automatically, the same devices.`,
    ],
    note: 'A package that is sent with an MDM command must be signed.',
  },
  {
    id: 'fleet',
    name: 'Fleet',
    steps: [
      'Controls › OS settings › Custom settings › Add profile: the profile. Choose the team, starting with one that has a single Mac.',
      'Wait until Controls › OS settings counts the host as Verified.',
      `Software › Add software › Custom package: ${PACKAGE}. Choose Automatic for a policy that installs it where it is missing.`,
    ],
    note: 'With GitOps, the profile would be stored in a repository, but it is a secret: upload it by hand or by API.',
  },
  {
    id: 'hexnode',
    name: 'Hexnode',
    steps: [
      'Policies › New policy › macOS › Configurations › Deploy custom configuration: the profile, unsigned. Policy targets: devices, one Mac first.',
      'Wait until Manage › the Mac › Action history shows success.',
      `Apps › Add apps › Enterprise app › macOS: ${PACKAGE}. Then add it in the same policy under App management › Required apps.`,
    ],
    note: 'Hexnode substitutes %name%; the profile never contains such text.',
  },
];
