import { type ClassValue, clsx } from 'clsx';
import { extendTailwindMerge } from 'tailwind-merge';

/**
 * The names of styles/theme.css that tailwind-merge would take for something else: it reads
 * `text-caption` as a colour.
 */
const merge = extendTailwindMerge({
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

/** Joins class names. Of two utilities that set the same property, the later one wins. */
export function cn(...inputs: ClassValue[]): string {
  return merge(clsx(inputs));
}
