import { z } from 'zod';

/** Whether the private keys of the device can be used only on this computer. */
export const keyBindingStatus = z.discriminatedUnion('state', [
  /** There is no key yet, or it is not known yet whether the keys can be bound. */
  z.object({ state: z.literal('none') }),
  z.object({ state: z.literal('bound') }),
  z.object({ state: z.literal('not_bound'), reason: z.string() }),
  /** The keys are bound, and cannot be used yet. `reason` is null until the first answer. */
  z.object({ state: z.literal('locked'), reason: z.string().nullable() }),
]);
export type KeyBindingStatus = z.output<typeof keyBindingStatus>;

/** The report of a running agent to programs of the same user on this computer; times in ms. */
export const agentReport = z.object({
  pid: z.int(),
  version: z.string(),
  started_at: z.number(),
  managed_preferences: z.string(),
  phase: z.enum(['waiting for configuration', 'enrolling', 'waiting for approval', 'enrolled']),
  device_id: z.string().nullable(),
  /** Whether the private keys are bound to this computer; absent in earlier versions. */
  key_binding: keyBindingStatus.optional(),
  /** The time at which the channel was opened; null while it is closed. */
  connected_since: z.number().nullable(),
  /** Versions of the configuration. `wanted` is null until the first heartbeat is answered. */
  applied: z.number().nullable(),
  wanted: z.number().nullable(),
  capture: z.object({
    enabled: z.boolean(),
    hosts: z.array(z.string()),
    processes: z.array(z.string()),
  }),
  /** The names of the open capture listeners. */
  doors: z.array(z.string()),
  proxy_port: z.number().nullable(),
  /** Whether this agent installs roots in the system's trust store. */
  system_trust: z.boolean(),
  /** Settings of coding agents that are in use; absent in earlier versions. */
  coding_agents: z
    .object({
      level: z.string(),
      files: z.array(
        z.object({
          tool: z.string(),
          path: z.string(),
          /** Whether device management delivered it; absent in earlier versions. */
          delivered: z.boolean().default(false),
        }),
      ),
    })
    .optional(),
  refusals: z.array(z.object({ process: z.string().nullable(), host: z.string() })),
  queued: z.number(),
  /** `part: what is wrong` */
  problems: z.array(z.string()),
});
export type AgentReport = z.output<typeof agentReport>;

/** The problems of these parts of the agent, without the parts' names. */
export const problemsOf = (report: AgentReport | null, ...parts: readonly string[]): string[] =>
  (report?.problems ?? []).flatMap((line) => {
    const part = parts.find((name) => line.startsWith(`${name}: `));
    return part === undefined ? [] : [line.slice(part.length + 2)];
  });
