import type { Socket } from 'node:net';

/** Returns the descriptor of an open socket, or -1. Node has no public API for it. */
export const descriptorOf = (socket: Socket): number =>
  (socket as unknown as { _handle?: { fd?: number } | null })._handle?.fd ?? -1;
