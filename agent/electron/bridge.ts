import type { SentExchange } from '#agent/node/capture/sent-exchanges.ts';
import type { StatusMessage } from './status-message.ts';

export type { SentExchange, StatusMessage };

export interface About {
  name: string;
  version: string;
  /** Of this computer's user, such as `en-GB`. */
  locale: string;
}

/** The IPC requests of the window: their arguments and responses. */
export interface IpcRequests {
  status: { given: []; answer: StatusMessage };
  about: { given: []; answer: About };
  /** One of the exchanges that the status names, exactly as it was uploaded. */
  exchange: { given: [id: string]; answer: SentExchange | null };
  /** Whether capture is paused then. */
  pause: { given: []; answer: boolean };
  resume: { given: []; answer: boolean };
}

export const ipcRequests = {
  status: 'ask:status',
  about: 'ask:about',
  exchange: 'ask:exchange',
  pause: 'do:pause',
  resume: 'do:resume',
} as const satisfies Record<keyof IpcRequests, string>;

/** The app to the window, after each change: a `StatusMessage`. */
export const STATUS_CHANNEL = 'news:status';

/** All that the page of the window can reach: it reads, and may pause where that is allowed. */
export interface Bridge {
  getStatus(): Promise<StatusMessage>;
  getAbout(): Promise<About>;
  getExchange(id: string): Promise<SentExchange | null>;
  pause(): Promise<boolean>;
  resume(): Promise<boolean>;
  /** Calls back after each change, until the returned function is called. */
  onStatus(listener: (status: StatusMessage) => void): () => void;
}

/** Under this name of `window` the page finds the bridge. */
export const BRIDGE_NAME = 'agent';

declare global {
  interface Window {
    readonly [BRIDGE_NAME]: Bridge;
  }
}
