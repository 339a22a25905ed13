import { EventEmitter } from 'node:events';
import { z } from 'zod';

/** A change that other components, possibly in other processes, react to. */
export const signal = z.object({
  tenant_id: z.string(),
  topic: z.enum([
    'devices',
    'apps',
    'inventory',
    'inventory_rules',
    'flows',
    'captures',
    'guard',
    'identities',
    'runs',
    'approvals',
    'settings',
    'keys',
    'policies',
    'prompts',
    'experiments',
    'tenants',
  ]),
  device_id: z.string().exactOptional(),
  run_id: z.int().exactOptional(),
});
export type Signal = z.infer<typeof signal>;

/** Signals are hints: they may be lost, so consumers that depend on one also poll. */
export interface Signals {
  publish(signal: Signal): void;
  subscribe(listener: (signal: Signal) => void): () => void;
}

/** Creates signals within one process. */
export function localSignals(): Signals {
  const emitter = new EventEmitter().setMaxListeners(0);
  return {
    publish: (signal) => void emitter.emit('signal', signal),
    subscribe(listener) {
      emitter.on('signal', listener);
      return () => void emitter.off('signal', listener);
    },
  };
}

const notification = signal.extend({ origin: z.string() });

/**
 * Parses the payload of a notification into the sending process and its signal. Returns undefined
 * for any payload that a control plane did not send.
 */
export function readNotification(
  payload: string | undefined,
): { origin: string; signal: Signal } | undefined {
  const result = notification.safeParse(parse(payload ?? ''));
  if (!result.success) return undefined;
  const { origin, ...rest } = result.data;
  return { origin, signal: rest };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
