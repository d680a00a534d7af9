import { Link } from '@tanstack/react-router';
import type { NotMineAnswer } from '@/api/contract';
import { DialogPanel } from '@/components/dialog-panel';
import { OutcomePanel } from '@/components/outcome-panel';
import { PendingButton } from '@/components/pending-button';
import { Button } from '@/components/ui/button';
import { Dialog, DialogFooter } from '@/components/ui/dialog';
import { useMe } from '@/entities/user/queries';
import { useTexts } from '@/i18n';
import { account } from '@/i18n/en/account';
import { common } from '@/i18n/en/common';
import { wallet } from '@/i18n/en/wallet';
import { useNotMine } from './use-not-mine';

/** The next step: the mailed link, or without a verified address a new password now. */
function Done({ answer: { outcome, stopped } }: { answer: NotMineAnswer }) {
  const t = useTexts(wallet);
  const tAccount = useTexts(account);
  return (
    <OutcomePanel
      kind={outcome === 'sent' ? 'bad' : 'done'}
      title={tAccount(`stop.${outcome}`)}
      text={stopped ? tAccount(`stop.${outcome}Text`) : t('notMe.doneUnverified')}
    >
      {stopped ? null : (
        <Button asChild>
          <Link to="/security">{t('notMe.password')}</Link>
        </Button>
      )}
      {outcome === 'sent' || outcome === 'held' ? (
        <Button variant="outline" asChild>
          <Link to="/contactus">{tAccount('stop.support')}</Link>
        </Button>
      ) : null}
    </OutcomePanel>
  );
}

/** Reports a withdrawal as somebody else's: explains the consequences, and shows the result. */
export function NotMineDialog({ id, onClose }: { id: string; onClose: () => void }) {
  const t = useTexts(wallet);
  const tCommon = useTexts(common);
  const me = useMe();
  const { mutate, isPending, data } = useNotMine(id);
  return (
    <Dialog open onOpenChange={(open) => (open || isPending ? null : onClose())}>
      <DialogPanel title={t('notMe.title')}>
        {data ? (
          <Done answer={data} />
        ) : (
          <>
            <p>{t(me.isVerified ? 'notMe.text' : 'notMe.textUnverified')}</p>
            <DialogFooter className="mt-0">
              <PendingButton variant="destructive" pending={isPending} pendingText={tCommon('sending')} onClick={() => mutate()}>
                {t('notMe.stop')}
              </PendingButton>
            </DialogFooter>
          </>
        )}
      </DialogPanel>
    </Dialog>
  );
}
