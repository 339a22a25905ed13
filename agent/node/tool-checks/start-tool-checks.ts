import { userInfo } from 'node:os';
import {
  CURSOR_RECORD_PATH,
  MAX_RECORD_BYTES,
} from '#agent/core/coding-agents/cursor-record-command.ts';
import type { RecordRequest } from '#agent/core/tool-checks/gateway-messages.ts';
import type { AgentOptions } from '../agent-runtime.ts';
import { startCursorRecording } from '../coding-agents/cursor/cursor-recording.ts';
import type { Ledgers } from '../coding-agents/ledger.ts';
import type { CodingAgents } from '../coding-agents/manage-coding-agents.ts';
import type { ControlPlaneLink } from '../link/control-plane-link.ts';
import type { Device } from '../identity/device.ts';
import { createUserNames } from '../flows/linux/users.ts';
import type { Log } from '../log.ts';
import type { Problems } from '../status/problems.ts';
import { stateEntries } from '../state/state-folder.ts';
import { readTrustedRoots } from '../identity/trusted-roots.ts';
import { startDecidedCalls } from './decided-calls.ts';
import { startDecisionSocket } from './decision-socket.ts';
import { gatewayExport } from './gateway-export.ts';
import { manageToolHooks, type ToolHooks } from './manage-tool-hooks.ts';
import { startOtlpExport } from './otlp-export.ts';
import { loadPeerUser } from './peer-user.ts';
import { createToolRequestHandlers } from './tool-request-handlers.ts';
import { createToolChecks } from './tool-checks.ts';
import { createToolPolicyCache } from './tool-policies.ts';

export interface ToolChecksOptions {
  options: AgentOptions;
  device: Device;
  ledgers: Ledgers;
  link: ControlPlaneLink;
  log: Log;
  problems: Problems;
  codingAgents: Pick<CodingAgents, 'recording' | 'level' | 'onLevelChange'>;
  /**
   * Counts what was sent: records of tool calls, requests with telemetry, and the bytes of requests
   * that the connection does not count.
   */
  onSent: (kind: 'tool_calls' | 'telemetry' | 'bytes', amount: number) => void;
}

export interface ToolCheckService {
  hooks: Pick<ToolHooks, 'written' | 'delivered'>;
  stop: () => Promise<void>;
}

const UNREACHABLE_LINE: Readonly<Record<'open' | 'closed', string>> = {
  open: 'the control plane does not answer: tool calls that it must decide are allowed',
  closed: 'the control plane does not answer: tool calls that it must decide are refused',
};

/** Answers hooks and gateways of coding agents on this device, and keeps their hooks in place. */
export async function startToolChecks(deps: ToolChecksOptions): Promise<ToolCheckService> {
  const { options, device, link, log, problems, codingAgents, onSent } = deps;
  const onRecorded = (calls: number): void => onSent('tool_calls', calls);
  const countCalls = (messages: readonly RecordRequest[]): void =>
    onRecorded(messages.reduce((sum, { calls }) => sum + calls.length, 0));
  const { connection, configuration } = link;
  const mode = () => configuration.effective()?.tool_checks ?? 'off';
  const intervalMs = options.heartbeatSeconds * 1000;
  const policies = createToolPolicyCache({
    file: device.file(stateEntries.toolPolicies),
    connection,
    isNeeded: () => mode() !== 'off',
    intervalMs,
  });
  const decided = startDecidedCalls({
    dir: device.file(stateEntries.toolCalls),
    connection,
    log,
    problems,
    maxOpenMs: options.flowUploadSeconds * 1000,
    backoff: options.backoff,
    onUploaded: onRecorded,
  });
  link.applied.subscribe(policies.refresh);
  link.connectionChanged.subscribe(() => {
    policies.refresh();
    decided.runNow();
  });

  const checks = createToolChecks({
    mode,
    policiesOf: policies.policiesFor,
    requestVerdict: async (body) => {
      const signal = AbortSignal.timeout(options.policyCheckSeconds * 1000);
      const result = await connection.request('tool check', signal, (to) =>
        to.checkTool({ body }, { signal }),
      );
      if (!('response' in result)) return null;
      onRecorded(1);
      return result.response;
    },
    report: decided.add,
    onReached: (reached) => {
      const current = mode();
      problems.set('tool checks', reached || current === 'off' ? [] : [UNREACHABLE_LINE[current]]);
    },
  });
  const exporting = {
    recording: codingAgents.recording,
    roots: () => {
      const read = readTrustedRoots(options.trustedRootsFile, device.credentials.roots());
      return 'roots' in read ? read.roots : [];
    },
    problems,
    retryMs: intervalMs,
    onSent: (bytes: number) => onSent('bytes', bytes),
  };
  const gatewayCalls = startOtlpExport({ ...exporting, ...gatewayExport, onRecorded: countCalls });
  const hooks = manageToolHooks({ options, device, ledgers: deps.ledgers, link, problems });
  const nameOf = createUserNames();
  const cursor = startCursorRecording({
    ...exporting,
    file: device.file(stateEntries.cursorTokens),
    level: codingAgents.level,
    onLevelChange: codingAgents.onLevelChange,
    userName: (uid) => (uid === null || uid === 0 ? null : (nameOf(uid) ?? null)),
    onRecorded: () => onSent('telemetry', 1),
  });
  const socket = await startDecisionSocket({
    path: options.toolSocket,
    handlers: {
      ...createToolRequestHandlers({
        checks,
        userName: (uid) => (uid === null ? device.facts.user : (nameOf(uid) ?? `user ${uid}`)),
        record: gatewayCalls.add,
      }),
      [CURSOR_RECORD_PATH]: cursor.record,
    },
    maxBytes: { [CURSOR_RECORD_PATH]: MAX_RECORD_BYTES },
    peerUser: await loadPeerUser(),
    isShared: userInfo().uid === 0,
    onProblem: (line) => problems.set('tool socket', [line]),
  });
  return {
    hooks,
    stop: async () => {
      socket.close();
      const parts = [policies, decided, gatewayCalls, cursor, hooks];
      await Promise.all(parts.map((part) => part.stop()));
    },
  };
}
