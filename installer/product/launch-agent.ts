import { build } from 'plist';

/** The folder from which launchd loads items for every user. */
export const LAUNCH_AGENTS = 'Library/LaunchAgents';

/**
 * The background item: runs the app's program in every user's graphical session, from log-in on.
 * `program` is its path on the Mac. The environment holds the id under which the agent is managed.
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
