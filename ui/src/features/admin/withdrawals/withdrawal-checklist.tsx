import { CircleCheck, TriangleAlert } from 'lucide-react';
import type { AdminWithdrawal } from '@/api/contract';
import { useTexts } from '@/i18n';
import { admin } from '@/i18n/en/admin';
import { formatTime } from '@/lib/time';

const DAY = 24 * 3_600_000;

/** Reports whether the password was reset by mail in the day before. */
function wasReset({ heldReasons, passwordResetAt, requestedAt }: AdminWithdrawal): boolean {
  if (heldReasons.includes('password_reset')) return true;
  if (passwordResetAt === null) return false;
  const since = Date.parse(requestedAt) - Date.parse(passwordResetAt);
  return since >= 0 && since < DAY;
}

/** Rare changes of the account, shown only if they happened. */
const SINCE = ['factor_reset', 'factor_added', 'email_changed'] as const;

/** Signs of an account takeover. */
export function WithdrawalChecklist({ row }: { row: AdminWithdrawal }) {
  const t = useTexts(admin);
  const name = row.user.username;
  const reset = wasReset(row);
  const newBrowser = row.heldReasons.includes('new_browser');
  const at = (moment: string) => formatTime(moment, 'moment');
  const facts: { key: string; good: boolean; text: string }[] = [
    {
      key: 'number',
      good: row.sentToNumber > 0,
      text: row.sentToNumber > 0 ? t('fact.known_number', { count: row.sentToNumber }) : t('fact.new_number', { name }),
    },
    { key: 'reset', good: !reset, text: t(reset ? 'fact.password_reset' : 'fact.no_reset') },
    ...SINCE.filter((reason) => row.heldReasons.includes(reason)).map((reason) => ({
      ...{ key: reason, good: false },
      text: t(`fact.${reason}`),
    })),
    // Without any reason nothing may have been recorded, so a missing one proves no known browser.
    ...(row.heldReasons.length === 0
      ? []
      : [{ key: 'browser', good: !newBrowser, text: newBrowser ? t('fact.new_browser') : t('fact.known_browser', { name }) }]),
    { key: 'verified', good: row.isVerified, text: t(row.isVerified ? 'fact.verified' : 'fact.unverified') },
    { key: 'since', good: true, text: t('fact.since', { when: formatTime(row.userSince, 'day') }) },
  ];
  if (row.disownedAt !== null) {
    facts.push({ key: 'disowned', good: false, text: t('fact.disowned', { name, when: at(row.disownedAt) }) });
  }
  if (row.confirmedAt !== null) {
    facts.push({ key: 'hold', good: true, text: t('fact.confirmed', { name, when: at(row.confirmedAt) }) });
  } else if (row.onHold && row.heldUntil !== null) {
    facts.push({ key: 'hold', good: false, text: t('fact.held', { when: at(row.heldUntil) }) });
  }
  if (row.cancelledAt !== null) {
    facts.push({ key: 'cancelled', good: false, text: t('fact.cancelled', { name, when: at(row.cancelledAt) }) });
  }
  return (
    <section>
      <h3 className="font-semibold">{t('before')}</h3>
      <ul className="mt-2 grid gap-1.5">
        {facts.map(({ key, good, text }) => (
          <li key={key} data-good={good} className="grid grid-cols-[20px_minmax(0,1fr)] items-start gap-2">
            {good ? (
              <CircleCheck className="mt-0.75 size-4.5 text-muted-foreground" aria-hidden="true" />
            ) : (
              <TriangleAlert className="mt-0.75 size-4.5 text-destructive" aria-hidden="true" />
            )}
            <span>{text}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}
