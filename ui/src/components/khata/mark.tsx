import { useLanguage, useTexts } from '@/i18n';
import { common } from '@/i18n/en/common';
import { cn } from '@/lib/cn';

/** The three columns as a sign. The symbols of all signs are in index.html. */
export function Mark({ className }: { className?: string }) {
  return (
    <svg className={cn('logo__mark', className)} aria-hidden="true">
      <use href="#mark" />
    </svg>
  );
}

/** The name in its own lettering, in the script of the language. */
export function Wordmark() {
  const bangla = useLanguage() === 'bn';
  return (
    <svg className={cn('logo__word', bangla && 'logo__word--bn')} aria-hidden="true">
      <use href={bangla ? '#word-bn' : '#word'} />
    </svg>
  );
}

/** Mark and name, for the inside of a link. On cloth the link needs `logo--cloth`. */
export function Logo() {
  const t = useTexts(common);
  return (
    <>
      <Mark />
      <Wordmark />
      <span className="sr">{t('home')}</span>
    </>
  );
}
