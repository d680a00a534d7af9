import { Printer } from 'lucide-react';
import { QRCodeSVG } from 'qrcode.react';
import type { ReactNode } from 'react';
import type { Paper } from '@/api/contract';
import { Button } from '@/components/ui/button';
import { Skeleton } from '@/components/ui/skeleton';
import { useTexts } from '@/i18n';
import { common } from '@/i18n/en/common';
import { print } from '@/i18n/en/print';
import { Page } from './page';
import { fullMoment } from './paper-times';
import { SkeletonPage } from './skeleton-page';

export function PaperSkeleton() {
  return (
    <SkeletonPage part>
      <Skeleton className="h-60" />
    </SkeletonPage>
  );
}

/** The name up to the first comma, and the address below. */
function Operator({ operator }: { operator: string }) {
  const comma = operator.indexOf(',');
  const address = comma < 0 ? '' : operator.slice(comma + 1).trim();
  return (
    <address className="grid text-sm text-muted-foreground not-italic xs:max-w-[50%] xs:text-end">
      <b className="font-semibold text-foreground">{comma < 0 ? operator : operator.slice(0, comma)}</b>
      {address}
    </address>
  );
}

function Check({ paper }: { paper: Paper }) {
  const t = useTexts(print);
  const url = `${window.location.origin}/check/${paper.code}`;
  return (
    <footer className="mt-10 flex gap-4 text-sm text-muted-foreground xs:items-center xs:gap-6 print:break-inside-avoid">
      {/* White in the dark theme, too: cameras need dark on light. */}
      <QRCodeSVG value={url} title={t('qr')} size={120} marginSize={2} className="flex-none border" />
      <div className="grid min-w-0 gap-1">
        <p>{t('check')}</p>
        <a href={url} className="text-foreground" lang="en">
          {url.replace(/^https?:\/\//, '')}
        </a>
        <p>{t('made', { at: fullMoment(paper.madeAt) })}</p>
      </div>
    </footer>
  );
}

type Props = {
  /** Of the window, and the file name when saved. */
  page: string;
  title: string;
  back: ReactNode;
  /** Without it, nothing can be printed. */
  paper: Paper | null | undefined;
  children: ReactNode;
};

/** For printing or saving as PDF: without the site's frame, black on white (styles/base.css). */
export function PrintPage({ page, title, back, paper, children }: Props) {
  const t = useTexts(print);
  const tCommon = useTexts(common);
  return (
    <Page title={page} className="max-w-200 wrap-anywhere print:max-w-none print:p-0">
      <div className="mb-10 grid gap-3 border-b pb-6 print:hidden">
        <p className="text-sm">{back}</p>
        {paper ? (
          <>
            <Button className="justify-self-start" onClick={() => window.print()}>
              <Printer aria-hidden="true" />
              {t('print')}
            </Button>
            <p className="text-sm text-muted-foreground">{t('hint')}</p>
          </>
        ) : null}
      </div>
      <div className="flex justify-between gap-x-6 gap-y-3 max-xs:flex-col">
        <p className="flex items-center gap-2.5 self-start font-display text-xl font-title">
          <svg className="size-7 flex-none" aria-hidden="true">
            <use href="#mark" />
          </svg>
          {tCommon('amanat')}
        </p>
        {paper ? <Operator operator={paper.operator} /> : null}
      </div>
      <h1 className="my-6 font-display text-display-md">{title}</h1>
      {children}
      {paper ? <Check paper={paper} /> : null}
    </Page>
  );
}
