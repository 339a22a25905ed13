import type { LinuxNames } from './names.ts';

/** The command in PATH: runs the agent or a subcommand with the settings of the service. */
export const commandScript = (names: LinuxNames): string => `#!/bin/sh
# Runs the agent with the settings of the service, or one of its subcommands:
#   doctor [--json]      explains what does not work and who can fix it
#   apply-profile FILE   writes the settings of a configuration profile (.mobileconfig) to ${names.settings}
#   uninstall [--purge]  removes trusted roots and redirections; with --purge, the state folder too
export APP_BUNDLE_ID="\${APP_BUNDLE_ID:-${names.bundleId}}"
export MANAGED_PREFERENCES="\${MANAGED_PREFERENCES:-${names.managedPreferences}}"
if [ -z "$AGENT_TRUSTED_ROOTS" ] && [ -e ${names.trustedRoots} ]; then
    export AGENT_TRUSTED_ROOTS=${names.trustedRoots}
fi
program=headless
if [ "$1" = apply-profile ]; then
    program=apply-profile
fi
exec ${names.programs}/node --max-semi-space-size=8 "${names.programs}/agent/$program.js" "$@"
`;
