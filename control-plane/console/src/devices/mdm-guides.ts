import { t } from '@lingui/core/macro';

/** Describes how one device management system delivers the two files to Macs. */
export interface MdmGuide {
  id: string;
  name: string;
  /** The steps on its page in docs/deploy/, with the menus of that system. */
  steps: readonly string[];
  /** A note that applies only to this MDM. */
  note: string;
}

const PACKAGE = 'Gatehouse-Setup-<version>.pkg';

export const mdmGuides: readonly MdmGuide[] = [
  {
    id: 'jamf',
    name: 'Jamf Pro',
    steps: [
      t`Sign the profile: Jamf rewrites unsigned ones.`,
      t`Computers › Configuration Profiles › Upload: the signed profile. Level Computer Level, distribution Install Automatically. Scope: a smart group with one Mac first.`,
      t`Wait until the profile’s log shows Completed for these Macs.`,
      t`Settings › Computer Management › Packages › New: ${PACKAGE}. Then Computers › Policies › New: trigger Recurring Check-in, frequency Once per computer, payload Packages, action Install, the same scope.`,
    ],
    note: t`For PreStage enrollment the package must be signed by a signer that the Mac trusts.`,
  },
  {
    id: 'intune',
    name: 'Microsoft Intune',
    steps: [
      t`Devices › macOS › Configuration › Create › New policy › Templates › Custom. Deployment channel Device channel; upload the profile, unsigned. Assign a group with one Mac first.`,
      t`Wait until the policy’s device status is Succeeded.`,
      t`Apps › macOS › Create › macOS app (PKG): ${PACKAGE}. Detection: bundle id com.gatehouse.agent with the version. Minimum system: macOS 12. Assign as Required to the same group.`,
    ],
    note: t`Do not rebuild the profile from the templates: the VPN template cannot name the provider of a transparent proxy.`,
  },
  {
    id: 'kandji-iru',
    name: t`Iru (formerly Kandji)`,
    steps: [
      t`Library › Add new › Custom Profile: the profile, unsigned. Device family Mac. Assign a blueprint with one Mac.`,
      t`Wait until the item’s status is Success for it.`,
      t`Library › Add new › Custom App: type Installer Package, the file ${PACKAGE}, Audit and enforce, with an audit script that looks for com.gatehouse.agent.`,
    ],
    note: t`Its own Privacy, System Extension and Login Item library items are not needed: the profile contains all of them.`,
  },
  {
    id: 'mosyle',
    name: 'Mosyle',
    steps: [
      t`Management › Custom Profiles › Add: the profile, unsigned. Assign to devices, one Mac first.`,
      t`Wait until the Mac is listed as installed.`,
      t`Upload ${PACKAGE} to the CDN, then Management › Install PKG › Add: choose it, Install automatically, the same devices.`,
    ],
    note: t`A package that is sent with an MDM command must be signed.`,
  },
  {
    id: 'fleet',
    name: 'Fleet',
    steps: [
      t`Controls › OS settings › Custom settings › Add profile: the profile. Choose the team, starting with one that has a single Mac.`,
      t`Wait until Controls › OS settings counts the host as Verified.`,
      t`Software › Add software › Custom package: ${PACKAGE}. Choose Automatic for a policy that installs it where it is missing.`,
    ],
    note: t`With GitOps, the profile would be stored in a repository, but it is a secret: upload it by hand or by API.`,
  },
  {
    id: 'hexnode',
    name: 'Hexnode',
    steps: [
      t`Policies › New policy › macOS › Configurations › Deploy custom configuration: the profile, unsigned. Policy targets: devices, one Mac first.`,
      t`Wait until Manage › the Mac › Action history shows success.`,
      t`Apps › Add apps › Enterprise app › macOS: ${PACKAGE}. Then add it in the same policy under App management › Required apps.`,
    ],
    note: t`Hexnode substitutes %name%; the profile never contains such text.`,
  },
];
