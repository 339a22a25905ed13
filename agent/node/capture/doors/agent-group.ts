import { load } from 'koffi';

/**
 * The group by which the kernel tells the agent's own sockets from all others. It has no name and no
 * members: systemd leaves 60706 to 61183 unused (systemd.io/UIDS-GIDS).
 */
export const agentGroupId = 61_043;

const setFileSystemGroup = load(null).func('uint32_t setfsgid(uint32_t)');
const noGroup = 0xffff_ffff; // answers the present group and changes nothing

/**
 * From now on sockets made by this thread belong to the agent's group, and so do those of its later
 * worker threads: every connection of the agent is left alone, whichever library opens it. Says
 * whether it is so; it takes CAP_SETGID.
 *
 * Only the group for files and sockets changes, of this thread, where libuv makes its sockets.
 * `process.setegid` would be passed on to child processes and make Node distrust its environment
 * (NODE_EXTRA_CA_CERTS). A mark (SO_MARK) would have to be put on every single socket, and other
 * software routes by marks. A control group has to exist by the same path in a version 2 hierarchy,
 * and child processes are in it too. The price: files that this thread creates synchronously have
 * this group, in which nobody is.
 */
export function joinAgentGroup(): boolean {
  setFileSystemGroup(agentGroupId);
  return setFileSystemGroup(noGroup) === agentGroupId;
}
