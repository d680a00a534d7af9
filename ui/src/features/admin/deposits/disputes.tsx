import type { Dispute } from '@/api/contract';
import { Note } from '@/components/note';
import { useTexts } from '@/i18n';
import { admin } from '@/i18n/en/admin';
import { khata } from '@/i18n/en/khata';
import { centsFromWire, usd } from '@/lib/money';
import { formatTime } from '@/lib/time';
import { PersonLink } from '../review/person-link';

function Claim({ claim }: { claim: Dispute }) {
  const t = useTexts(admin);
  const tKhata = useTexts(khata);
  return (
    <>
      {t('disputes.what', {
        sum: usd(centsFromWire(claim.amount)),
        method: tKhata(`method.${claim.paymentMethod}`),
        when: formatTime(claim.createdAt, 'moment'),
      })}
      {claim.status === 'completed' ? <b className="font-semibold">, {t('disputes.credited.mark')}</b> : null}
      <span className="block text-sm text-muted-foreground">
        {t('disputes.since', { day: formatTime(claim.userSince, 'day') })},{' '}
        {t(claim.isVerified ? 'disputes.verified' : 'disputes.unverified')}
      </span>
    </>
  );
}

export const creditedToOther = (disputes: readonly Dispute[]): boolean => disputes.some(({ status }) => status === 'completed');

export function Disputes({ disputes }: { disputes: readonly Dispute[] }) {
  const t = useTexts(admin);
  if (disputes.length === 0) return null;
  return (
    <Note kind="bad" title={t('disputes.title')}>
      <p>{t(creditedToOther(disputes) ? 'disputes.credited' : 'disputes.text')}</p>
      <ul className="mt-2.5 grid gap-2.5 wrap-anywhere">
        {disputes.map((claim) => (
          <li key={claim._id}>
            <PersonLink person={claim.user} />
            <p>
              <Claim claim={claim} />
            </p>
          </li>
        ))}
      </ul>
    </Note>
  );
}
