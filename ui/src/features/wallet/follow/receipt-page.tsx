import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { Note } from '@/components/note';
import { fullMoment } from '@/components/paper-times';
import { PaperSkeleton, PrintPage } from '@/components/print-page';
import { QueryPart } from '@/components/query-part';
import { Facts } from '@/components/section';
import { Stat } from '@/components/stat';
import { depositQuery } from '@/entities/wallet/deposits';
import { useTexts } from '@/i18n';
import { khata } from '@/i18n/en/khata';
import { print } from '@/i18n/en/print';
import { bdt, centsFromWire, usd } from '@/lib/money';

const route = getRouteApi('/_app/balance/deposits/$depositId/receipt');

/** /balance/deposits/$depositId/receipt: a printable receipt. */
export function DepositReceiptPage() {
  const { depositId: id } = route.useParams();
  const t = useTexts(print);
  const tKhata = useTexts(khata);
  const query = useQuery(depositQuery(id));
  const paper = query.data?.paper;
  return (
    <PrintPage
      key={id}
      page={`${t('receipt')} ${paper?.number ?? ''}`}
      title={t('receipt')}
      back={
        <Link to="/balance/deposits/$depositId" params={{ depositId: id }}>
          {t('toDeposit')}
        </Link>
      }
      paper={paper}
    >
      <QueryPart query={query} failure={t('failed')} skeleton={<PaperSkeleton />}>
        {({ deposit }) =>
          paper && deposit.handledAt ? (
            <>
              <Stat label={t('credited')} value={usd(centsFromWire(deposit.amount))} className="mb-4" />
              <Facts
                rows={[
                  [t('number'), paper.number],
                  [t('user'), deposit.user.username],
                  [t('method'), tKhata(`method.${deposit.paymentMethod}`)],
                  [t('reference'), deposit.transactionId],
                  [t('reported'), fullMoment(deposit.createdAt)],
                  [
                    t('sent'),
                    t('atRate', { taka: bdt(centsFromWire(deposit.convertedAmount)), rate: bdt(centsFromWire(deposit.rate)) }),
                  ],
                  [t('creditedAt'), fullMoment(deposit.handledAt)],
                ]}
              />
            </>
          ) : (
            <Note>{t('uncredited')}</Note>
          )
        }
      </QueryPart>
    </PrintPage>
  );
}
