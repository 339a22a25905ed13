import type { ObservedExchange } from '../exchange.ts';
import type { Transmission } from './conversation.ts';

interface Damage {
  at: number;
  from: number;
  kind: 'change' | 'drop' | 'repeat' | 'swap';
  value: number;
}

export function damage(passed: Transmission[], { at, from, kind, value }: Damage): void {
  const i = at % passed.length;
  const chosen = passed[i];
  const other = passed[from % passed.length];
  if (!chosen || !other) return;
  if (kind === 'change') chosen.bytes[from % chosen.bytes.length] = value;
  if (kind === 'drop') chosen.bytes = chosen.bytes.subarray(0, from % (chosen.bytes.length + 1));
  if (kind === 'repeat') passed.splice(i, 0, { from: chosen.from, bytes: chosen.bytes.slice() });
  if (kind === 'swap') [chosen.bytes, other.bytes] = [other.bytes, chosen.bytes];
}

export function storedBytes({ request: sent, response, webSocket }: ObservedExchange): number {
  const blocks = [...sent.beginning, ...(response?.beginning ?? [])];
  const kept = [...blocks, ...(webSocket?.messages ?? []).map(({ bytes }) => bytes)];
  return kept.reduce((sum, bytes) => sum + bytes.buffer.byteLength, 0);
}
