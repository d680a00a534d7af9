import { type ClassValue, clsx } from 'clsx';
import { createTailwindMerge } from 'tailwind-merge';
import { utilities } from './utilities';

const merge = createTailwindMerge(() => utilities);

/** Joins class names. Of two utilities that set the same property, the later one wins. */
export function cn(...inputs: ClassValue[]): string {
  return merge(clsx(inputs));
}
