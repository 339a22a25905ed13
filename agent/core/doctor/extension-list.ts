import type { ToolEvent } from '../network-extensions/tool-output.ts';
import type { ExtensionState, NetworkConfiguration } from './extensions.ts';

const heading = /^--- com\.apple\.system_extension\.(\w+)/;
/** `enabled active teamID bundleID (version) name [state]`, with tabs in between. */
const row = /^\*?\t\*?\t(\S+)\t(\S+) \([^)]*\)\t.*\[([^\]]+)\]\s*$/;

/** The network extensions in the output of `systemextensionsctl list`. */
export function parseExtensionList(text: string): ExtensionState[] {
  let kind = '';
  return text.split('\n').flatMap((line) => {
    kind = heading.exec(line)?.[1] ?? kind;
    const [, team, id, state] = row.exec(line) ?? [];
    if (kind !== 'network_extension' || !team || !id || !state) return [];
    return [{ team, id, state }];
  });
}

/** The network configurations in the output of `gatehouse-extensions status`. */
export const configurationsIn = (events: readonly ToolEvent[]): NetworkConfiguration[] =>
  events.flatMap((one) =>
    one.event === 'status' && 'present' in one
      ? [{ name: one.configuration, present: one.present, enabled: one.enabled }]
      : [],
  );
