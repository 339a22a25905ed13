import { concatenated, type Transmission } from './conversation.ts';

export function client(...frames: readonly Uint8Array[]): Transmission {
  return { from: 'client', bytes: concatenated(frames) };
}

export function server(...frames: readonly Uint8Array[]): Transmission {
  return { from: 'server', bytes: concatenated(frames) };
}
