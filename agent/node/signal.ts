/** An event with its listeners. */
export interface Signal<T = void> {
  emit: (value: T) => void;
  subscribe: (listener: (value: T) => void) => void;
}

/**
 * A part of the agent emits its signals without knowing the listeners. Parts can therefore be
 * created one after the other, and each refers only to earlier ones. Listeners are called in the
 * order in which they subscribed.
 */
export function createSignal<T = void>(): Signal<T> {
  const listeners: ((value: T) => void)[] = [];
  return {
    emit: (value) => listeners.forEach((listener) => listener(value)),
    subscribe: (listener) => void listeners.push(listener),
  };
}
