import type { ExtensionAccess } from '#agent/core/extension-risks.ts';
import type { BrowserProfile } from './browser-profiles.ts';

/** One extension in one profile, as the browser has it on disk. */
export interface InstalledExtension extends ExtensionAccess {
  id: string;
  name: string;
  /** As its manifest has it. */
  description: string;
  version: string | null;
  path: string;
  /** undefined where the browser does not say. */
  enabled: boolean | undefined;
  unpacked: boolean;
  profile: BrowserProfile;
  /** The file that declares name and permissions. */
  declaredIn: string;
}
