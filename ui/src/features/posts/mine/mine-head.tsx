import type { ReactNode } from 'react';
import { useTexts } from '@/i18n';
import { postForm } from '@/i18n/en/post-form';

export function MineHead({ as: Title = 'h1', children }: { as?: 'h1' | 'p'; children: ReactNode }) {
  const t = useTexts(postForm);
  return (
    <div className="mb-8 flex flex-wrap items-end justify-between gap-4">
      <div>
        <Title className="font-display text-display-lg">{t('mine')}</Title>
        <p className="mt-2 text-muted-foreground">{t('mine.lede')}</p>
      </div>
      {children}
    </div>
  );
}
