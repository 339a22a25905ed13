/** A line about a file begins with its path: `inventory: /home/ada/.mcp.json: …`. */
const unreadFile = /^inventory: (?=[/~])/;

/**
 * Splits the problems of the agent: files and folders of users that the inventory could not read are
 * no problem, because the agent works without them.
 */
export const splitUnreadFiles = (
  lines: readonly string[],
): { unread_files: string[]; problems: string[] } => ({
  unread_files: lines.filter((line) => unreadFile.test(line)),
  problems: lines.filter((line) => !unreadFile.test(line)),
});

/** Removes the part of the agent from a line about a file. */
export const withoutPart = (line: string): string => line.replace(unreadFile, '');
