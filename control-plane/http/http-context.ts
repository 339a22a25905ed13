import type { IncomingMessage } from 'node:http';
import type { BlockList } from 'node:net';
import type { Logger } from 'pino';
import type { ErrorReason } from '#contract/error-reasons.ts';
import type { Route } from '#contract/route.ts';
import type { Caller } from './caller.ts';

/** The parts of the control plane that serving HTTP needs. */
export interface HttpContext {
  config: { app: { name: string }; trustedProxies: BlockList };
  version: string;
  urls: { public: string };
  log: Logger;
  storage: {
    /** Returns why the database is unavailable; undefined for other errors. */
    unavailability(error: unknown): { reason: ErrorReason; message: string } | undefined;
    /** Whether the transaction was rolled back because of a concurrent one. */
    isTransactionRollback(error: unknown): boolean;
  };
  metrics: {
    observeRequest(route: Route | undefined, status: number, ms: number): void;
  };
  shutdown: {
    signal: AbortSignal;
    follow(work: Promise<unknown>, after?: () => void): void;
  };
  /** Returns the caller; undefined for routes that anyone may call. */
  authenticate(route: Route, request: IncomingMessage): Promise<Caller | undefined>;
  /** Encodes a gRPC status as protobuf. */
  encodeRpcStatus: (status: { code: number; message: string }) => Promise<Uint8Array>;
}
