/** What differs between the systems that the agent runs on. */
export interface Platform {
  os: string;
  /** Where the agent keeps its state by default. */
  stateDir(bundleId: string): string;
  readOsVersion(): Promise<string>;
  /** An id of this machine that outlives reinstalling the agent; null where there is none. */
  readHardwareId(): Promise<string | null>;
  /** When this process started, as an opaque text; null where no such process runs. */
  readProcessStart(pid: number): Promise<string | null>;
}
