import BetterSqlite3 from 'better-sqlite3';
import { createOnce } from '../lib/private-file.ts';

const ALL_PAGES = 0x7fff_ffff;

/**
 * Copies a database that another process may be writing to. All pages are copied in one step, as
 * one snapshot, because a write between two steps would restart the copy. Returns the size in
 * bytes.
 *
 * @throws Error if the copy is damaged
 */
export async function copySqlite(from: string, to: string): Promise<number> {
  createOnce(to, '');
  const source = new BetterSqlite3(from, { readonly: true, fileMustExist: true });
  try {
    await source.backup(to, { progress: () => ALL_PAGES });
  } finally {
    source.close();
  }
  const copy = new BetterSqlite3(to, { fileMustExist: true });
  try {
    const problem = copy.pragma('quick_check(1)', { simple: true });
    if (problem !== 'ok') throw new Error(`the copy is damaged: ${String(problem)}`);
    const [pages, size] = ['page_count', 'page_size'].map((name) =>
      Number(copy.pragma(name, { simple: true })),
    );
    return (pages ?? 0) * (size ?? 0);
  } finally {
    copy.close();
  }
}
