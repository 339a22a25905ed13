import {
  type Expression,
  PostgresQueryCompiler,
  PrimitiveValueListNode,
  SqliteQueryCompiler,
} from 'kysely';

interface ValueListNode extends PrimitiveValueListNode {
  readonly isOneParameter: true;
}

/**
 * Any number of values for `where('id', 'in', …)`, as one parameter. The statement text is
 * constant, so that one prepared statement covers lists of any length.
 */
export function valueList<V extends string | number>(values: readonly V[]): Expression<V> {
  const node: ValueListNode = { ...PrimitiveValueListNode.create(values), isOneParameter: true };
  return { expressionType: undefined, toOperationNode: () => node };
}

const isValueList = (node: PrimitiveValueListNode): node is ValueListNode =>
  'isOneParameter' in node;

export class SqliteCompiler extends SqliteQueryCompiler {
  protected override visitPrimitiveValueList(node: PrimitiveValueListNode): void {
    if (!isValueList(node)) return super.visitPrimitiveValueList(node);
    this.append('(select value from json_each(');
    this.appendValue(JSON.stringify(node.values));
    this.append('))');
  }
}

export class PostgresCompiler extends PostgresQueryCompiler {
  protected override visitPrimitiveValueList(node: PrimitiveValueListNode): void {
    if (!isValueList(node)) return super.visitPrimitiveValueList(node);
    // A null list contains no value, whatever the type of the operand.
    if (node.values.length === 0) return this.append('(null)');
    this.append('(select unnest(');
    this.appendValue([...node.values]);
    this.append(typeof node.values[0] === 'string' ? '::text[]))' : '::bigint[]))');
  }
}
