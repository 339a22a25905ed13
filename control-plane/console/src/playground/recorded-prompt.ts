import type { LlmCallDetail } from '../data/llm-call-sources.ts';
import { readChat, readText } from '../messages/read-chat.ts';
import type { Opened } from './playground-state.ts';

/**
 * Opens a recorded call as a variant with its messages and model, and with its response as the
 * outcome.
 */
export function openedCall(call: LlmCallDetail): Opened {
  const { content, notes } = readChat(call.prompt_preview);
  const response = readText(call.response_preview);
  return {
    content,
    config: { model: call.model },
    origin: { kind: 'call', id: call.id, notes },
    outcome: {
      status: 'recorded',
      output: response,
      error: null,
      result: {
        output: response,
        model: call.model,
        tokens_in: call.tokens_in,
        tokens_out: call.tokens_out,
        cost: call.cost,
        latency_ms: call.duration_ms ?? 0,
        missing_variables: [],
        ignored_settings: [],
        tool_calls: [],
      },
    },
  };
}
