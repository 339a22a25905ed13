import { environmentLabel, SHELL_FUNCTIONS } from './environment.ts';
import { build } from 'plist';

/** The folder from which launchd loads items for all users. */
export const LAUNCH_AGENTS = 'Library/LaunchAgents';

/**
 * The background item, which runs the app's program in every user's graphical session from login
 * on. `program` is its path on the Mac. The environment contains the id under which the agent is
 * managed.
 */
export function launchAgent(bundleId: string, program: string): string {
  const item = {
    Label: bundleId,
    ProgramArguments: [program],
    EnvironmentVariables: { APP_BUNDLE_ID: bundleId },
    RunAtLoad: true,
    KeepAlive: true,
    ProcessType: 'Background',
    LimitLoadToSessionType: 'Aqua',
    // Makes the system's list of background items show the app's name and icon.
    AssociatedBundleIdentifiers: [bundleId],
  };
  return `${build(item)}\n`;
}

/**
 * The scripts, which Installer runs as root with the target volume in `$3`. All of them are
 * idempotent and non-interactive, and do not require a logged-in user.
 */
export const preinstall = (bundleId: string): string => `${scriptHeader(bundleId)}
uid=$(console_uid) || exit 0
stop_item "$uid" "$label"
exit 0
`;

export const postinstall = (bundleId: string): string => `${scriptHeader(bundleId)}
add_shell_blocks || echo "$label: could not configure shells so that Node uses the system's authorities"
uid=$(console_uid) || exit 0
stop_item "$uid" "$environment"
launchctl bootstrap "gui/$uid" "$agents/$environment.plist" ||
    echo "$environment: will be loaded at the next log-in"
stop_item "$uid" "$label"
launchctl enable "gui/$uid/$label"
launchctl bootstrap "gui/$uid" "$agent" || echo "$label: will be loaded at the next log-in"
exit 0
`;

/** The common header of all scripts: variables and shell functions. */
export const scriptHeader = (bundleId: string): string => `#!/bin/sh
label=${bundleId}
volume=\${3%/}
agents=$volume/${LAUNCH_AGENTS}
agent=$agents/$label.plist
environment=${environmentLabel(bundleId)}

# The user of the active session; fails at the log-in window and in the setup assistant.
console_uid() {
    user=$(stat -f %Su /dev/console) || return 1
    case $user in
        '' | root | loginwindow | _mbsetupuser) return 1 ;;
    esac
    id -u "$user"
}

is_loaded() {
    launchctl print "gui/$1/$2" >/dev/null 2>&1
}

# launchctl returns before the item has ended, and loading it again fails until then.
stop_item() {
    is_loaded "$1" "$2" || return 0
    launchctl bootout "gui/$1/$2"
    tries=30
    while is_loaded "$1" "$2" && [ "$tries" -gt 0 ]; do
        sleep 1
        tries=$((tries - 1))
    done
    return 0
}

stop_items() {
    stop_item "$1" "$label"
    stop_item "$1" "$environment"
}

${SHELL_FUNCTIONS}`;
