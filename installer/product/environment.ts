import { build } from 'plist';

/** The label of the launch agent that sets the environment of a session. */
export const environmentLabel = (bundleId: string): string => `${bundleId}.environment`;

/**
 * A launch agent that makes Node use the system's list of authorities instead of its own. Apps,
 * including terminals, inherit their environment from launchd, so the agent sets the variable at
 * login, unless it is already set.
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
 * Shell functions: `add_shell_blocks` adds a block to the startup files of zsh and bash, and
 * `remove_shell_blocks` removes it. They use `$volume` and `$label`. A block without its end marker
 * was edited by a user and stays unchanged.
 */
export const SHELL_FUNCTIONS = `begin_mark="# >>> $label >>>"
end_mark="# <<< $label <<<"

remove_shell_blocks() {
    for file in "$volume/etc/zshenv" "$volume/etc/bashrc"; do
        grep -qxF "$begin_mark" "$file" 2>/dev/null && grep -qxF "$end_mark" "$file" || continue
        rest=$(sed "/^$begin_mark\\$/,/^$end_mark\\$/d" "$file" && echo x) || return 1
        rest=\${rest%x}
        # In place, so that its owner and mode stay.
        if [ -n "$rest" ]; then printf %s "$rest" >"$file"; else rm -f "$file"; fi || return 1
    done
}

add_shell_blocks() {
    [ -d "$volume/etc" ] || return 0
    remove_shell_blocks || return 1
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
