import { cn } from '@/lib/cn';

/** The mark on buttons that move money; `large` on 52 px buttons. The symbol is in index.html. */
export function SealMark({ large = false }: { large?: boolean }) {
  return (
    <svg className={cn('flex-none', large && 'size-5.5')} aria-hidden="true">
      <use href="#seal" />
    </svg>
  );
}
