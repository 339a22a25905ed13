import type { FlowReport } from '#contract/fleet.ts';
import type { Flow } from '#agent/core/flow-table.ts';

/** A flow as it leaves the device. Names and paths are cut at what the contract allows. */
export function toReport(flow: Flow): FlowReport {
  return {
    id: flow.id,
    app_id: flow.appId,
    process: flow.owner?.name.slice(0, 256) ?? null,
    path: flow.owner?.path?.slice(0, 4096) ?? null,
    pid: flow.owner?.pid ?? null,
    user: flow.user?.slice(0, 256) ?? null,
    host: flow.host,
    address: flow.address,
    port: flow.port,
    protocol: flow.protocol,
    started_at: flow.startedAt,
    ended_at: flow.endedAt,
    bytes_in: flow.bytesIn,
    bytes_out: flow.bytesOut,
  };
}
