import { NO_RESPONSE_MESSAGE, type Hooks } from '#domain/coding-agents/hook-command.ts';

/**
 * opencode has no command hooks, only plugins, which run inside it (in Bun). A plugin that throws
 * before a tool runs refuses the call, and its message becomes the tool's result.
 *
 * https://opencode.ai/docs/plugins
 */
export const opencodeCheckPlugin = ({ socket, failMode }: Hooks): string =>
  `// Written by the Gatehouse agent, which restores and removes this file.
const SOCKET = ${JSON.stringify(socket)};
const FAIL_MODE = ${JSON.stringify(failMode)};
const NO_RESPONSE_MESSAGE = ${JSON.stringify(NO_RESPONSE_MESSAGE)};

const requestVerdict = async (event) => {
  const response = await fetch("http://gatehouse-agent/hook/opencode", {
    unix: SOCKET,
    method: "POST",
    body: JSON.stringify(event),
    signal: AbortSignal.timeout(35_000),
  });
  if (!response.ok) throw new Error(\`status \${response.status}\`);
  return response.json();
};

// The name of an MCP tool starts with its server's name.
const nameOf = (tool, servers) => {
  for (const server of servers) {
    const prefix = \`\${server.replace(/[^a-zA-Z0-9_-]/g, "_")}_\`;
    if (tool.startsWith(prefix)) return \`mcp__\${server}__\${tool.slice(prefix.length)}\`;
  }
  return tool;
};

export const GatehouseToolChecks = async () => {
  let servers = [];
  return {
    config: async (config) => {
      servers = Object.keys(config.mcp ?? {});
    },
    "tool.execute.before": async ({ tool, sessionID }) => {
      let response;
      try {
        response = await requestVerdict({ tool_name: nameOf(tool, servers), session_id: sessionID });
      } catch {
        if (FAIL_MODE === "open") return;
        throw new Error(NO_RESPONSE_MESSAGE);
      }
      const decision = response.hookSpecificOutput;
      if (decision?.permissionDecision === "deny")
        throw new Error(decision.permissionDecisionReason);
    },
  };
};
`;
