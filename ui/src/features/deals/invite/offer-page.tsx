import { useSuspenseQuery } from '@tanstack/react-query';
import { Link, Navigate, useNavigate } from '@tanstack/react-router';
import type { InviteOffer } from '@/api/contract';
import { COLUMNS, HANGING, MONEY, TAKA } from '@/components/classes';
import { MissingPage } from '@/components/missing-page';
import { Page } from '@/components/page';
import { PageBar } from '@/components/page-bar';
import { PendingButton } from '@/components/pending-button';
import { Facts, Section } from '@/components/section';
import { Button } from '@/components/ui/button';
import { useDealTitle } from '@/entities/deal/use-deal-line';
import { useMaybeMe } from '@/entities/user/queries';
import { UserAvatar } from '@/entities/user/user-avatar';
import { UserLink, UserName } from '@/entities/user/user-name';
import { BuyLimit } from '@/entities/wallet/buy-limit';
import { useTaka } from '@/entities/wallet/exchange-rate';
import { isLimit } from '@/entities/wallet/limits';
import { useStillHere } from '@/hooks/use-still-here';
import { useTexts } from '@/i18n';
import { invite as catalogue } from '@/i18n/en/deal-links';
import { deals } from '@/i18n/en/deals';
import { profile } from '@/i18n/en/profile';
import { cn } from '@/lib/cn';
import { aboutBdt, centsFromWire, count, localDigits, usd, usdShort } from '@/lib/money';
import { MIN_DEALS_FOR_SCORE } from '@/lib/rules';
import { formatTime } from '@/lib/time';
import { wordsOf } from '../deal-view';
import { LimitNote } from '../failures';
import { offerQuery, useJoin } from './queries';

type Join = ReturnType<typeof useJoin>;
type Props = { offer: InviteOffer; code: string; join: Join };

