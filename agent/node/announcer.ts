export interface Announcer<T> {
  /** Schedules one notification of the listeners, however often this is called. */
  changed: () => void;
  /** Calls back with the value after each change, until the returned function is called. */
  listen: (listener: (value: T) => void) => () => void;
}

export function createAnnouncer<T>(read: () => T): Announcer<T> {
  const listeners = new Set<(value: T) => void>();
  let pending = false;
  const announce = (): void => {
    pending = false;
    const value = read();
    for (const listener of listeners) listener(value);
  };
  return {
    changed: () => {
      if (pending || listeners.size === 0) return;
      pending = true;
      setImmediate(announce);
    },
    listen: (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}
