import { appOfProcess } from '#agent/core/recognition/app-of-process.ts';
import type { ConnectionClient } from './listeners/capture-listener.ts';
import type { GatedTap } from './enforcement/gated-relay.ts';
import type { ReportFacts } from './reports/exchange-report.ts';
import type { Upstream } from './upstream.ts';

/** A connection whose bytes are observed. */
export interface CapturedConnection {
  host: string;
  protocol: Upstream['protocol'];
  client: ConnectionClient;
}

export interface CaptureTap extends GatedTap {
  /** Stops copying and drops what was copied. */
  stop: () => void;
}

/** The client of a connection in the form of reports. */
export function reportFactsOf({ host, client }: CapturedConnection): Omit<ReportFacts, 'id'> {
  const { process: name, path, script, user } = client;
  return {
    host,
    app_id: name === null ? null : (appOfProcess({ name, path, script }) ?? null),
    process: name?.slice(0, 256) ?? null,
    user: user?.slice(0, 256) ?? null,
  };
}
