import { Client } from 'pg';
import type { TestProject } from 'vitest/node';
import { openStorage } from '#control-plane/storage/open.ts';
import { startPostgres } from './postgres-server.ts';
import { isMissing } from './tools.ts';

declare module 'vitest' {
  interface ProvidedContext {
    postgresUrl: string;
  }
}

export const TEMPLATE = 'gatehouse_template';

/**
 * Starts one PostgreSQL server for all tests, from the binaries in the npm package, with a migrated
 * database that test files clone. TEST_DATABASE_URL names another server to use. Without a server,
 * tests that need it are skipped.
 */
export default async function setup(
  project: TestProject,
): Promise<(() => Promise<void>) | undefined> {
  if (isMissing('PostgreSQL')) return undefined;
  const given = process.env.TEST_DATABASE_URL;
  const server = given
    ? { url: given, stop: () => Promise.resolve() }
    : await startPostgres({ settings: ['fsync=off'] });
  await makeTemplate(server.url);
  project.provide('postgresUrl', server.url);
  return server.stop;
}

async function makeTemplate(serverUrl: string): Promise<void> {
  await query(serverUrl, `drop database if exists ${TEMPLATE}`, `create database ${TEMPLATE}`);
  const databaseUrl = databaseOf(serverUrl, TEMPLATE);
  const problems: string[] = [];
  const storage = await openStorage({
    databaseUrl,
    dataDir: '',
    onProblem: (line) => problems.push(line),
  });
  await storage.close();
  if (problems.length > 0) throw new Error(problems.join('\n'));
}

/** Returns the rows of the last statement. */
export async function query(
  serverUrl: string,
  ...statements: string[]
): Promise<Record<string, unknown>[]> {
  const client = new Client({ connectionString: serverUrl });
  await client.connect();
  try {
    let rows: Record<string, unknown>[] = [];
    for (const statement of statements) ({ rows } = await client.query(statement));
    return rows;
  } finally {
    await client.end();
  }
}

export function databaseOf(serverUrl: string, name: string): string {
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return url.href;
}
