/** The credentials that sign and notarize a release for macOS. */
export interface Credentials {
  APPLE_TEAM_ID: string;
  APP_IDENTITY: string;
  APP_PROFILE: string;
  FLOWMONITOR_PROFILE: string;
  PROXYMONITOR_PROFILE: string;
  INSTALLER_IDENTITY: string;
  INSTALLER_IDENTITY_PASSWORD: string;
  NOTARY_KEY: string;
  NOTARY_KEY_ID: string;
  NOTARY_ISSUER: string;
}

interface RequiredCredential {
  purpose: string;
  isFile?: boolean;
}

/** The purpose of each variable. */
const required: Record<keyof Credentials, RequiredCredential> = {
  APPLE_TEAM_ID: { purpose: 'the team that signs, of ten characters; profiles allow this team' },
  APP_IDENTITY: {
    purpose:
      'the name in the keychain of the certificate that signs the app, "Developer ID Application: …"',
  },
  APP_PROFILE: {
    purpose: 'the provisioning profile that allows the app to activate system extensions',
    isFile: true,
  },
  FLOWMONITOR_PROFILE: {
    purpose: 'the provisioning profile that allows flowmonitor to be a content filter',
    isFile: true,
  },
  PROXYMONITOR_PROFILE: {
    purpose: 'the provisioning profile that allows proxymonitor to be a transparent proxy',
    isFile: true,
  },
  INSTALLER_IDENTITY: {
    purpose: 'the PKCS#12 file of the Developer ID Installer certificate that signs the package',
    isFile: true,
  },
  INSTALLER_IDENTITY_PASSWORD: { purpose: 'the password of the file in INSTALLER_IDENTITY' },
  NOTARY_KEY: {
    purpose: 'the .p8 file of the App Store Connect key that notarizes the package',
    isFile: true,
  },
  NOTARY_KEY_ID: { purpose: 'the id of the key in NOTARY_KEY' },
  NOTARY_ISSUER: { purpose: 'the issuer, a UUID, of the key in NOTARY_KEY' },
};

export type Environment = Readonly<Record<string, string | undefined>>;

/** Reads all credentials. The error names the first missing variable and its purpose. */
export function readCredentials(
  env: Environment,
  isFile: (path: string) => boolean,
): { credentials: Credentials } | { error: string } {
  for (const [name, { purpose, isFile: isPath }] of Object.entries(required)) {
    const value = env[name];
    if (!value) return { error: `${name} is not set: ${purpose}` };
    if (isPath && !isFile(value)) return { error: `${name}: no file ${value}: ${purpose}` };
  }
  const { APPLE_TEAM_ID: team = '' } = env;
  if (!/^[A-Z0-9]{10}$/.test(team))
    return { error: `APPLE_TEAM_ID: expected ten capital letters and digits, found ${team}` };
  const names = Object.keys(required) as (keyof Credentials)[];
  const given = Object.fromEntries(names.map((name) => [name, env[name]]));
  return { credentials: given as Record<keyof Credentials, string> };
}
