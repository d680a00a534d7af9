import { useQueryClient } from '@tanstack/react-query';
import { useBlocker } from '@tanstack/react-router';
import type { User } from '@/api/contract';
import { ConfirmDialog } from '@/components/confirm-dialog';
import { Button } from '@/components/ui/button';
import { keys } from '@/entities/keys';
import { useMe } from '@/entities/user/queries';
import { useTexts } from '@/i18n';
import { postForm } from '@/i18n/en/post-form';

/** Asks before unsaved input is left, but not on a logout or a change of user. */
export function LeaveGuard({ unsaved }: { unsaved: boolean }) {
  const t = useTexts(postForm);
  const queryClient = useQueryClient();
  const { _id: author } = useMe();
  const held = () => unsaved && queryClient.getQueryData<User | null>(keys.me)?._id === author;
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: ({ current, next }) => current.pathname !== next.pathname && held(),
    enableBeforeUnload: held,
    withResolver: true,
  });
  return (
    <ConfirmDialog
      open={status === 'blocked'}
      back={false}
      onClose={() => reset?.()}
      title={t('leave.title')}
      text={t('leave.text')}
      action={<Button onClick={() => proceed?.()}>{t('leave.yes')}</Button>}
      cancel={t('leave.no')}
    />
  );
}
