import { MAX_CHECKED_REQUEST_LENGTH } from '#contract/call-check.ts';
import type { CopyBudget } from '../wire/exchange.ts';

/**
 * What a client has said on a WebSocket, because later calls include it: the newest of it, as much as is
 * evaluated. Sizes are lengths of the JSON text.
 */
export interface SocketConversation {
  /** Session or setup; replaces the one before. */
  setSettings: (settings: Record<string, unknown>, size: number) => void;
  settings: () => Record<string, unknown>;
  /** Adds what one message said. */
  add: (parts: readonly unknown[], size: number) => void;
  /** What is evaluated beside a call of this size: at least the newest message, in order. */
  newest: (callSize: number) => { parts: unknown[]; truncated: boolean };
  release: () => void;
}

interface Kept<T> {
  value: T;
  size: number;
}

/** About what a message takes in memory besides its text. */
const OVERHEAD = 256;

export function createSocketConversation(budget: CopyBudget): SocketConversation {
  const none: Kept<Record<string, unknown>> = { value: {}, size: 0 };
  let settings = none;
  let messages: Kept<readonly unknown[]>[] = [];
  let held = 0;
  let isCut = false;

  const give = (size: number): void => {
    held -= size;
    budget.give(size);
  };
  const dropOldest = (): boolean => {
    const oldest = messages.shift();
    if (!oldest) return false;
    give(oldest.size);
    isCut = true;
    return true;
  };
  const isTooLong = (more: number): boolean => held + more > MAX_CHECKED_REQUEST_LENGTH;
  const reserve = (size: number): boolean => {
    while (isTooLong(size) && dropOldest());
    while (!budget.take(size)) if (!dropOldest()) return false;
    held += size;
    return true;
  };

  return {
    setSettings(value, length) {
      const size = length + OVERHEAD;
      give(settings.size);
      settings = none;
      if (reserve(size)) settings = { value, size };
      else isCut = true;
    },
    settings: () => settings.value,
    add(value, length) {
      const size = length + OVERHEAD;
      if (reserve(size)) messages.push({ value, size });
      else isCut = true;
    },
    newest(callSize) {
      let room = MAX_CHECKED_REQUEST_LENGTH - settings.size - callSize;
      const chosen: (readonly unknown[])[] = [];
      for (const { value, size } of messages.toReversed()) {
        room -= size;
        if (room < 0 && chosen.length > 0) break;
        chosen.push(value);
      }
      const truncated = isCut || chosen.length < messages.length;
      return { parts: chosen.toReversed().flat(), truncated };
    },
    release() {
      give(held);
      settings = none;
      messages = [];
    },
  };
}
