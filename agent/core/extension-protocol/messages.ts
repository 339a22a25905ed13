import { z } from 'zod';

/** The version that both sides send in their hello. */
export const PROTOCOL_VERSION = 1;

export const MAX_HOSTS = 512;
export const MAX_ADDRESSES = 1024;

/** Messages of the agent. docs/local-protocol.md describes when they are sent. */
export type AgentMessage =
  | { type: 'hello'; protocol: number }
  | { type: 'alive' }
  | { type: 'observe'; on: boolean }
  | { type: 'divert'; number: number; hosts: string[]; addresses: string[]; socket: string };

const text = (longest: number) => z.string().max(longest);
const id = text(64).min(1);
const count = z.int().nonnegative();
const counts = { id, at: count, bytes_in: count, bytes_out: count };

const flowProcess = z.object({
  pid: count,
  pid_version: z.int(),
  path: text(4096).nullable(),
  signing_id: text(1024).nullable(),
  user: text(256).nullable(),
});

/** Messages of an extension. Times are milliseconds since 1970. */
export const extensionMessage = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('hello'),
    protocol: z.int(),
    extension: z.enum(['flowmonitor', 'proxymonitor']),
    version: text(64),
  }),
  z.object({
    type: z.literal('opened'),
    id,
    started_at: count,
    protocol: z.enum(['tcp', 'udp']),
    address: text(256),
    port: z.int().min(0).max(65_535),
    host: text(256).nullable(),
    process: flowProcess.nullable(),
  }),
  z.object({ type: z.literal('greeting'), id, bytes: z.base64().max(8192) }),
  z.object({ type: z.literal('counted'), ...counts }),
  z.object({ type: z.literal('closed'), ...counts }),
  z.object({ type: z.literal('listed') }),
  z.object({ type: z.literal('dropped'), count }),
  z.object({ type: z.literal('diverting'), number: count, problem: text(1024).nullable() }),
]);

export type ExtensionMessage = z.output<typeof extensionMessage>;
export type OpenedFlow = Extract<ExtensionMessage, { type: 'opened' }>;
export type FlowCountsMessage = Extract<ExtensionMessage, { type: 'counted' | 'closed' }>;

const typedMessage = z.object({ type: z.string() });
const knownTypes: ReadonlySet<string> = new Set(
  extensionMessage.options.map(({ shape }) => shape.type.value),
);

/** Unknown: a message of a newer extension, to be ignored. */
export function readExtensionMessage(body: string): ExtensionMessage | 'unknown' | 'malformed' {
  let value: unknown;
  try {
    value = JSON.parse(body);
  } catch {
    return 'malformed';
  }
  const read = extensionMessage.safeParse(value);
  if (read.success) return read.data;
  const type = typedMessage.safeParse(value).data?.type;
  return type === undefined || knownTypes.has(type) ? 'malformed' : 'unknown';
}
