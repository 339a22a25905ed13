import { scriptHeader } from './scripts.ts';

/** The program in the app that manages its system extensions. */
const EXTENSION_TOOL = 'Contents/MacOS/gatehouse-extensions';

/** Paths below each user's Library. macOS creates most of them for every app. */
const userLibraryPaths = [
  'Application Support/$label',
  'Application Scripts/$label',
  'Caches/$label',
  'HTTPStorages/$label',
  'Saved Application State/$label.savedState',
  'WebKit/$label',
  'Logs/$name',
  'Preferences/$label.plist',
];

/**
 * The container of the app group, whose name starts with the team id of ten characters. The
 * quotation marks end and resume the quoted part of the shell command.
 */
const GROUP_CONTAINER = 'Group Containers/"??????????".$label"';

/**
 * Removes everything that the package and the agent have put on the Mac. Installer runs it as root.
 * Failures are written to Installer's log, and the exit code is then 1. The script is idempotent
 * and non-interactive. It needs no logged-in user, except for system extensions: macOS lets only
 * the app deactivate those, in a user's session. Until then, the app is kept.
 */
export const uninstall = (bundleId: string, appName: string): string => `${scriptHeader(bundleId)}
name=${quote(appName)}
status=0
${functions}
# The app's bundle may be named differently than the product; the launch agent contains its path.
program=$(plutil -extract ProgramArguments.0 raw -o - "$agent" 2>/dev/null)
app=
for found in "$volume/Applications/$name.app" "$volume\${program%%.app/*}.app"; do
    # Only the app with this bundle id.
    id=$(plutil -extract CFBundleIdentifier raw -o - "$found/Contents/Info.plist" 2>/dev/null)
    [ "$id" = "$label" ] && app=$found
done
screen=$(console_uid)

[ -z "$screen" ] || leave_session "$screen"
for home in "$volume"/Users/*; do
    uid=$(stat -f %u "$home" 2>/dev/null) || continue
    [ "$uid" -ne 0 ] || continue
    leave_session "$uid"
    forget_user "$uid" "$home"
done

remove "$agent"
remove "$agents/$environment.plist"
remove_shell_blocks || report_left "the block of $label in /etc/zshenv and /etc/bashrc"
for report in "$volume/Library/Logs/DiagnosticReports/$name"[-_]*; do
    [ ! -e "$report" ] || remove "$report"
done

if deactivate_extensions; then
    if [ -n "$app" ]; then
        end_processes "$app"
        remove "$app"
    fi
    for container in "$volume/private/var/root/Library/Containers/$label".*monitor \\
        "$volume/private/var/root/Library/${GROUP_CONTAINER}; do
        [ ! -e "$container" ] || remove "$container"
    done
    if pkgutil --volume "$volume/" --pkg-info "$label" >/dev/null 2>&1; then
        pkgutil --volume "$volume/" --forget "$label" || report_left "the receipt of $label"
    fi
fi
if [ -e "$volume/Library/Managed Preferences/$label.proxymonitor.plist" ]; then
    echo "$label: the configuration profile is still installed, so the tenant's root is still trusted: remove the profile through device management"
fi
exit "$status"
`;

const functions = `
report_left() {
    echo "$label: could not remove $1"
    status=1
}

is_there() {
    [ -e "$1" ] || [ -L "$1" ]
}

remove() {
    rm -rf "$1"
    ! is_there "$1" || report_left "$1"
}

# In the session of a user, as that user.
in_session() {
    uid_of_session=$1
    shift
    launchctl asuser "$uid_of_session" sudo -u "#$uid_of_session" "$@"
}

leave_session() {
    stop_items "$1"
    ! is_loaded "$1" "$label" || report_left "the background item of user $1"
    # Set by our item, or by another one, which sets it again at the next log-in.
    if [ -e "$agents/$environment.plist" ] &&
        [ "$(in_session "$1" launchctl getenv NODE_USE_SYSTEM_CA 2>/dev/null)" = 1 ]; then
        in_session "$1" launchctl unsetenv NODE_USE_SYSTEM_CA
    fi
}

# Runs as the user, so that a symbolic link of theirs cannot delete files that they may not delete.
forget_user() {
    # Privacy permissions, and preferences that cfprefsd would write again.
    [ -z "$app" ] || sudo -u "#$1" tccutil reset All "$label" >/dev/null 2>&1
    sudo -u "#$1" defaults delete "$label" >/dev/null 2>&1
    for file in ${userLibraryPaths.map((path) => `"$2/Library/${path}"`).join(' ')} \\
        "$2/Library/Logs/DiagnosticReports/$name"[-_]* \\
        "$2/Library/${GROUP_CONTAINER}; do
        is_there "$file" || continue
        sudo -u "#$1" rm -rf "$file"
        ! is_there "$file" || report_left "$file"
    done
}

extensions_left() {
    systemextensionsctl list 2>/dev/null | grep -F "	$label." | grep -vF '[terminated '
}

deactivate_extensions() {
    [ -n "$(extensions_left)" ] || return 0
    tool=$app/${EXTENSION_TOOL}
    if [ -z "$screen" ]; then
        echo "$label: the extensions are active, and no user is logged in to deactivate them"
    elif [ ! -x "$tool" ]; then
        echo "$label: the extensions are active, and the app that could deactivate them is missing"
    else
        # Not in a function, so that kill ends the command itself.
        launchctl asuser "$screen" sudo -u "#$screen" "$tool" deactivate &
        tool_pid=$!
        # macOS may prompt for an administrator, who may be absent.
        tries=120
        while kill -0 "$tool_pid" 2>/dev/null && [ "$tries" -gt 0 ]; do
            sleep 1
            tries=$((tries - 1))
        done
        kill "$tool_pid" 2>/dev/null
        wait "$tool_pid"
    fi
    [ -n "$(extensions_left)" ] || return 0
    report_left "the extensions, and left the app and its receipt for them: remove the profile, which deactivates them, and run this again"
    return 1
}

# ps names a program by its path.
pids_of() {
    ps -axo pid=,comm= | while read -r pid program; do
        case $program in "$1"/*) echo "$pid" ;; esac
    done
}

end_processes() {
    for signal in TERM KILL; do
        pids=$(pids_of "$1")
        [ -n "$pids" ] || return 0
        kill -s "$signal" $pids 2>/dev/null
        tries=10
        while [ -n "$(pids_of "$1")" ] && [ "$tries" -gt 0 ]; do
            sleep 1
            tries=$((tries - 1))
        done
    done
    [ -z "$(pids_of "$1")" ] || report_left "processes of $1"
}
`;

const quote = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
