/** Code that looks right and fails in some browser, as selectors, with what to write instead. */
const TRAPS = {
  'MemberExpression[property.name="isComposing"], BinaryExpression > Literal[value="Enter"]':
    'Use isEnter and isComposing: Safari says in another way that Enter ends a word.',
  ':matches(Literal[value=/whitespace-pre-(line|wrap)/]:not([value=/overflow-clip/]), TemplateElement[value.raw=/whitespace-pre-(line|wrap)/]:not([value.raw=/overflow-clip/]))':
    'Add overflow-clip: marks stacked on a letter paint over what is around the text.',
  'JSXOpeningElement:has(JSXAttribute[name.name="role"][value.value="status"]):not(:has(JSXAttribute[name.name="aria-live"]))':
    'An open dialog hides a status from screen readers unless it has aria-live, too.',
};

export const noTraps = {
  meta: { type: 'problem', schema: [] },
  create: (context) =>
    Object.fromEntries(
      Object.entries(TRAPS).map(([selector, message]) => [selector, (node) => context.report({ node, message })]),
    ),
};
