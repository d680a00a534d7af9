import { expect, it } from 'vitest';
import { cn } from './cn';

it.each([
  ['the later of two utilities that set the same stays', ['px-2 py-1', 'px-4'], 'py-1 px-4'],
  ['a shorthand replaces its sides', ['pt-2 px-gutter', 'p-4'], 'p-4'],
  ['a size and a colour of text stay', ['text-sm', 'text-muted-foreground'], 'text-sm text-muted-foreground'],
  ['a size of our own and a colour stay', ['text-caption', 'text-status-late'], 'text-caption text-status-late'],
  ['a size of our own replaces another', ['text-sm text-lede', 'text-display-lg'], 'text-display-lg'],
  ['15 px replaces 14 px', ['text-sm', 'text-md'], 'text-md'],
  ['a ring inside and its colour stay', ['inset-ring', 'inset-ring-ring'], 'inset-ring inset-ring-ring'],
  ['a size brings its line height', ['leading-snug', 'text-sm'], 'text-sm'],
  ['a line height after the size stays', ['text-sm leading-normal', 'leading-money'], 'text-sm leading-money'],
  ['a face and a weight stay', ['font-display font-semibold', 'font-title'], 'font-display font-title'],
  ['tracking', ['tracking-wide', 'tracking-money'], 'tracking-money'],
  ['a margin of the page', ['-mx-gutter', 'mx-0'], 'mx-0'],
  ['a width', ['max-w-page', 'max-w-measure'], 'max-w-measure'],
  ['a corner', ['rounded-md', 'rounded-book'], 'rounded-book'],
  ['a shadow and its colour stay', ['shadow-sm shadow-seal', 'shadow-overlay'], 'shadow-seal shadow-overlay'],
  ['stitches and a colour stay', ['bg-muted bg-stitch-x', 'bg-stitch-y'], 'bg-muted bg-stitch-y'],
  ['an animation', ['animate-spin', 'animate-appear'], 'animate-appear'],
  ['classes of style sheets stay', ['btn btn--seal', false, undefined, 'big'], 'btn btn--seal big'],
  ['a class of a style sheet beside a utility of its name stays', ['main wrap', 'wrap-anywhere'], 'main wrap wrap-anywhere'],
])('%s', (_name, classes, joined) => {
  expect(cn(...classes)).toBe(joined);
});
