import { randomBytes } from 'node:crypto';
import { failureOf, keyOfId, type RpcMessage } from '#agent/core/mcp-gateway/json-rpc.ts';
import type { CallRecord } from '#agent/core/tool-checks/gateway-messages.ts';

export interface CallLog {
  /** Called when a call was sent to the server. */
  started: (message: RpcMessage, tool: string) => void;
  /** Called when a call was refused. */
  refused: (message: RpcMessage, tool: string, why: string) => void;
  /** Called when the server has responded. */
  completed: (message: RpcMessage) => void;
  cancelled: (id: RpcMessage['id']) => void;
  /** Called when the server has ended, so that no more responses will come. */
  ended: (why: string) => void;
}

interface OpenCall {
  tool: string;
  started_at: number;
  arguments: string | null;
}

/** The maximum recorded length of a text. */
const MAX_TEXT = 64 * 1024;

/** Records calls from request to response. */
export function createCallLog(record: (call: CallRecord) => void, now = Date.now): CallLog {
  const open = new Map<string, OpenCall>();

  const close = (key: string, error: string | null, result: unknown): void => {
    const call = open.get(key);
    if (!call) return;
    open.delete(key);
    record({ id: newId(), ...call, ended_at: now(), error, result: textOf(result) });
  };
  const callOf = ({ params }: RpcMessage, tool: string): OpenCall => ({
    tool,
    started_at: now(),
    arguments: textOf(params?.arguments),
  });
  return {
    started: (message, tool) => void open.set(keyOfId(message.id), callOf(message, tool)),
    refused: (message, tool, error) =>
      record({ id: newId(), ...callOf(message, tool), ended_at: now(), error, result: null }),
    completed: (message) =>
      close(keyOfId(message.id), failureOf(message), message.result ?? message.error),
    cancelled: (id) => close(keyOfId(id), 'cancelled', undefined),
    ended: (why) => {
      for (const key of open.keys()) close(key, why, undefined);
    },
  };
}

const newId = (): string => randomBytes(8).toString('hex');

const textOf = (value: unknown): string | null =>
  value === undefined ? null : JSON.stringify(value).slice(0, MAX_TEXT);
