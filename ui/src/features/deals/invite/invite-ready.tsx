import type { DealInvite } from '@/api/contract';
import { ShareWays } from '@/components/share-ways';
import { Button } from '@/components/ui/button';
import { useTexts } from '@/i18n';
import { invite as catalogue } from '@/i18n/en/invite';
import { useSharedInvite } from './use-shared-invite';

export function InviteReady({ invite, onDone }: { invite: DealInvite; onDone: () => void }) {
  const t = useTexts(catalogue);
  const shared = useSharedInvite();
  return (
    <div className="mt-4 grid min-w-0 gap-5">
      {invite.email ? <p>{t('mailed', { email: invite.email })}</p> : null}
      <ShareWays {...shared(invite)} />
      <Button size="lg" variant="outline" onClick={onDone}>
        {t('done')}
      </Button>
    </div>
  );
}
