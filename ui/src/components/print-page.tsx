import { Printer } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { Button } from '@/components/ui/button';
import { Skeleton } from '@/components/ui/skeleton';
import { useTexts } from '@/i18n';
import { common } from '@/i18n/en/common';
import { print } from '@/i18n/en/print';
import { serverNow } from '@/lib/server-clock';
import { formatTime } from '@/lib/time';
import { Page } from './page';
import { SkeletonPage } from './skeleton-page';

/** The random end of the id, so that it reveals no count (docs/rules.md#statement). */
export function receiptNumber(letter: 'D' | 'P', id: string): string {
  const digits = id.slice(-12).toUpperCase();
  return [letter, digits.slice(0, 4), digits.slice(4, 8), digits.slice(8)].join('-');
}

/** Date and time, always with the year, because prints are kept. */
export function fullMoment(moment: string | number): string {
  return `${formatTime(moment, 'date')}, ${formatTime(moment, 'clock')}`;
}

type Props = {
  /** Of the window, and the file name when saved. */
  page: string;
  title: string;
  back: ReactNode;
  /** The text about a public check and its path. Without it, nothing can be printed. */
  check?: { text: string; path: string } | undefined;
  /** When the data were loaded, in epoch milliseconds; now by default. */
  madeAt?: number | undefined;
  pending: boolean;
  children: ReactNode;
};

/** For printing or saving as PDF: without the site's frame, black on white (styles/base.css). */
export function PrintPage({ page, title, back, check, madeAt, pending, children }: Props) {
  const t = useTexts(print);
  const tCommon = useTexts(common);
  const [opened] = useState(serverNow);
  const url = check ? `${window.location.origin}${check.path}` : '';
  return (
    <Page title={page} className="max-w-200 wrap-anywhere print:max-w-none print:p-0">
      <div className="mb-10 grid gap-3 border-b pb-6 print:hidden">
        <p className="text-sm">{back}</p>
        {check ? (
          <>
            <Button className="justify-self-start" onClick={() => window.print()}>
              <Printer aria-hidden="true" />
              {t('print')}
            </Button>
            <p className="text-sm text-muted-foreground">{t('hint')}</p>
          </>
        ) : null}
      </div>
      <p className="flex items-center gap-2.5 font-display text-xl font-title">
        <svg className="size-7 flex-none" aria-hidden="true">
          <use href="#mark" />
        </svg>
        {tCommon('amanat')}
      </p>
      <h1 className="my-6 font-display text-display-md">{title}</h1>
      {pending ? (
        <SkeletonPage part label={tCommon('loading')}>
          <Skeleton className="h-60" />
        </SkeletonPage>
      ) : null}
      {children}
      {check ? (
        <footer className="mt-10 grid gap-1 text-sm text-muted-foreground print:break-inside-avoid">
          <p>{t('made', { at: fullMoment(madeAt ?? opened) })}</p>
          <p>
            {check.text}{' '}
            <a href={url} className="text-foreground" lang="en">
              {url}
            </a>
          </p>
        </footer>
      ) : null}
    </Page>
  );
}
