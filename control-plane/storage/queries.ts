import type { Db } from './open.ts';

/** Does the database answer? */
export function answers(db: Db): Promise<boolean> {
  return db
    .selectFrom('tenants')
    .select('id')
    .limit(1)
    .execute()
    .then(
      () => true,
      () => false,
    );
}
