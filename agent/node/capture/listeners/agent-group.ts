import { load } from 'koffi';

/**
 * The group by which the kernel distinguishes the agent's own sockets. It has no name and no
 * members: systemd leaves 60706 to 61183 unused (systemd.io/UIDS-GIDS).
 */
export const AGENT_GROUP_ID = 61_043;
/** The group of connections that the agent makes to itself, to see whether they are redirected. */
export const PROBE_GROUP_ID = 61_044;

const setFileSystemGroup = load(null).func('uint32_t setfsgid(uint32_t)');
const NO_GROUP = 0xffff_ffff; // returns the current group and changes nothing

/**
 * Puts all later sockets of this thread and of its later worker threads into the agent's group, so
 * that connections of the agent are not redirected, whichever library opens them. Returns false if
 * that failed; requires CAP_SETGID.
 *
 * Changes only the file system group id of this thread, where libuv creates its sockets. The
 * alternatives are worse: `process.setegid` would be inherited by child processes and make Node
 * distrust its environment (NODE_EXTRA_CA_CERTS). A mark (SO_MARK) would have to be set on every
 * single socket, and other software routes by marks. A control group must exist at the same path in
 * a version 2 hierarchy, and would include child processes. A side effect: files that this thread
 * creates synchronously have this group, which has no members.
 */
export function joinAgentGroup(): boolean {
  setFileSystemGroup(AGENT_GROUP_ID);
  return setFileSystemGroup(NO_GROUP) === AGENT_GROUP_ID;
}

/** Runs work that creates a socket, which is then in the group for probes. */
export function inProbeGroup<T>(work: () => T): T {
  const previousGroup = setFileSystemGroup(PROBE_GROUP_ID);
  try {
    return work();
  } finally {
    setFileSystemGroup(previousGroup);
  }
}
