import type { SchemaModule } from 'kysely';
import type { Dialect } from '../dialect.ts';

/** A table of a tenant whose integer ids the database counts up. */
export function countedTable(schema: SchemaModule, dialect: Dialect, name: string) {
  const table = schema
    .createTable(name)
    .addColumn('tenant_id', 'text', (column) => column.notNull());
  return dialect.autoId(table, { name: `${name}_pk`, columns: ['tenant_id', 'id'] });
}
