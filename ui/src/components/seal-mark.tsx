import { cn } from '@/lib/cn';

/** The mark on a button that moves money; `large` on one of 52 px. The symbol is in index.html. */
export function SealMark({ large = false }: { large?: boolean }) {
  return (
    <svg className={cn('flex-none', large && 'size-5.5')} aria-hidden="true">
      <use href="#seal" />
    </svg>
  );
}
