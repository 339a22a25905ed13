import { EventEmitter } from 'node:events';

export interface StandInFrame {
  url: string;
}

export interface StandInWebContents extends EventEmitter {
  mainFrame: StandInFrame;
  /** What the page has been sent: channel and message. */
  sent: [channel: string, message: unknown][];
  /** What becomes of a new window that the page asks for. */
  openWindow(url: string): string;
  setWindowOpenHandler(handler: (details: { url: string }) => { action: string }): void;
  send(channel: string, message: unknown): void;
}

/** Stands for Electron's `webContents` of one window. */
export function createWebContents(): StandInWebContents {
  let onOpen = (_details: { url: string }): { action: string } => ({ action: 'allow' });
  const contents: StandInWebContents = Object.assign(new EventEmitter(), {
    mainFrame: { url: '' },
    sent: [] as [string, unknown][],
    openWindow: (url: string) => onOpen({ url }).action,
    setWindowOpenHandler: (handler: typeof onOpen) => void (onOpen = handler),
    // What cannot be cloned cannot be sent.
    send: (channel: string, message: unknown) =>
      void contents.sent.push([channel, structuredClone(message)]),
  });
  return contents;
}
