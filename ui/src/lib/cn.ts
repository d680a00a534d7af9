import { type ClassValue, clsx } from 'clsx';
import { createTailwindMerge } from 'tailwind-merge';
import { utilities } from './utilities';

const merge = createTailwindMerge(() => utilities);

/** Joins class names; of two utilities that set the same, the later one stays. */
export function cn(...inputs: ClassValue[]): string {
  return merge(clsx(inputs));
}
