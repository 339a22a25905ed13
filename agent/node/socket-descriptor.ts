import type { Socket } from 'node:net';

/** The descriptor of an open socket, or -1. Node has no public name for it. */
export const descriptorOf = (socket: Socket): number =>
  (socket as unknown as { _handle?: { fd?: number } | null })._handle?.fd ?? -1;
