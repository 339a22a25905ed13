/** The socket at which hooks and gateways of coding agents request checks. */
export const TOOL_SOCKET_NAME = 'tools.sock';

/** The agent's state folder on a Mac, within the home of its user. */
export const macStateFolder = (bundleId: string): string =>
  `Library/Application Support/${bundleId}`;

/** The path of the agent's socket on a Mac, for the shell of the user. */
export const macToolSocket = (bundleId: string): string =>
  `~/${macStateFolder(bundleId)}/${TOOL_SOCKET_NAME}`;
