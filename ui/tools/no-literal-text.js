/** Attributes whose text a user sees or hears. */
const SPOKEN = new Set(['aria-label', 'aria-description', 'aria-valuetext', 'title', 'placeholder', 'alt', 'label']);
const LETTER = /\p{L}/u;

/**
 * What an expression may come to, where a person reads its value: each branch of a choice, each
 * part of a text that is put together.
 */
function outcomes(node) {
  switch (node?.type) {
    case 'JSXExpressionContainer':
    case 'TSAsExpression':
    case 'TSSatisfiesExpression':
    case 'TSNonNullExpression':
      return outcomes(node.expression);
    case 'ConditionalExpression':
      return [...outcomes(node.consequent), ...outcomes(node.alternate)];
    case 'LogicalExpression':
      // What stands before && is asked, and shown only when it is nothing to read.
      return [...(node.operator === '&&' ? [] : outcomes(node.left)), ...outcomes(node.right)];
    case 'BinaryExpression':
      return node.operator === '+' ? [...outcomes(node.left), ...outcomes(node.right)] : [];
    case 'TemplateLiteral':
      return [node, ...node.expressions.flatMap(outcomes)];
    case 'Literal':
      return [node];
    default:
      return [];
  }
}

function textOf(node) {
  if (node.type === 'TemplateLiteral') return node.quasis.map((quasi) => quasi.value.cooked).join('');
  return typeof node.value === 'string' ? node.value : '';
}

/**
 * The arguments of a call that are said in a toast: `notify` says all of them, `notifyFailure` the
 * first.
 */
function saidBy({ callee, arguments: given }) {
  if (callee.type === 'Identifier' && callee.name === 'notifyFailure') return given.slice(0, 1);
  return callee.type === 'MemberExpression' && callee.object.name === 'notify' ? given : [];
}

/**
 * Every text that a user can meet stands in a catalogue of src/i18n, so that it exists in both
 * languages.
 */
export const noLiteralText = {
  meta: {
    type: 'problem',
    schema: [],
    messages: { literal: 'Put "{{text}}" into a catalogue in src/i18n and show it with useTexts.' },
  },
  create(context) {
    const check = (node) => {
      const text = textOf(node);
      if (LETTER.test(text)) context.report({ node, messageId: 'literal', data: { text: text.trim() } });
    };
    return {
      JSXText: check,
      JSXAttribute: (node) => {
        if (SPOKEN.has(String(node.name.name))) outcomes(node.value).forEach(check);
      },
      'JSXElement > JSXExpressionContainer, JSXFragment > JSXExpressionContainer': (node) => outcomes(node).forEach(check),
      CallExpression: (node) => saidBy(node).flatMap(outcomes).forEach(check),
    };
  },
};
