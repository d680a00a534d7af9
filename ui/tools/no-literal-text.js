/** Attributes whose text a user sees or hears. */
const SPOKEN = new Set(['aria-label', 'aria-description', 'aria-valuetext', 'title', 'placeholder', 'alt', 'label']);
const LETTER = /\p{L}/u;

function literalText(node) {
  if (!node) return null;
  if (node.type === 'Literal' && typeof node.value === 'string') return node.value;
  if (node.type === 'TemplateLiteral') return node.quasis.map((quasi) => quasi.value.cooked).join('');
  if (node.type === 'JSXExpressionContainer') return literalText(node.expression);
  return null;
}

/** Every text that a user can meet stands in a catalogue of src/i18n, so that it exists in both languages. */
export const noLiteralText = {
  meta: {
    type: 'problem',
    schema: [],
    messages: { literal: 'Put "{{text}}" into a catalogue in src/i18n and show it with useTexts.' },
  },
  create(context) {
    const check = (node, text) => {
      if (text !== null && LETTER.test(text)) context.report({ node, messageId: 'literal', data: { text: text.trim() } });
    };
    return {
      JSXText: (node) => check(node, node.value),
      JSXAttribute: (node) => {
        if (SPOKEN.has(String(node.name.name))) check(node, literalText(node.value));
      },
      'JSXElement > JSXExpressionContainer, JSXFragment > JSXExpressionContainer': (node) => check(node, literalText(node)),
    };
  },
};
