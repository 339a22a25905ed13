import { environmentLabel, shellFunctions } from './environment.ts';
import { LAUNCH_AGENTS } from './launch-agent.ts';

/**
 * Installer runs these as root, `$3` being the volume that it installs on. All of them can be run
 * any number of times, ask nothing and need nobody to be logged in.
 */
export const preinstall = (bundleId: string): string => `${begin(bundleId)}
uid=$(console_uid) || exit 0
stop_item "$uid" "$label"
exit 0
`;

export const postinstall = (bundleId: string): string => `${begin(bundleId)}
tell_shells || echo "$label: shells are not told to have Node ask the system"
uid=$(console_uid) || exit 0
stop_item "$uid" "$environment"
launchctl bootstrap "gui/$uid" "$agents/$environment.plist" ||
    echo "$environment: will be loaded at the next log-in"
stop_item "$uid" "$label"
launchctl enable "gui/$uid/$label"
launchctl bootstrap "gui/$uid" "$agent" || echo "$label: will be loaded at the next log-in"
exit 0
`;

/** What all scripts begin with: names, and functions of the shell. */
export const begin = (bundleId: string): string => `#!/bin/sh
label=${bundleId}
volume=\${3%/}
agents=$volume/${LAUNCH_AGENTS}
agent=$agents/$label.plist
environment=${environmentLabel(bundleId)}

# Whose session is on the screen: nobody's at the log-in window or in the setup assistant.
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

# launchctl answers before the item has gone, and loading it again fails until then.
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

${shellFunctions}`;
