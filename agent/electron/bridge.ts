import type { SentExchange } from '#agent/node/capture/sent-exchanges.ts';
import type { StatusMessage } from './status-message.ts';

export type { SentExchange, StatusMessage };

export interface About {
  name: string;
  version: string;
  /** The locale of the user, such as `en-GB`. */
  locale: string;
}

/** The IPC requests of the window, with their parameters and responses. */
export interface IpcRequests {
  status: { parameters: []; response: StatusMessage };
  about: { parameters: []; response: About };
  /** Returns an exchange of the status as it was uploaded. */
  exchange: { parameters: [id: string]; response: SentExchange | null };
  /** Returns whether capture is paused afterwards. */
  pause: { parameters: []; response: boolean };
  resume: { parameters: []; response: boolean };
}

export const ipcRequests = {
  status: 'agent:get-status',
  about: 'agent:get-about',
  exchange: 'agent:get-exchange',
  pause: 'agent:pause',
  resume: 'agent:resume',
} as const satisfies Record<keyof IpcRequests, string>;

/** The channel on which the app sends the window a `StatusMessage` after each change. */
export const STATUS_CHANNEL = 'agent:status-changed';

/**
 * The functions of the app that the page can call: it reads, and pauses if an administrator allows
 * that.
 */
export interface Bridge {
  getStatus(): Promise<StatusMessage>;
  getAbout(): Promise<About>;
  getExchange(id: string): Promise<SentExchange | null>;
  pause(): Promise<boolean>;
  resume(): Promise<boolean>;
  /** Calls the listener after each change. The returned function unsubscribes it. */
  onStatus(listener: (status: StatusMessage) => void): () => void;
}

/** The name of the bridge as a property of `window`. */
export const BRIDGE_NAME = 'agent';

declare global {
  interface Window {
    readonly [BRIDGE_NAME]: Bridge;
  }
}
