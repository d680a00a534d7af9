import type { DealInvite } from '@/api/contract';
import type { SharedLink } from '@/components/share-ways';
import { useDealTitle } from '@/entities/deal/use-deal-title';
import { useTexts } from '@/i18n';
import { invite as catalogue } from '@/i18n/en/invite';
import { centsFromWire, usd } from '@/lib/money';
import { inviteUrl } from './queries';

export function useSharedInvite(): (invite: DealInvite) => SharedLink {
  const t = useTexts(catalogue);
  const titleOf = useDealTitle();
  return (invite) => ({
    url: inviteUrl(invite.code),
    title: t('shareTitle'),
    text: t('shareText', { title: titleOf(invite), price: usd(centsFromWire(invite.price)) }),
    phone: invite.phone,
  });
}
