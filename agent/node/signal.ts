/** Something that happens again and again, and those who are called back each time. */
export interface Signal<T = void> {
  send: (value: T) => void;
  subscribe: (listener: (value: T) => void) => void;
}

/**
 * A part of the agent sends its signals without knowing who listens: so parts are created one after
 * the other, and each refers only to earlier ones. Listeners are called in the order they came.
 */
export function createSignal<T = void>(): Signal<T> {
  const listeners: ((value: T) => void)[] = [];
  return {
    send: (value) => listeners.forEach((listener) => listener(value)),
    subscribe: (listener) => void listeners.push(listener),
  };
}
