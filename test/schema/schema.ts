/** The schema of a database, in the same form for SQLite and PostgreSQL. */
export interface Schema {
  /** The tables, sorted by name. */
  tables: Table[];
  /**
   * The definitions of views, triggers, functions, types, and sequences that do not belong to a
   * column.
   */
  others: string[];
}

export interface Table {
  name: string;
  columns: Column[];
  /** Undefined for a table without a primary key. */
  primaryKey: Key | undefined;
  uniqueConstraints: Key[];
  foreignKeys: string[];
  checks: string[];
  /** The indexes that do not come from a key or constraint. */
  indexes: Index[];
  /** Options such as `without rowid`. */
  options: string[];
}

export interface Column {
  name: string;
  type: string;
  nullable: boolean;
  /** An SQL expression. */
  default: string | undefined;
  /** Whether the database assigns its values. */
  autoIncrement: boolean;
  /** Options such as `storage external`. */
  options: string[];
}

export interface Key {
  /** Undefined if the database has generated the name. */
  name: string | undefined;
  columns: string[];
}

export interface Index {
  name: string;
  unique: boolean;
  /** Columns or expressions, with `desc` for a descending order. */
  columns: string[];
  /** The predicate of a partial index. */
  where: string | undefined;
}

export const byName = <T extends { name?: string | undefined; columns: readonly unknown[] }>(
  a: T,
  b: T,
): number => compare(nameOf(a), nameOf(b));

const nameOf = ({ name, columns }: { name?: string | undefined; columns: readonly unknown[] }) =>
  name ?? columns.join();

/** Compares by code points, which does not depend on the locale. */
const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** Normalizes an expression, so that both databases print the same text. */
export function plainExpression(text: string): string {
  const plain = text
    .replaceAll('"', '')
    .replaceAll(/::(?:text|bigint|integer)/g, '')
    .replaceAll(/\b(?:IS|NOT|NULL|AND|OR)\b/g, (word) => word.toLowerCase());
  return isInBrackets(plain) ? plain.slice(1, -1).replaceAll(/\(([^()]*)\)/g, '$1') : plain;
}

const isInBrackets = (text: string): boolean => text.startsWith('(') && text.endsWith(')');

/** One line per property, so that a difference between two schemas appears as changed lines. */
export function schemaLines({ tables, others }: Schema): string[] {
  return [...tables.flatMap(tableLines), ...others];
}

function tableLines(table: Table): string[] {
  const lines = [
    `table ${[table.name, ...table.options].join(' ')}`,
    ...table.columns.map(columnLine),
  ];
  if (table.primaryKey) lines.push(`  primary key ${keyText(table.primaryKey)}`);
  for (const key of table.uniqueConstraints) lines.push(`  unique ${keyText(key)}`);
  lines.push(...[...table.foreignKeys, ...table.checks].map((text) => `  ${text}`));
  for (const { unique, name, columns, where } of table.indexes)
    lines.push(
      `  ${unique ? 'unique index' : 'index'} ${name} (${columns.join(', ')})${where ? ` where ${where}` : ''}`,
    );
  return lines;
}

function columnLine(column: Column): string {
  const words = [column.name, column.type, column.nullable ? 'null' : 'not null'];
  if (column.default !== undefined) words.push(`default ${column.default}`);
  if (column.autoIncrement) words.push('autoincrement');
  return `  ${[...words, ...column.options].join(' ')}`;
}

const keyText = ({ name, columns }: Key): string =>
  `${name === undefined ? '' : `${name} `}(${columns.join(', ')})`;
