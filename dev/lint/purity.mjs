import { isBuiltin } from 'node:module';

/**
 * A rule for oxlint: code is pure. It reads no clock, draws no random numbers and does no I/O: what
 * it needs of these is a parameter. Types may be imported from anywhere.
 */

const CLOCK = 'reads the clock';
const CHANCE = 'draws random numbers';
const IO = 'does I/O';
const TIMERS = 'waits on the clock';

/** Globals that no use of is pure. */
const impureGlobals = new Map(
  [
    [CLOCK, ['performance', 'Temporal']],
    [CHANCE, ['crypto']],
    [TIMERS, ['setTimeout', 'setInterval', 'setImmediate', 'queueMicrotask']],
    [IO, ['console', 'document', 'EventSource', 'fetch', 'history', 'indexedDB', 'localStorage']],
    [IO, ['location', 'navigator', 'process', 'require', 'sessionStorage', 'WebSocket', 'window']],
    [IO, ['Worker', 'XMLHttpRequest']],
    ['reaches everything', ['eval', 'Function', 'global', 'globalThis', 'self']],
  ].flatMap(([does, names]) => names.map((name) => [name, does])),
);

/** What of a module of Node depends on nothing but its arguments. */
const pureImports = new Map([
  ['crypto', new Set(['createHash', 'createHmac', 'createPrivateKey', 'createPublicKey', 'hash'])],
]);

const memberOf = (node) => {
  const { parent } = node;
  if (parent.type !== 'MemberExpression' || parent.object !== node) return undefined;
  return parent.computed ? parent.property.value : parent.property.name;
};

const isConstructed = (node) => node.parent.type === 'NewExpression' && node.parent.callee === node;
const isTypeTest = ({ parent }) =>
  parent.type === 'BinaryExpression' && parent.operator === 'instanceof';

const usesOf = {
  /** `new Date(x)`, `Date.parse` and `Date.UTC` read no clock. */
  Date(node) {
    if (isTypeTest(node) || ['parse', 'UTC', 'prototype'].includes(memberOf(node))) return;
    if (!isConstructed(node) || node.parent.arguments.length === 0) return CLOCK;
  },
  Math(node) {
    const member = memberOf(node);
    if (member === undefined || member === 'random') return CHANCE;
  },
};

const impurityOf = (node) => impureGlobals.get(node.name) ?? usesOf[node.name]?.(node);

const isType = ({ parent }) => parent.type === 'TSTypeQuery';
const isLocal = (variable) => variable !== null && variable.defs.length > 0;

function reportImport(context, node) {
  const { source } = node;
  if (typeof source?.value !== 'string' || !isBuiltin(source.value)) return;
  if (node.importKind === 'type' || node.exportKind === 'type') return;
  const names = node.specifiers?.filter((one) => one.importKind !== 'type') ?? [];
  if (node.specifiers?.length > 0 && names.length === 0) return;
  const pure = pureImports.get(source.value.replace(/^node:/, ''));
  if (pure && names.length > 0 && names.every((one) => pure.has(one.imported?.name))) return;
  context.report({ node, message: `pure code imports ${source.value}: make it a parameter` });
}

export const purity = {
  meta: { type: 'problem' },
  create: (context) => ({
    ImportDeclaration: (node) => reportImport(context, node),
    ImportExpression: (node) => reportImport(context, node),
    ExportAllDeclaration: (node) => reportImport(context, node),
    ExportNamedDeclaration: (node) => reportImport(context, node),
    Program() {
      for (const scope of context.sourceCode.scopeManager.scopes)
        for (const { identifier, resolved, isValueReference } of scope.references) {
          if (isLocal(resolved) || isValueReference === false || isType(identifier)) continue;
          const does = impurityOf(identifier);
          if (does)
            context.report({
              node: identifier,
              message: `pure code ${does} (${identifier.name}): make it a parameter`,
            });
        }
    },
  }),
};
