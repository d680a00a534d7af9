import { Link, type LinkProps } from '@tanstack/react-router';
import { useLanguage, useTexts } from '@/i18n';
import { common } from '@/i18n/en/common';
import { cn } from '@/lib/cn';

type LogoProps = {
  to: LinkProps['to'];
  cloth?: boolean;
  /** Of the name, to hide it on narrow screens. */
  className?: string;
};

/** The link home, in the script of the language. The symbols are in index.html. */
export function Logo({ to, cloth = false, className }: LogoProps) {
  const t = useTexts(common);
  const bangla = useLanguage() === 'bn';
  return (
    <Link
      to={to}
      className={cn(
        'inline-flex min-h-11 items-center gap-2.5 text-inherit no-underline',
        cloth && '[--mk-a:#fff] [--mk-b:var(--seal)]',
      )}
    >
      <svg className="size-8 flex-none" aria-hidden="true">
        <use href="#mark" />
      </svg>
      <svg className={cn('mt-0.5 h-5.5 w-auto', bangla ? 'aspect-[3.6]' : 'aspect-[4.533]', className)} aria-hidden="true">
        <use href={bangla ? '#word-bn' : '#word'} />
      </svg>
      <span className="sr-only">{t('home')}</span>
    </Link>
  );
}
