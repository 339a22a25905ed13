/**
 * A rule for oxlint: texts of the console are messages, in `t`, `plural` or `Trans` of Lingui. Finds
 * texts in JSX and its attributes, sentences, and words in tables; a word elsewhere it cannot tell from
 * an identifier.
 */

/** Begins with a capital, and goes on with a word in lower case: other words with capitals are a name. */
const SENTENCE = /^\s*\p{Lu}[\p{L}’'-]* (?:\S+ )*\p{Ll}/u;
const CAPITALIZED = /^\p{Lu}\p{Ll}/u;
/** Not `UTC`. */
const READ_TEXT = /\p{Ll}{2}/u;

/** Attributes, and properties of objects, whose value a person reads. */
const READ =
  /^(title|label|aria-label|aria-description|placeholder|alt|hint|description|action|summary|all|legend|text|note|unit|name|meaning|outcome|message)$/;
/** What is in these is code. */
const CODE = new Set(['code', 'pre', 'kbd']);
/** What these are called with is not read by the user. */
const UNREAD_CALLS =
  /^(Error|RangeError|TypeError|querySelector|querySelectorAll|closest|matchMedia)$/;
const MACROS = new Set(['t', 'plural', 'select', 'msg']);

/** The same in every language. */
const NAMES =
  /^(Gatehouse|Slack|Python|TypeScript|OpenTelemetry|Codex|Mosyle|Fleet|Hexnode|Jamf Pro|Microsoft Intune|Microsoft Teams|Claude Code|Gemini CLI|Edge|Opera|Firefox|Chrome|Safari|Android|Windows|Linux)$/;

const nameOf = ({ name, property, value }) => name ?? property?.name ?? value ?? '';

const ancestorsOf = function* (node) {
  for (let at = node.parent; at; at = at.parent) yield at;
};

const isElement = (node, names) =>
  node.type === 'JSXElement' && names.has(node.openingElement.name.name);
const trans = new Set(['Trans']);

/** In a macro, in what no one reads, or in a type. */
function isExempt(node) {
  for (const at of ancestorsOf(node)) {
    if (at.type === 'TaggedTemplateExpression') return true;
    if (at.type === 'CallExpression' && MACROS.has(nameOf(at.callee))) return true;
    if (/^(New|Call)Expression$/.test(at.type) && UNREAD_CALLS.test(nameOf(at.callee))) return true;
    if (/^(Import|Export.*From|TS|Throw)/.test(at.type) && !/^TS(As|Satisfies)/.test(at.type))
      return true;
    if (at.type === 'JSXAttribute' && !READ.test(nameOf(at.name))) return !isFunction(at.value);
    if (at.type === 'Property' && at.key === node) return true;
  }
  return false;
}

const isFunction = (value) => /Function/.test(value?.expression?.type ?? '');

/** The text of an attribute or a property that is read, or the name in a pair of name and value. */
function isRead({ parent, ...node }) {
  if (parent.type === 'JSXAttribute') return READ.test(nameOf(parent.name));
  if (parent.type === 'Property')
    return parent.value.start === node.start && READ.test(nameOf(parent.key));
  return (
    parent.type === 'ArrayExpression' &&
    parent.elements.length > 1 &&
    parent.elements[0].start === node.start
  );
}

export const translatedTexts = {
  meta: { type: 'problem' },
  create(context) {
    const report = (node, text) =>
      context.report({ node, message: `not translatable: ${text.trim().slice(0, 60)}` });
    return {
      JSXText(node) {
        if (!READ_TEXT.test(node.value) || NAMES.test(node.value.trim())) return;
        const inside = [...ancestorsOf(node)];
        if (inside.some((at) => isElement(at, trans)) || isElement(node.parent, CODE)) return;
        report(node, node.value);
      },
      Literal(node) {
        const { value } = node;
        if (typeof value !== 'string' || NAMES.test(value)) return;
        const isText = SENTENCE.test(value) || (CAPITALIZED.test(value) && isRead(node));
        if (isText && !isExempt(node)) report(node, value);
      },
      TemplateLiteral(node) {
        const text = node.quasis.map(({ value }) => value.cooked).join('0');
        if (SENTENCE.test(text) && !isExempt(node)) report(node, text);
      },
    };
  },
};
