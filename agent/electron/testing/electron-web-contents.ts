import { EventEmitter } from 'node:events';

export interface StandInFrame {
  url: string;
}

export interface StandInWebContents extends EventEmitter {
  mainFrame: StandInFrame;
  /** The messages sent to the page, with their channels. */
  sent: [channel: string, message: unknown][];
  /** Opens a window as the page would; returns whether the app allows it. */
  openWindow(url: string): string;
  setWindowOpenHandler(handler: (details: { url: string }) => { action: string }): void;
  send(channel: string, message: unknown): void;
}

/** A stand-in for Electron's `webContents` of one window. */
export function createWebContents(): StandInWebContents {
  let onOpen = (_details: { url: string }): { action: string } => ({ action: 'allow' });
  const contents: StandInWebContents = Object.assign(new EventEmitter(), {
    mainFrame: { url: '' },
    sent: [] as [string, unknown][],
    openWindow: (url: string) => onOpen({ url }).action,
    setWindowOpenHandler: (handler: typeof onOpen) => void (onOpen = handler),
    // Electron clones messages too.
    send: (channel: string, message: unknown) =>
      void contents.sent.push([channel, structuredClone(message)]),
  });
  return contents;
}