/** Joins. Visitors sign up or log in first, and come back. */
function OfferAct({ offer, code, join, className }: Props & { className?: string }) {
  const t = useTexts(catalogue);
  const me = useMaybeMe();
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
    <PendingButton
      size="lg"
      className={className}
      pending={join.isPending}
      pendingText={t('joining')}
      onClick={() => join.mutate()}
    >
      {t('join')}
    </PendingButton>
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

/** What keeps the reader from buying at this price: before they join, or why they could not. */
function OfferLimit({ offer, join }: Omit<Props, 'code'>) {
  if (isLimit(join.error)) return <LimitNote error={join.error} className="mt-4" />;
  const buys = offer.role === 'Seller' && !offer.isOwn;
  return <BuyLimit price={buys ? centsFromWire(offer.price) : null} className="mt-4" />;
}

function OfferPrice({ offer, code, join }: Props) {
  const taka = useTaka(offer.role === 'Seller' ? 'pays' : 'gets');
  const price = centsFromWire(offer.price);
  const shown = usdShort(price);
  return (
    <section className={HANGING} aria-label={shown}>
      <p className={`${MONEY} ${shown.length > 9 ? 'text-[36px]' : 'text-[48px]'}`}>{shown}</p>
      <p className={cn(TAKA, 'mt-1')}>{taka ? aboutBdt(taka(price)) : null}</p>
      <OfferLimit offer={offer} join={join} />
      <div className="mt-5 max-lg:hidden">
        <OfferAct offer={offer} code={code} join={join} className="w-full" />
      </div>
      <div className="mt-3">
        <Small offer={offer} code={code} />
      </div>
    </section>
  );
}

/** On a phone, price and button in a bar at the bottom. */
function OfferBar({ offer, code, join }: Props) {
  return (
    <PageBar>
      <div className="flex items-center justify-between gap-3 *:data-[slot=button]:pr-4.5 *:data-[slot=button]:pl-4">
        <b className={`${MONEY} text-[24px]`}>{usdShort(centsFromWire(offer.price))}</b>
        <OfferAct offer={offer} code={code} join={join} />
      </div>
    </PageBar>
  );
}

function OfferSteps({ offer }: { offer: InviteOffer }) {
  const t = useTexts(catalogue);
  const name = offer.maker.username;
  const payout = usd(centsFromWire(offer.payout));
  const days = offer.inspectionDays;
  const steps =
    offer.role === 'Seller'
      ? [
          [t('how.joinBuy'), t('how.joinBuyText', { name })],
          [t('how.deliverBuy', { name }), t('how.deliverBuyText', { count: days })],
          [t('how.releaseBuy'), t('how.releaseBuyText', { name, payout })],
        ]
      : [
          [t('how.joinSell', { name }), t('how.joinSellText')],
          [t('how.deliverSell'), t('how.deliverSellText', { name, count: days })],
          [t('how.releaseSell', { name }), t('how.releaseSellText', { payout })],
        ];
  return (
    <Section title={t('how')}>
      <ol className="grid">
        {steps.map(([what, text], index) => (
          <li key={what} className="grid grid-cols-[2rem_minmax(0,1fr)] border-b py-3">
            <span className="font-display text-xl leading-[1.3] font-semibold lining-nums" aria-hidden="true">
              {count(index + 1)}
            </span>
            <span>
              <b className="font-semibold">{what}</b>
              <span className="block text-sm text-muted-foreground">{text}</span>
            </span>
          </li>
        ))}
      </ol>
    </Section>
  );
}

function Maker({ offer }: { offer: InviteOffer }) {
  const t = useTexts(catalogue);
  const tProfile = useTexts(profile);
  const { maker, successScore, completedDeals, finishedDeals, averageRating } = offer;
  const record = [
    finishedDeals === 0 ? t('record.none') : tProfile('ofDeals', { completed: count(completedDeals), count: finishedDeals }),
    successScore !== null && finishedDeals >= MIN_DEALS_FOR_SCORE ? tProfile('percent', { score: successScore }) : null,
    averageRating === null ? null : t('record.rating', { rating: localDigits(averageRating.toFixed(1)) }),
  ].filter((part) => part !== null);
  return (
    <UserLink user={maker} className="flex min-w-0 items-center gap-3 no-underline">
      <UserAvatar name={maker.username} picture={maker.profilePic} size="lg" />
      <span className="min-w-0 flex-1 leading-[1.4]">
        <UserName user={maker} className="text-lg font-semibold" />
        <br />
        <span className="text-sm text-muted-foreground">{record.join(' · ')}</span>
      </span>
    </UserLink>
  );
}

function Sums({ offer }: { offer: InviteOffer }) {
  const t = useTexts(catalogue);
  const tDeals = useTexts(deals);
  const name = offer.maker.username;
  const buying = offer.role === 'Seller';
  return (
    <Section title={t('money')} size="small">
      <Facts
        rows={[
          [buying ? tDeals('money.youPay') : tDeals('money.pays', { name }), usd(centsFromWire(offer.price))],
          [tDeals('money.fee'), usd(-centsFromWire(offer.fee))],
        ]}
        total={[buying ? tDeals('money.gets', { name }) : tDeals('money.youGet'), usd(centsFromWire(offer.payout))]}
      />
    </Section>
  );
}

function Terms({ offer }: { offer: InviteOffer }) {
  const t = useTexts(catalogue);
  return (
    <Section title={t('words')}>
      <p className="mb-4 max-w-measure overflow-clip whitespace-pre-line">{wordsOf(offer.description)}</p>
      <Facts
        rows={[
          [t('delivery'), t('delivery.days', { count: offer.deliveryDuration })],
          [t('check'), t('check.days', { count: offer.inspectionDays })],
          [
            t('until'),
            <time key="until" dateTime={offer.expiresAt}>
              {formatTime(offer.expiresAt, 'moment')}
            </time>,
          ],
        ]}
      />
    </Section>
  );
}

/** /d/{code}: the deal of a link. Once joined, its parties are led to the deal. */
export function OfferPage({ code }: { code: string }) {
  const t = useTexts(catalogue);
  const titleOf = useDealTitle();
  const { data: offer } = useSuspenseQuery(offerQuery(code));
  const navigate = useNavigate();
  const here = useStillHere();
  const join = useJoin(code, (deal) => {
    if (here()) void navigate({ to: '/deal/$dealId', params: { dealId: deal._id } });
  });
  if (offer.dealId) return <Navigate to="/deal/$dealId" params={{ dealId: offer.dealId }} replace />;
  const name = offer.maker.username;
  return (
    <Page title={t('page', { name })} className="pb-32 wrap-anywhere md:pb-32 lg:pb-24">
      <p className="text-muted-foreground">{t(offer.role === 'Seller' ? 'sells' : 'buys', { name })}</p>
      <h1 className="mt-1 font-display text-display-lg">{titleOf(offer)}</h1>
      <div className="mt-5 mb-8">
        <Maker offer={offer} />
      </div>
      <div className={COLUMNS}>
        <div className="grid min-w-0 content-start gap-10 *:min-w-0">
          <Terms offer={offer} />
          <OfferSteps offer={offer} />
        </div>
        <aside className="grid content-start gap-8 max-lg:-order-1 lg:sticky lg:top-6">
          <OfferPrice offer={offer} code={code} join={join} />
          <Sums offer={offer} />
        </aside>
      </div>
      <OfferBar offer={offer} code={code} join={join} />
    </Page>
  );
}

export function OfferGone({ reason }: { reason: string }) {
  const t = useTexts(catalogue);
  return (
    <MissingPage title={t('gone')} text={reason || t('goneText')}>
      <a href="/">{t('home')}</a>
    </MissingPage>
  );
}
