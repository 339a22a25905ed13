import { build } from 'plist';

/** Of the item that sets the environment of a session. */
export const environmentLabel = (bundleId: string): string => `${bundleId}.environment`;

/**
 * Node has a list of authorities of its own unless it is told to ask the system. Apps, and the
 * terminals among them, get their environment from launchd: this item sets it at log-in, unless
 * somebody else has.
 */
export function environmentAgent(bundleId: string): string {
  const set = 'launchctl setenv NODE_USE_SYSTEM_CA 1';
  const item = {
    Label: environmentLabel(bundleId),
    ProgramArguments: [
      '/bin/sh',
      '-c',
      `[ -n "$(launchctl getenv NODE_USE_SYSTEM_CA)" ] || ${set}`,
    ],
    RunAtLoad: true,
    LimitLoadToSessionType: 'Aqua',
    AssociatedBundleIdentifiers: [bundleId],
  };
  return `${build(item)}\n`;
}

/**
 * Functions of the shell: `tell_shells` and `forget_shells` put a block into what zsh and bash read,
 * and take it out. They use `$volume` and `$label`. A block without its end was edited by somebody,
 * and is left as it is.
 */
export const shellFunctions = `begin_mark="# >>> $label >>>"
end_mark="# <<< $label <<<"

forget_shells() {
    for file in "$volume/etc/zshenv" "$volume/etc/bashrc"; do
        grep -qxF "$begin_mark" "$file" 2>/dev/null && grep -qxF "$end_mark" "$file" || continue
        rest=$(sed "/^$begin_mark\\$/,/^$end_mark\\$/d" "$file" && echo x) || return 1
        rest=\${rest%x}
        # In place, so that its owner and mode stay.
        if [ -n "$rest" ]; then printf %s "$rest" >"$file"; else rm -f "$file"; fi || return 1
    done
}

tell_shells() {
    [ -d "$volume/etc" ] || return 0
    forget_shells || return 1
    for file in "$volume/etc/zshenv" "$volume/etc/bashrc"; do
        grep -qxF "$begin_mark" "$file" 2>/dev/null && continue
        {
            [ ! -s "$file" ] || [ -z "$(tail -c 1 "$file")" ] || echo
            echo "$begin_mark"
            echo '[ -n "\${NODE_USE_SYSTEM_CA+set}" ] || export NODE_USE_SYSTEM_CA=1'
            echo "$end_mark"
        } >>"$file" || return 1
    done
}
`;
