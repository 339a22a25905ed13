import { MAX_CHECKED_REQUEST_LENGTH } from '#contract/call-check.ts';
import type { CopyBudget } from '../wire/exchange.ts';

/**
 * The client's earlier messages on a WebSocket, which later calls include: the newest, up to the
 * size that is evaluated. Sizes are lengths of JSON text.
 */
export interface SocketConversation {
  /** Replaces the session or setup. */
  setSettings: (settings: Record<string, unknown>, size: number) => void;
  settings: () => Record<string, unknown>;
  /** Adds the parts of one message. */
  add: (parts: readonly unknown[], size: number) => void;
  /** The context for a call of this size, in order: at least the newest message. */
  newest: (callSize: number) => { parts: unknown[]; truncated: boolean };
  release: () => void;
}

interface StoredMessage<T> {
  value: T;
  size: number;
}

/** Approximate memory of a message besides its text. */
const OVERHEAD = 256;

export function createSocketConversation(budget: CopyBudget): SocketConversation {
  const none: StoredMessage<Record<string, unknown>> = { value: {}, size: 0 };
  let settings = none;
  let messages: StoredMessage<readonly unknown[]>[] = [];
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
