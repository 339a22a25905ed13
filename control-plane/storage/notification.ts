import { z } from 'zod';
import { type Signal, signal } from './signals.ts';

const notification = signal.extend({ origin: z.string() });

/**
 * Parses the payload of a notification: the sending process and its signal. Undefined if a control
 * plane did not send it, whatever it contains.
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
