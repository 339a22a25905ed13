import { z } from 'zod';
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

const configurationEvent = z.object({
  event: z.literal('status'),
  configuration: z.enum(['filter', 'proxy']),
  present: z.boolean(),
  enabled: z.boolean(),
});

/**
 * The network configurations in the output of `gatehouse-extensions status`: JSON, one event per
 * line.
 */
export const parseConfigurations = (text: string): NetworkConfiguration[] =>
  text.split('\n').flatMap((line) => {
    try {
      const { configuration, present, enabled } = configurationEvent.parse(JSON.parse(line));
      return [{ name: configuration, present, enabled }];
    } catch {
      // Another kind of event, or not an event.
      return [];
    }
  });
