/** The switches of the agent; Chromium has none of these. */
const ownSwitches = ['--help', '-h', '--json', '--purge'];

/**
 * Removes the arguments for Electron, Chromium and macOS, which may be anywhere: `--switch`,
 * `--switch=value`, `-psn_0_123` from the Finder, and settings with a value, `-AppleLanguages (en)`.
 */
export const withoutSwitches = (args: readonly string[]): string[] =>
  args.filter((arg, i) => {
    if (ownSwitches.includes(arg)) return true;
    return !arg.startsWith('-') && !/^-(Apple|NS)/.test(args[i - 1] ?? '');
  });
