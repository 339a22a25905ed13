import {
  type Index,
  byName,
  type Column,
  type Key,
  plainExpression,
  type Schema,
  type Table,
} from './schema.ts';

/** Returns the rows of a statement. */
export type Query = (statement: string) => Promise<Record<string, unknown>[]>;

/** Reads the schema `public` of a PostgreSQL database, without the tables of Kysely. */
export async function readPostgresSchema(query: Query): Promise<Schema> {
  const read = async <T>(statement: string) => (await query(statement)) as T[];
  const tables = await read<TableRow>(TABLES);
  const columns = Map.groupBy(await read<ColumnRow>(COLUMNS), (row) => row.table_name);
  const constraints = Map.groupBy(await read<ConstraintRow>(CONSTRAINTS), (row) => row.table_name);
  const indexes = Map.groupBy(await read<IndexRow>(INDEXES), (row) => row.table_name);
  return {
    tables: tables.map(({ name, options }): Table => {
      const own = constraints.get(name) ?? [];
      const keys = (type: string): Key[] =>
        own
          .filter((row) => row.type === type)
          .map((row) => ({ name: row.name, columns: row.columns }));
      const texts = (...types: string[]): string[] =>
        own
          .filter((row) => types.includes(row.type))
          .map((row) => `${row.name} ${row.definition}`)
          .sort();
      return {
        name,
        columns: (columns.get(name) ?? []).map(columnOf),
        primaryKey: keys('p')[0],
        uniqueConstraints: keys('u').sort(byName),
        foreignKeys: texts('f'),
        checks: texts('c', 'x'),
        indexes: (indexes.get(name) ?? []).map(indexOf).sort(byName),
        options: options ?? [],
      };
    }),
    others: (await read<{ definition: string }>(OTHERS)).map(({ definition }) => definition),
  };
}

interface TableRow {
  name: string;
  options: string[] | null;
}

const OURS = `n.nspname = 'public' and c.relname not like 'kysely\\_%'`;

const TABLES = `
  select c.relname as name, c.reloptions as options
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where ${OURS} and c.relkind in ('r', 'p')
  order by c.relname collate "C"`;

interface ColumnRow {
  table_name: string;
  name: string;
  type: string;
  not_null: boolean;
  default: string | null;
  identity: '' | 'a' | 'd';
  generated: string;
  storage: string;
  usual_storage: string;
  collated: boolean;
}

const COLUMNS = `
  select c.relname as table_name, a.attname as name, format_type(a.atttypid, a.atttypmod) as type,
    a.attnotnull as not_null, pg_get_expr(d.adbin, d.adrelid) as default,
    a.attidentity::text as identity, a.attgenerated::text as generated,
    a.attstorage::text as storage, t.typstorage::text as usual_storage,
    a.attcollation <> t.typcollation as collated
  from pg_attribute a
  join pg_class c on c.oid = a.attrelid
  join pg_namespace n on n.oid = c.relnamespace
  join pg_type t on t.oid = a.atttypid
  left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
  where ${OURS} and c.relkind in ('r', 'p') and a.attnum > 0 and not a.attisdropped
  order by c.relname, a.attnum`;

const STORAGE: Record<string, string> = { p: 'plain', e: 'external', m: 'main', x: 'extended' };

function columnOf(row: ColumnRow): Column {
  if (row.generated || row.identity === 'a' || row.collated)
    throw new Error(`${row.table_name}.${row.name}: unsupported kind of column`);
  return {
    name: row.name,
    type: row.type,
    nullable: !row.not_null,
    default: row.default === null ? undefined : plainExpression(row.default),
    autoIncrement: row.identity === 'd',
    options: row.storage === row.usual_storage ? [] : [`storage ${STORAGE[row.storage]}`],
  };
}

interface ConstraintRow {
  table_name: string;
  name: string;
  type: string;
  columns: string[];
  definition: string;
}

/**
 * Whether a column is nullable is read with the column, because only newer versions have a
 * constraint for it.
 */
const CONSTRAINTS = `
  select c.relname as table_name, k.conname as name, k.contype::text as type,
    pg_get_constraintdef(k.oid) as definition,
    array(
      select a.attname::text from unnest(k.conkey) with ordinality as key (number, place)
      join pg_attribute a on a.attrelid = k.conrelid and a.attnum = key.number
      order by key.place
    ) as columns
  from pg_constraint k
  join pg_class c on c.oid = k.conrelid
  join pg_namespace n on n.oid = c.relnamespace
  where ${OURS} and k.contype <> 'n'`;

interface IndexRow {
  table_name: string;
  name: string;
  is_unique: boolean;
  method: string;
  columns: string[];
  included: number;
  where: string | null;
}

const INDEXES = `
  select c.relname as table_name, x.relname as name, i.indisunique as is_unique,
    m.amname as method, i.indnatts - i.indnkeyatts as included,
    array(
      select pg_get_indexdef(i.indexrelid, place, true)
        || case when i.indoption[place - 1] & 1 = 1 then ' desc' else '' end
      from generate_series(1, i.indnkeyatts) as place
      order by place
    ) as columns,
    pg_get_expr(i.indpred, i.indrelid) as where
  from pg_index i
  join pg_class x on x.oid = i.indexrelid
  join pg_class c on c.oid = i.indrelid
  join pg_namespace n on n.oid = c.relnamespace
  join pg_am m on m.oid = x.relam
  where ${OURS} and not exists (select from pg_constraint k where k.conindid = i.indexrelid)`;

function indexOf(row: IndexRow): Index {
  if (row.method !== 'btree' || row.included > 0)
    throw new Error(`${row.name}: unsupported kind of index`);
  return {
    name: row.name,
    unique: row.is_unique,
    columns: row.columns.map(plainExpression),
    where: row.where === null ? undefined : plainExpression(row.where),
  };
}

const OTHERS = `
  select pg_get_viewdef(c.oid) as definition
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where ${OURS} and c.relkind in ('v', 'm')
  union all
  select 'sequence ' || c.relname
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where ${OURS} and c.relkind = 'S' and not exists (
    select from pg_depend d where d.objid = c.oid and d.deptype = 'i')
  union all
  select pg_get_triggerdef(t.oid)
  from pg_trigger t
  join pg_class c on c.oid = t.tgrelid
  join pg_namespace n on n.oid = c.relnamespace
  where ${OURS} and not t.tgisinternal
  union all
  select pg_get_functiondef(p.oid)
  from pg_proc p join pg_namespace n on n.oid = p.pronamespace
  where n.nspname = 'public'
  union all
  select 'type ' || t.typname
  from pg_type t join pg_namespace n on n.oid = t.typnamespace
  where n.nspname = 'public' and t.typtype in ('d', 'e', 'r')
  order by 1`;
