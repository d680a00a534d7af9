import { useMutation, useQueryClient } from '@tanstack/react-query';
import { ScrollText } from 'lucide-react';
import { Note } from '@/components/note';
import { PendingButton } from '@/components/pending-button';
import { TermsText } from '@/components/terms-text';
import { keys } from '@/entities/keys';
import { useMaybeMe } from '@/entities/user/queries';
import { useFocusNext } from '@/hooks/use-focus';
import { translate, useTexts } from '@/i18n';
import { terms } from '@/i18n/en/shell';
import { api, send } from '@/lib/api';
import { outcomeText } from '@/lib/outcomes';

function useAccept() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (version: string) => send(api.POST('/auth/terms', { body: { version } })),
    meta: {
      success: (done) => outcomeText(done, translate(terms, 'accepted')),
      fallback: () => translate(terms, 'failed'),
    },
    onSuccess: ({ user }) => queryClient.setQueryData(keys.me, user),
  });
}

/** 'We have updated our Terms', with a link and a button. */
function TermsNotice({ version }: { version: string }) {
  const t = useTexts(terms);
  const { mutate, isPending } = useAccept();
  const accept = useFocusNext();
  return (
    <div role="status" aria-live="polite">
      <Note kind="info" icon={<ScrollText aria-hidden="true" />} banner>
        <TermsText text={t('updated')} />{' '}
        <PendingButton ref={accept} variant="link" className="min-h-6" pending={isPending} onClick={() => mutate(version)}>
          {t('accept')}
        </PendingButton>
      </Note>
    </div>
  );
}

export function TermsBanner() {
  const versions = useMaybeMe()?.terms;
  if (!versions || versions.acceptedVersion === versions.currentVersion) return null;
  return <TermsNotice version={versions.currentVersion} />;
}
