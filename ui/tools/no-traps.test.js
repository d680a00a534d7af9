import { testRule } from './test-rule.js';

/** Code, and a word of the message that it gets. */
const CASES = [
  ["if (isEnter(event) && key !== 'Escape') send();"],
  ['<p className="overflow-clip whitespace-pre-line" />'],
  ["const text = 'whitespace-nowrap';"],
  ['<p role="status" aria-live="polite" />'],
  ['<p role="alert" />'],
  ["if (event.key === 'Enter') send();", 'isEnter'],
  ['if (event.nativeEvent.isComposing) wait();', 'isComposing'],
  ['<p className="whitespace-pre-line" />', 'overflow-clip'],
  ['const text = `whitespace-pre-wrap ${wide}`;', 'overflow-clip'],
  ['<p role="status" />', 'aria-live'],
];

testRule(
  'no-traps',
  CASES.map(([code, ...says]) => ({ path: 'src/page.tsx', code, says })),
);
