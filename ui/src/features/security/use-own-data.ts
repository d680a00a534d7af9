import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import type { LatestExport } from '@/api/contract';
import { keys } from '@/entities/keys';
import { leavePage } from '@/entities/user/page-owner';
import { withConfirmation } from '@/entities/user/second-factor/confirmation';
import { translate, useTexts } from '@/i18n';
import { ownData } from '@/i18n/en/security';
import { api, send } from '@/lib/api';
import { isApiError } from '@/lib/errors';
import { localDigits } from '@/lib/money';
import { outcomeText } from '@/lib/outcomes';
import { saveFile } from '@/lib/save-file';
import { closingQuery } from './queries';

const KILOBYTE = 1_000;
const MEGABYTE = 1_000_000;

/** "1.2 MB", "48 KB". */
export function useFileSize() {
  const t = useTexts(ownData);
  return (bytes: number): string =>
    bytes < MEGABYTE
      ? t('kilobytes', { size: localDigits(String(Math.max(1, Math.round(bytes / KILOBYTE)))) })
      : t('megabytes', { size: localDigits((bytes / MEGABYTE).toFixed(1)) });
}

/** Requests a copy of the user's data. The section shows failures. */
export function useRequestExport() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: () => withConfirmation(() => send(api.POST('/auth/data-export'))),
    meta: { quiet: true, success: (done) => outcomeText(done, translate(ownData, 'requested')) },
    // A small archive may be ready, and its event here, before the response.
    onSuccess: ({ export: asked }) =>
      queryClient.setQueryData<LatestExport>(keys.dataExport, (known) =>
        known?.export?._id === asked._id ? known : { export: asked },
      ),
  });
}

/** Downloads a copy. A missing one is no longer offered. */
export function useDownloadExport(id: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: () => withConfirmation(() => saveFile(`/auth/data-export/${id}/file`)),
    gcTime: 0,
    meta: { quiet: true },
    onError: (error) => {
      if (isApiError(error, 'not_found')) void queryClient.invalidateQueries({ queryKey: keys.dataExport });
    },
  });
}

export function useCloseAccount() {
  const queryClient = useQueryClient();
  const router = useRouter();
  return useMutation({
    mutationFn: (body: { username: string }) => withConfirmation(() => send(api.POST('/auth/close', { body }))),
    meta: { quiet: true, success: (done) => outcomeText(done, translate(ownData, 'closed')) },
    onSuccess: () => leavePage(router, { closed: true }),
    onError: (error) => {
      // Something now blocks closing; the page shows what.
      if (isApiError(error, 'conflict')) void queryClient.invalidateQueries({ queryKey: closingQuery.queryKey });
    },
  });
}
