import type { StatusMessage } from './status-message.ts';

export type { StatusMessage };

export interface About {
  name: string;
  version: string;
}

/** What the window may ask of the app, and what it is answered. It can ask for nothing else. */
export interface Answers {
  status: StatusMessage;
  about: About;
}

export const questions = {
  status: 'ask:status',
  about: 'ask:about',
} as const satisfies Record<keyof Answers, string>;

/** The app to the window, after each change: a `StatusMessage`. */
export const statusNews = 'news:status';

/** All that the page of the window can reach: it reads, and changes nothing. */
export interface Bridge {
  getStatus(): Promise<StatusMessage>;
  getAbout(): Promise<About>;
  /** Calls back after each change, until the returned function is called. */
  onStatus(listener: (status: StatusMessage) => void): () => void;
}

/** Under this name of `window` the page finds the bridge. */
export const bridgeName = 'agent';

declare global {
  interface Window {
    readonly [bridgeName]: Bridge;
  }
}
