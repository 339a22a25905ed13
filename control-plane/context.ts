import type { Logger } from 'pino';
import type { Config } from './config.ts';
import type { Recorder } from './recording/recorder.ts';
import type { Secrets } from './secrets.ts';
import type { Storage } from './storage/open.ts';

/** What handlers may reach. Time and ids come through here, so that tests can set them. */
export interface Context {
  config: Config;
  storage: Storage;
  recorder: Recorder;
  secrets: Secrets;
  log: Logger;
  now(): number;
  newId(prefix: string): string;
  /** What links, devices and profiles are told. */
  urls: { public: string; device: string };
}
