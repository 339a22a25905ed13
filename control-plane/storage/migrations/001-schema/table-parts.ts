import type { ColumnDefinitionBuilder, CreateIndexBuilder, SchemaModule } from 'kysely';
import type { Dialect } from '../../dialect.ts';

export const notNull = (column: ColumnDefinitionBuilder): ColumnDefinitionBuilder =>
  column.notNull();

export const unique = (column: ColumnDefinitionBuilder): ColumnDefinitionBuilder =>
  column.notNull().unique();

export const primaryKey = (column: ColumnDefinitionBuilder): ColumnDefinitionBuilder =>
  column.primaryKey();

export const withDefault =
  (value: string | number) =>
  (column: ColumnDefinitionBuilder): ColumnDefinitionBuilder =>
    column.notNull().defaultTo(value);

/** Begins a table whose rows belong to tenants. */
export const tenantTable = <T extends string>(schema: SchemaModule, name: T) =>
  schema.createTable(name).addColumn('tenant_id', 'text', notNull);

/** Begins a table whose rows belong to tenants and get their integer ids from the database. */
export const autoIdTable = <T extends string>(schema: SchemaModule, dialect: Dialect, name: T) =>
  dialect.autoId(tenantTable(schema, name), { name: `${name}_pk`, columns: ['tenant_id', 'id'] });

/** Creates indexes of a table whose rows belong to tenants. The tenant leads each index. */
export const tenantIndexes =
  (schema: SchemaModule, table: string) =>
  (name: string, ...columns: readonly string[]): CreateIndexBuilder =>
    schema
      .createIndex(name)
      .on(table)
      .columns(['tenant_id', ...columns]);
