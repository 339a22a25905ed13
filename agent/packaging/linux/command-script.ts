import type { LinuxNames } from './names.ts';

/** The command in PATH: runs the agent or a subcommand with the settings of the service. */
export const commandScript = (names: LinuxNames): string => `#!/bin/sh
# Runs the agent, or one of its subcommands (--help), with the settings of the service.
export APP_BUNDLE_ID="\${APP_BUNDLE_ID:-${names.bundleId}}"
export MANAGED_PREFERENCES="\${MANAGED_PREFERENCES:-${names.managedPreferences}}"
if [ -z "$AGENT_TRUSTED_ROOTS" ] && [ -e ${names.trustedRoots} ]; then
    export AGENT_TRUSTED_ROOTS=${names.trustedRoots}
fi
exec ${names.programs}/node --max-semi-space-size=8 ${names.programs}/agent/headless.js "$@"
`;
