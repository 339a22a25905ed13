/**
 * A rule for oxlint: a constant of a module that is a number or a string is in UPPER_CASE.
 * Other values (functions, schemas, objects, regular expressions) are in camelCase.
 */
const UPPER_CASE = /^[A-Z][A-Z0-9]*(_[A-Z0-9]+)*$/;

const isPrimitive = (node) =>
  ({
    Literal: () => ['number', 'string', 'bigint'].includes(typeof node.value),
    TemplateLiteral: () => node.expressions.length === 0,
    UnaryExpression: () => isPrimitive(node.argument),
    BinaryExpression: () =>
      ['+', '-', '*', '/', '**', '<<', '|'].includes(node.operator) &&
      (isPrimitive(node.left) || isPrimitive(node.right)),
  })[node.type]?.() ?? false;

export const constantNames = {
  meta: { type: 'suggestion' },
  create: (context) => ({
    'Program > VariableDeclaration, Program > ExportNamedDeclaration > VariableDeclaration'(node) {
      if (node.kind !== 'const') return;
      for (const { id, init } of node.declarations)
        if (id.type === 'Identifier' && init && isPrimitive(init) && !UPPER_CASE.test(id.name))
          context.report({ node: id, message: `${id.name} is a number or a string: UPPER_CASE` });
    },
  }),
};
