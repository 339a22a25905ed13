import type { LinuxNames } from './names.ts';

/** The command: runs the agent as the service does, and what else there is, with the same settings. */
export const commandScript = (names: LinuxNames): string => `#!/bin/sh
# Runs the agent with the settings of the service, or does what is asked for instead:
#   apply-profile FILE   writes what a configuration profile (.mobileconfig) says to ${names.settings}
#   remove-trust         has the system trust no root of the agent any more
export APP_BUNDLE_ID="\${APP_BUNDLE_ID:-${names.bundleId}}"
export MANAGED_PREFERENCES="\${MANAGED_PREFERENCES:-${names.managedPreferences}}"
if [ -z "$AGENT_TRUSTED_ROOTS" ] && [ -e ${names.trustedRoots} ]; then
    export AGENT_TRUSTED_ROOTS=${names.trustedRoots}
fi
program=headless
if [ "$1" = apply-profile ]; then
    program=apply-profile
fi
exec ${names.programs}/node "${names.programs}/agent/$program.js" "$@"
`;
