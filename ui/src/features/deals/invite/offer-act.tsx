import { Link, useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { InviteOffer } from '@/api/contract';
import { HANGING, MONEY, TAKA } from '@/components/classes';
import { PendingButton } from '@/components/pending-button';
import { Button } from '@/components/ui/button';
import { useMaybeMe } from '@/entities/user/queries';
import { useTaka } from '@/entities/wallet/exchange-rate';
import { useStillHere } from '@/hooks/use-still-here';
import { useTexts } from '@/i18n';
import { invite as catalogue } from '@/i18n/en/invite';
import { cn } from '@/lib/cn';
import { aboutBdt, centsFromWire, usdShort } from '@/lib/money';
import { LimitNote } from '../limit-note';
import { useJoin } from './queries';

type Props = { offer: InviteOffer; code: string; className?: string };

/** Joins. Visitors sign up or log in first, and come back. */
export function OfferAct({ offer, code, className }: Props) {
  const t = useTexts(catalogue);
  const me = useMaybeMe();
  const navigate = useNavigate();
  const here = useStillHere();
  const join = useJoin(code, (deal) => {
    if (here()) void navigate({ to: '/deal/$dealId', params: { dealId: deal._id } });
  });
  if (offer.isOwn) {
    return (
      <Button size="lg" variant="outline" asChild className={className}>
        <Link to="/deal" search={{ tab: 'pending' }}>
          {t('toDeals')}
        </Link>
      </Button>
    );
  }
  if (!me) {
    return (
      <Button size="lg" asChild className={className}>
        <Link to="/signup" search={{ redirect: `/d/${code}` }}>
          {t('signup')}
        </Link>
      </Button>
    );
  }
  return (
    <>
      <LimitNote error={join.error} />
      <PendingButton
        size="lg"
        className={className}
        pending={join.isPending}
        pendingText={t('joining')}
        onClick={() => join.mutate()}
      >
        {t('join')}
      </PendingButton>
    </>
  );
}

function Small({ offer, code }: { offer: InviteOffer; code: string }) {
  const t = useTexts(catalogue);
  const me = useMaybeMe();
  if (offer.isOwn) return <p className="text-sm text-muted-foreground">{t('own')}</p>;
  if (me) return <p className="text-sm text-muted-foreground">{t('joinText')}</p>;
  return (
    <>
      <p className="text-sm text-muted-foreground">{t('signupText')}</p>
      <Button variant="link" asChild>
        <Link to="/login" search={{ redirect: `/d/${code}` }}>
          {t('login')}
        </Link>
      </Button>
    </>
  );
}

export function OfferPrice({ offer, code, children }: { offer: InviteOffer; code: string; children: ReactNode }) {
  const taka = useTaka();
  const price = centsFromWire(offer.price);
  const shown = usdShort(price);
  return (
    <section className={HANGING} aria-label={shown}>
      <p className={`${MONEY} ${shown.length > 9 ? 'text-[36px]' : 'text-[48px]'}`}>{shown}</p>
      <p className={cn(TAKA, 'mt-1')}>{taka ? aboutBdt(taka(price)) : null}</p>
      <div className="mt-5 grid gap-2 max-lg:hidden">{children}</div>
      <div className="mt-3">
        <Small offer={offer} code={code} />
      </div>
    </section>
  );
}

/** On a phone, price and button in a bar at the bottom. */
export function OfferBar({ offer, code }: { offer: InviteOffer; code: string }) {
  return (
    <div
      data-bottom-bar=""
      className="fixed inset-x-0 bottom-0 z-35 border-t-2 border-foreground bg-background px-gutter pt-2.5 pb-[max(10px,env(safe-area-inset-bottom))] lg:hidden"
    >
      <div className="flex items-center justify-between gap-3 *:data-[slot=button]:pr-4.5 *:data-[slot=button]:pl-4">
        <b className={`${MONEY} text-[24px]`}>{usdShort(centsFromWire(offer.price))}</b>
        <OfferAct offer={offer} code={code} />
      </div>
    </div>
  );
}
