import { LAUNCH_AGENTS } from './launch-agent.ts';

/**
 * Installer runs these as root, `$3` being the volume that it installs on. All of them can be run
 * any number of times, ask nothing and need nobody to be logged in.
 */
export const preinstall = (bundleId: string): string => `${begin(bundleId)}
uid=$(console_uid) || exit 0
stop_agent "$uid"
exit 0
`;

export const postinstall = (bundleId: string): string => `${begin(bundleId)}
uid=$(console_uid) || exit 0
stop_agent "$uid"
launchctl enable "gui/$uid/$label"
launchctl bootstrap "gui/$uid" "$agent" || echo "$label: will be loaded at the next log-in"
exit 0
`;

/** Takes away what the package, and then the agent, have put on the Mac. */
export const uninstall = (bundleId: string, appName: string): string => `${begin(bundleId)}
status=0

# The app may have been packed under another name than the product's: its background item knows.
program=$(plutil -extract ProgramArguments.0 raw -o - "$agent" 2>/dev/null)

uid=$(console_uid) && stop_agent "$uid"
for home in "$volume"/Users/*; do
    uid=$(stat -f %u "$home" 2>/dev/null) || continue
    [ "$uid" -ne 0 ] || continue
    stop_agent "$uid"
    # As the user: whatever a link of theirs leads to, they could have removed it themselves.
    sudo -u "#$uid" rm -rf "$home/Library/Application Support/$label" || status=1
done

rm -f "$agent" || status=1

for app in "/Applications/"${quote(appName)}".app" "\${program%%.app/*}.app"; do
    app=$volume$app
    # Only what says that it is ours.
    id=$(plutil -extract CFBundleIdentifier raw -o - "$app/Contents/Info.plist" 2>/dev/null)
    [ "$id" = "$label" ] || continue
    rm -rf "$app" || status=1
done

if pkgutil --volume "$volume/" --pkg-info "$label" >/dev/null 2>&1; then
    pkgutil --volume "$volume/" --forget "$label" || status=1
fi
exit "$status"
`;

const begin = (bundleId: string): string => `#!/bin/sh
label=${bundleId}
volume=\${3%/}
agent=$volume/${LAUNCH_AGENTS}/$label.plist

# Whose session is on the screen: nobody's at the log-in window or in the setup assistant.
console_uid() {
    user=$(stat -f %Su /dev/console) || return 1
    case $user in
        '' | root | loginwindow | _mbsetupuser) return 1 ;;
    esac
    id -u "$user"
}

is_loaded() {
    launchctl print "gui/$1/$label" >/dev/null 2>&1
}

# launchctl answers before the agent has gone, and loading it again fails until then.
stop_agent() {
    is_loaded "$1" || return 0
    launchctl bootout "gui/$1/$label"
    tries=30
    while is_loaded "$1" && [ "$tries" -gt 0 ]; do
        sleep 1
        tries=$((tries - 1))
    done
    return 0
}
`;

const quote = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
