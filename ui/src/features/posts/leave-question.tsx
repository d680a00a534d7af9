import { useBlocker } from '@tanstack/react-router';
import type { User } from '@/api/contract';
import { AlertDialog, AlertDialogCancel, AlertDialogContent } from '@/components/ui/alert-dialog';
import { Button } from '@/components/ui/button';
import { useTexts } from '@/i18n';
import { postForm } from '@/i18n/en/post-form';
import { keys, useMe } from '@/lib/queries';
import { queryClient } from '@/lib/query-client';

/** Asks before a page with unsaved typing is left, by a link, Back or closing the tab. Who logs out is not held, nor is whoever comes after him. */
export function LeaveQuestion({ unsaved }: { unsaved: boolean }) {
  const t = useTexts(postForm);
  const { _id: author } = useMe();
  const held = () => unsaved && queryClient.getQueryData<User | null>(keys.me)?._id === author;
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: ({ current, next }) => current.pathname !== next.pathname && held(),
    enableBeforeUnload: held,
    withResolver: true,
  });
  return (
    <AlertDialog open={status === 'blocked'} onOpenChange={(open) => (open ? undefined : reset?.())}>
      <AlertDialogContent title={t('leave.title')} description={t('leave.text')}>
        <div className="row wrapx g2 mt">
          <Button onClick={() => proceed?.()}>{t('leave.yes')}</Button>
          <AlertDialogCancel asChild>
            <Button variant="line">{t('leave.no')}</Button>
          </AlertDialogCancel>
        </div>
      </AlertDialogContent>
    </AlertDialog>
  );
}
