/** Ours among the switches; Chromium knows none of these. */
const ownSwitches = ['--help', '-h', '--json', '--purge'];

/**
 * The arguments without those for Electron, Chromium and macOS, which may stand anywhere: `--switch`,
 * `--switch=value`, `-psn_0_123` of the Finder, and `-AppleLanguages (en)`, a setting with its value.
 */
export const withoutSwitches = (args: readonly string[]): string[] =>
  args.filter((arg, i) => {
    if (ownSwitches.includes(arg)) return true;
    return !arg.startsWith('-') && !/^-(Apple|NS)/.test(args[i - 1] ?? '');
  });
