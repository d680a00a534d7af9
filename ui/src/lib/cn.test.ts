import { extendTailwindMerge } from 'tailwind-merge';
import { describe, expect, it } from 'vitest';
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

/**
 * tailwind-merge's own configuration, with the names of theme.css that it would misread: it takes
 * `text-caption` for a colour.
 */
const full = extendTailwindMerge({
  extend: {
    theme: {
      text: ['caption', 'lede', 'display-xs', 'display-sm', 'display-md', 'display-lg', 'display-xl', 'display-2xl'],
      'font-weight': ['title'],
      leading: ['money'],
      tracking: ['money'],
      spacing: ['gutter', 'spine'],
      container: ['page', 'measure'],
      radius: ['book', 'book-lg'],
      shadow: ['overlay'],
      animate: ['appear'],
    },
    classGroups: { 'bg-image': ['bg-stitch-x', 'bg-stitch-y'] },
  },
});

const isUtility = (name: string) => full(name, name) === name;

const sources = import.meta.glob<string>('../components/ui/*.tsx', { query: '?raw', import: 'default', eager: true });
const used = [
  ...new Set(
    Object.entries(sources)
      .filter(([file]) => !file.includes('.test.'))
      .flatMap(([, source]) =>
        [...source.matchAll(/'([^'\n]*)'|"([^"\n]*)"|`([^`]*)`/g)].map((match) => match[1] ?? match[2] ?? match[3]),
      )
      .flatMap((text) => (text ?? '').split(/\s+/))
      .filter((name) => name !== '' && isUtility(name)),
  ),
];

/** The utilities that shadcn's components use. */
const USUAL = (
  'flex inline-flex grid hidden block relative absolute fixed sticky inset-0 inset-x-0 top-1/2 left-[50%] right-2 bottom-0 z-50 isolate ' +
  'flex-row flex-col flex-wrap flex-1 grow shrink-0 basis-full items-center justify-between justify-center self-start gap-2 gap-x-4 ' +
  'grid-cols-2 grid-cols-[auto_1fr] col-span-2 row-start-1 place-items-center size-4 h-9 w-full min-w-0 max-h-(--height) max-w-lg ' +
  'p-6 px-4 py-2 pt-2 pr-8 ps-3 -mx-1 mt-auto my-1 overflow-hidden overflow-y-auto rounded-md rounded-full rounded-t-lg rounded-tl-sm ' +
  'border border-2 border-t border-b-0 border-input border-transparent border-dashed border-l-4 border-l-primary bg-primary ' +
  'bg-primary/90 bg-transparent bg-none bg-clip-padding bg-stitch-x text-sm text-base text-caption text-xs/relaxed text-display-lg ' +
  'text-[11px] text-(--ink) text-muted-foreground text-center text-balance text-nowrap truncate font-medium font-bold font-display ' +
  'font-title leading-none leading-tight tracking-tight tracking-widest whitespace-nowrap break-words line-clamp-2 underline no-underline ' +
  'underline-offset-4 uppercase italic tabular-nums align-middle shadow-xs shadow-overlay shadow-[0_1px_2px_black] shadow-seal ring-2 ' +
  'ring-[3px] ring-ring/50 ring-inset ring-offset-2 ring-offset-background outline-none outline-hidden outline-2 outline-ring ' +
  'outline-offset-2 opacity-50 pointer-events-none cursor-pointer select-none touch-none resize-none appearance-none transition ' +
  'transition-colors duration-200 ease-out delay-100 animate-spin animate-appear origin-(--origin) translate-x-[-50%] translate-y-1 ' +
  'scale-95 rotate-180 object-cover object-center aspect-square fill-current stroke-2 stroke-current list-none list-inside sr-only ' +
  'invisible hover:bg-accent focus-visible:ring-[3px] data-[state=open]:bg-accent [&_svg]:size-4 dark:bg-input/30 disabled:opacity-50'
).split(' ');

describe('of any two utilities', () => {
  it.each([
    ['of the components', used],
    ['of shadcn', USUAL],
  ])('%s, those stay that stay by the whole of Tailwind', (_whose, names) => {
    const all = names.flatMap((first) => names.map((second) => `${first} ${second}`));
    expect(all.map((pair) => cn(pair))).toEqual(all.map((pair) => full(pair)));
  });

  it('are found in the components', () => {
    expect(used).toContain('inline-flex');
  });
});
