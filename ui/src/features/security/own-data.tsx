import { useQuery } from '@tanstack/react-query';
import { Download, FileArchive } from 'lucide-react';
import type { DataExport as Copy } from '@/api/contract';
import { STACK } from '@/components/classes';
import { Failure } from '@/components/failure';
import { Note } from '@/components/note';
import { PendingButton } from '@/components/pending-button';
import { QueryPart } from '@/components/query-part';
import { Section } from '@/components/section';
import { TermsText } from '@/components/terms-text';
import { Skeleton } from '@/components/ui/skeleton';
import { useMe } from '@/entities/user/queries';
import { useTexts } from '@/i18n';
import { common } from '@/i18n/en/common';
import { ownData } from '@/i18n/en/security';
import { isApiError } from '@/lib/errors';
import { localDigits } from '@/lib/money';
import { useNow } from '@/lib/server-clock';
import { formatTime } from '@/lib/time';
import { CloseAccount } from './close-account';
import { dataExportQuery, withoutCancelled } from './queries';
import { useDownloadExport, useFileSize, useRequestExport } from './use-own-data';

function Request({ text, variant = 'outline' }: { text: string; variant?: 'outline' | 'default' }) {
  const { mutate, isPending, error } = useRequestExport();
  return (
    <div className={STACK}>
      <Failure error={withoutCancelled(error)} />
      <PendingButton variant={variant} className="justify-self-start" pending={isPending} onClick={() => mutate()}>
        {text}
      </PendingButton>
    </div>
  );
}

function Ready({ copy }: { copy: Copy & { readyAt: string; expiresAt: string } }) {
  const t = useTexts(ownData);
  const tCommon = useTexts(common);
  const sizeOf = useFileSize();
  const { mutate, isPending, error } = useDownloadExport(copy._id);
  return (
    <>
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-3 border-y py-4">
        <div className="flex min-w-0 flex-[1_1_220px] gap-3">
          <FileArchive className="mt-0.5 flex-none" aria-hidden="true" />
          <p className="min-w-0">
            <b className="font-semibold">{t('ready', { when: formatTime(copy.readyAt, 'moment') })}</b>
            <br />
            <span className="text-sm text-muted-foreground">
              {t('readyText', { size: sizeOf(copy.size), until: formatTime(copy.expiresAt, 'moment') })}
            </span>
          </p>
        </div>
        <PendingButton pending={isPending} pendingText={tCommon('loading')} onClick={() => mutate()}>
          <Download aria-hidden="true" />
          {t('download')}
        </PendingButton>
      </div>
      <Failure error={withoutCancelled(error)} text={isApiError(error, 'not_found') ? t('gone') : undefined} />
    </>
  );
}

function State({ copy }: { copy: Copy | null }) {
  const t = useTexts(ownData);
  const now = useNow();
  if (copy === null) return <Request text={t('request')} />;
  const { status, requestedAt, readyAt, expiresAt } = copy;
  if (status === 'pending') {
    return (
      <Note kind="wait" title={t('preparing')}>
        {t('preparingText', { when: formatTime(requestedAt, 'moment') })}
      </Note>
    );
  }
  if (status === 'failed' || readyAt === null || expiresAt === null) {
    return (
      <>
        <Note kind="bad" title={t('failed')}>
          {t('failedText')}
        </Note>
        <Request text={t('retry')} />
      </>
    );
  }
  if (Date.parse(expiresAt) <= now) {
    return (
      <>
        <p className="text-muted-foreground">{t('expired', { when: formatTime(readyAt, 'day') })}</p>
        <Request text={t('request')} />
      </>
    );
  }
  return (
    <>
      <Ready copy={{ ...copy, readyAt, expiresAt }} />
      <Request text={t('requestNew')} />
    </>
  );
}

function Accepted() {
  const t = useTexts(ownData);
  const { acceptedVersion, acceptedAt } = useMe().terms;
  return (
    <p className="text-sm text-muted-foreground">
      <TermsText text={t('terms', { version: localDigits(acceptedVersion), when: formatTime(acceptedAt, 'date') })} />
    </p>
  );
}

function DataExport() {
  const t = useTexts(ownData);
  const query = useQuery(dataExportQuery);
  return (
    <Section title={t('data')}>
      <div className={STACK} aria-live="polite">
        <p className="text-sm text-muted-foreground">{t('dataText')}</p>
        <QueryPart query={query} failure={t('loadFailed')} skeleton={<Skeleton className="h-20" />}>
          {(data) => <State copy={data.export} />}
        </QueryPart>
        <Accepted />
      </div>
    </Section>
  );
}

export default function OwnData() {
  return (
    <div className="mt-12 grid gap-12 lg:grid-cols-2 lg:items-start">
      <DataExport />
      <CloseAccount />
    </div>
  );
}
