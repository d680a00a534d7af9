import { Link } from '@tanstack/react-router';
import type { AdminCase, AdminCaseDetail, ReportedContent } from '@/api/contract';
import { Note } from '@/components/note';
import { PictureDialog } from '@/components/picture-dialog';
import { Rating } from '@/components/rating';
import { Facts, Section } from '@/components/section';
import { Badge } from '@/components/ui/badge';
import { buttonVariants } from '@/components/ui/button';
import { Dialog, DialogTrigger } from '@/components/ui/dialog';
import { DealPictures } from '@/entities/deal/deal-pictures';
import { isCategory } from '@/entities/post/categories';
import { useFactTexts } from '@/entities/post/facts';
import { useCategoryNames } from '@/entities/post/subcategories';
import { useTexts } from '@/i18n';
import { adminReports } from '@/i18n/en/admin';
import { report } from '@/i18n/en/report';
import { centsFromWire, usd } from '@/lib/money';
import { formatTime } from '@/lib/time';
import { Messages } from '../chat/messages';
import { PersonLink } from '../review/review-parts';
import { CaseBadge } from './case-badge';

function Shown({ of: content, alt, accused }: { of: ReportedContent; alt: string; accused: string }) {
  const { title, text, image, pictures, price, category, rating, facts, username } = content;
  const t = useTexts(adminReports);
  const names = useCategoryNames();
  const stated = useFactTexts().rows(facts);
  return (
    <div className="grid gap-2 wrap-anywhere">
      {title === '' ? null : <b className="font-semibold">{title}</b>}
      {title === '' && text === '' && rating === null && username !== '' ? <b className="font-semibold">{username}</b> : null}
      {rating === null ? null : <Rating value={rating} />}
      {text === '' ? (
        title === '' && image === '' && pictures.length === 0 && username === '' ? (
          <p className="text-muted-foreground">{t('noWords')}</p>
        ) : null
      ) : (
        <p className="overflow-clip whitespace-pre-line">{text}</p>
      )}
      {image === '' ? null : (
        <Dialog>
          <DialogTrigger className="h-auto cursor-zoom-in justify-self-start">
            <img className="max-h-60 max-w-full border" src={`${image}?w=640`} alt={alt} loading="lazy" />
          </DialogTrigger>
          <PictureDialog title={alt} src={image} alt={alt} />
        </Dialog>
      )}
      {pictures.length > 0 ? <DealPictures pictures={pictures.map((url) => ({ url }))} from={accused} /> : null}
      {price === null ? null : (
        <Facts
          rows={[
            [t('price'), usd(centsFromWire(price))],
            [t('category'), isCategory(category) ? names.category(category) : category],
            ...stated,
          ]}
        />
      )}
    </div>
  );
}

function Way({ row }: { row: AdminCase }) {
  const t = useTexts(adminReports);
  const className = buttonVariants({ variant: 'link' });
  if (row.subject === 'post') {
    return (
      <Link to="/posts/$postId" params={{ postId: row.subjectId }} className={className}>
        {t('toPost')}
      </Link>
    );
  }
  return (
    <Link to="/profile/$username" params={{ username: row.accused.username }} className={className}>
      {t('toProfile')}
    </Link>
  );
}

/** The content when reported and now; both are erased for a closed account. */
export function Evidence({ detail }: { detail: AdminCaseDetail }) {
  const t = useTexts(adminReports);
  const { snapshot, current, accused, subject } = detail;
  const same = current !== null && JSON.stringify(current) === JSON.stringify(snapshot);
  const alt = t(`title.${subject}`, { name: accused.username });
  if (accused.closed) return <Note>{t('accountClosed')}</Note>;
  return (
    <>
      <Section title={t('seen')} size="small">
        <Shown of={snapshot} alt={alt} accused={accused.username} />
      </Section>
      <Section title={t('now')} size="small">
        {same ? <p className="text-muted-foreground">{t('same')}</p> : null}
        {current === null ? <Note>{t('gone')}</Note> : null}
        {current !== null && !same ? <Shown of={current} alt={alt} accused={accused.username} /> : null}
        {current === null ? null : <Way row={detail} />}
      </Section>
    </>
  );
}

/** The messages around the reported one. Looking at them is recorded in the audit log. */
export function Around({ detail }: { detail: AdminCaseDetail }) {
  const t = useTexts(adminReports);
  const { context, accused, subjectId } = detail;
  if (context.length === 0) return null;
  const other = context.find(({ senderId }) => senderId !== accused._id)?.senderId ?? '';
  const staff = accused.isStaff ? [accused._id] : [];
  return (
    <Section title={t('context')} size="small">
      <p className="text-sm text-muted-foreground">{t('contextText')}</p>
      <Messages messages={context} right={other} staff={staff} marked={subjectId} />
    </Section>
  );
}

export function Reports({ detail }: { detail: AdminCaseDetail }) {
  const t = useTexts(adminReports);
  const tReport = useTexts(report);
  return (
    <Section title={t('list')} size="small">
      <ul className="-mt-2">
        {detail.reportList.map(({ _id, reporter, reason, text, createdAt }) => (
          <li key={_id} className="border-b py-2.5 wrap-anywhere last:border-b-0">
            <b className="font-semibold">{tReport(`reason.${reason}`)}</b>
            {text === '' ? null : <p className="overflow-clip whitespace-pre-line">{text}</p>}
            <p className="text-sm text-muted-foreground">
              <PersonLink person={reporter} /> · {formatTime(createdAt, 'moment')}
            </p>
          </li>
        ))}
      </ul>
    </Section>
  );
}

export function History({ detail }: { detail: AdminCaseDetail }) {
  const t = useTexts(adminReports);
  const { history, accused } = detail;
  return (
    <Section title={t('history')} size="small">
      {history.length === 0 ? (
        <p className="text-muted-foreground">{t('history.none', { name: accused.username })}</p>
      ) : (
        <ul className="-mt-2">
          {history.map(({ _id, action, reason, decidedAt, overturned }) => (
            <li key={_id} className="grid gap-1 border-b py-2.5 wrap-anywhere last:border-b-0">
              <p className="flex flex-wrap gap-2">
                <CaseBadge action={action} />
                {overturned ? <Badge variant="outline">{t('done.overturned')}</Badge> : null}
              </p>
              <p>{reason}</p>
              <p className="text-sm text-muted-foreground">{formatTime(decidedAt, 'moment')}</p>
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}
