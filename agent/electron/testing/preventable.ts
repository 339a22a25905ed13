/** An event as Electron's, whose default a listener may prevent. */
export interface Preventable {
  defaultPrevented: boolean;
  preventDefault(): void;
}

export function preventable(): Preventable {
  const event = {
    defaultPrevented: false,
    preventDefault: () => void (event.defaultPrevented = true),
  };
  return event;
}
