import { recordsPrompts, recordsTools } from '#domain/coding-agents/recording-level.ts';
import type { Recording } from './recording.ts';

/** The instrumentation scope of its spans. */
export const OPENCODE_SCOPE = 'gatehouse.opencode';

/**
 * opencode reads telemetry settings only from its environment, before any settings file. A plugin
 * can observe its messages with tokens, costs, tools and texts, and report them as spans by the
 * GenAI conventions: one trace per prompt.
 *
 * https://opencode.ai/docs/plugins
 */
export const opencodeRecordingPlugin = (recording: Recording, relay: string): string =>
  `// Written by the Gatehouse agent, which restores and removes this file.
import { createHash } from "node:crypto";
import { userInfo } from "node:os";

const ENDPOINT = ${JSON.stringify(`${relay}/v1/traces`)};
const PROMPTS = ${recordsPrompts(recording)};
const TOOLS = ${recordsTools(recording)};

${PLUGIN}`;

/** The part that does not depend on the settings. */
const PLUGIN = `const hash = (text, digits) => createHash("sha256").update(text).digest("hex").slice(0, digits);
const nanos = (ms) => String(BigInt(Math.round(ms)) * 1_000_000n);
const textOf = (value) => (typeof value === "string" ? value : JSON.stringify(value ?? null));
const valueOf = (value) => {
  if (typeof value === "number")
    return Number.isInteger(value) ? { intValue: String(value) } : { doubleValue: value };
  return { stringValue: value };
};
const attributesOf = (members) =>
  Object.entries(members)
    .filter(([, value]) => value !== undefined && value !== "")
    .map(([key, value]) => ({ key, value: valueOf(value) }));
// Bun returns "unknown" if it cannot determine the name.
const userName = () => {
  const { username } = userInfo();
  return username === "unknown" ? (process.env.USER ?? "") : username;
};

const send = async (spans) => {
  const scopeSpans = [{ scope: { name: "${OPENCODE_SCOPE}" }, spans }];
  const resource = { attributes: attributesOf({ "service.name": "opencode" }) };
  // Ignored: failed telemetry must not interrupt the user.
  await fetch(ENDPOINT, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ resourceSpans: [{ resource, scopeSpans }] }),
    signal: AbortSignal.timeout(5_000),
  }).catch(() => undefined);
};

export const GatehouseRecording = async () => {
  const user = userName();
  // By session id: sessions run at the same time, such as those of sub-agents.
  const turns = new Map();
  const turnOf = (session) => {
    if (!turns.has(session)) {
      // By message id.
      const maps = { texts: new Map(), promptOf: new Map(), starts: new Map() };
      // The latest prompt and response.
      turns.set(session, { ...maps, sent: new Set(), latest: {} });
    }
    return turns.get(session);
  };

  const span = (prompt, key, { session, name, start, end, error, ...more }) => ({
    traceId: hash(prompt, 32),
    spanId: hash(key, 16),
    ...(key !== prompt && { parentSpanId: hash(prompt, 16) }),
    name,
    kind: 1,
    startTimeUnixNano: nanos(start),
    endTimeUnixNano: nanos(Math.max(start, end)),
    status: error === undefined ? { code: 1 } : { code: 2, message: error },
    attributes: attributesOf({
      "gen_ai.agent.name": "opencode",
      "session.id": session,
      "user.id": user,
      ...more,
    }),
  });
  const joined = ({ texts }, message) => [...(texts.get(message)?.values() ?? [])].join("\\n");

  const onMessage = async (info) => {
    const turn = turnOf(info.sessionID);
    if (info.role === "user") {
      turn.promptOf.set(info.id, info.id);
      turn.starts.set(info.id, info.time.created);
      turn.latest = { prompt: info.id };
      return;
    }
    turn.promptOf.set(info.id, info.parentID);
    const { completed } = info.time;
    if (completed === undefined || turn.sent.has(info.id)) return;
    turn.sent.add(info.id);
    const { tokens } = info;
    const answer = joined(turn, info.id);
    turn.latest = { prompt: info.parentID, answer, end: completed, error: info.error };
    await send([
      span(info.parentID, info.id, {
        session: info.sessionID,
        name: "chat",
        start: info.time.created,
        end: completed,
        error: info.error && (info.error.data?.message ?? info.error.name),
        "gen_ai.operation.name": "chat",
        "gen_ai.provider.name": info.providerID,
        "gen_ai.request.model": info.modelID,
        "gen_ai.usage.input_tokens": tokens.input + tokens.cache.read + tokens.cache.write,
        "gen_ai.usage.output_tokens": tokens.output + tokens.reasoning,
        "gen_ai.usage.cache_read.input_tokens": tokens.cache.read,
        "gen_ai.usage.cache_write.input_tokens": tokens.cache.write,
        "gen_ai.usage.reasoning.output_tokens": tokens.reasoning,
        // opencode reports 0 for models without a known price.
        "gen_ai.usage.cost": info.cost > 0 ? info.cost : undefined,
        "gen_ai.prompt": PROMPTS ? joined(turn, info.parentID) : undefined,
        "gen_ai.completion": PROMPTS ? answer : undefined,
      }),
    ]);
  };

  const onTool = async (part) => {
    const { status, input, output, error, time } = part.state;
    const turn = turnOf(part.sessionID);
    if ((status !== "completed" && status !== "error") || turn.sent.has(part.id)) return;
    turn.sent.add(part.id);
    const prompt = turn.promptOf.get(part.messageID) ?? part.messageID;
    await send([
      span(prompt, part.id, {
        session: part.sessionID,
        name: \`execute_tool \${part.tool}\`,
        start: time.start,
        end: time.end,
        error: status === "error" ? (error ?? "failed") : undefined,
        "gen_ai.operation.name": "execute_tool",
        "gen_ai.tool.name": part.tool,
        "gen_ai.tool.call.id": part.callID,
        lines_added: part.state.metadata?.filediff?.additions,
        lines_removed: part.state.metadata?.filediff?.deletions,
        "gen_ai.tool.call.arguments": TOOLS ? textOf(input) : undefined,
        "gen_ai.tool.call.result": TOOLS && output !== undefined ? textOf(output) : undefined,
      }),
    ]);
  };

  const onIdle = async (session) => {
    const turn = turns.get(session);
    if (turn?.latest.end === undefined) return;
    // Events of the next prompt may come before the span is sent.
    turns.delete(session);
    const { prompt, answer, end, error } = turn.latest;
    await send([
      span(prompt, prompt, {
        session,
        name: "prompt",
        start: turn.starts.get(prompt) ?? end,
        end,
        error: error && error.name,
        "gen_ai.operation.name": "invoke_agent",
        "input.value": PROMPTS ? joined(turn, prompt) : undefined,
        "output.value": PROMPTS ? answer : undefined,
      }),
    ]);
  };

  return {
    event: async ({ event: { type, properties } }) => {
      if (type === "message.updated") return onMessage(properties.info);
      if (type === "session.idle") return onIdle(properties.sessionID);
      if (type !== "message.part.updated") return;
      const { part } = properties;
      if (part.type === "tool") return onTool(part);
      if (part.type !== "text" || part.synthetic) return;
      const { texts } = turnOf(part.sessionID);
      if (!texts.has(part.messageID)) texts.set(part.messageID, new Map());
      texts.get(part.messageID).set(part.id, part.text);
    },
  };
};
`;
