import { z } from 'zod';
import { type Signal, signal } from './signals.ts';

const notification = signal.extend({ origin: z.string() });

/**
 * Reads the payload of a notification: which process sent it, and its signal. Undefined when no
 * control plane sent it, whatever it holds.
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
