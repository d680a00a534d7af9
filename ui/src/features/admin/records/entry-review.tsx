import { Link } from '@tanstack/react-router';
import { Facts, Section } from '@/components/section';
import { buttonVariants } from '@/components/ui/button';
import { UserName } from '@/entities/user/user-name';
import { useTexts } from '@/i18n';
import { adminRecords } from '@/i18n/en/admin-records';
import { formatTime } from '@/lib/time';
import { Drawer } from '../review/drawer';
import { NextButton } from '../review/next-button';
import { EntryDetails } from './entry-details';
import { actionText, subjectParts, subjectText } from './entry-text';
import type { Entry } from './queries';

function SubjectLink({ subject }: { subject: string }) {
  const t = useTexts(adminRecords);
  const { kind, ids } = subjectParts(subject);
  const [one, other] = ids;
  if (kind === 'deal' && one) {
    return (
      <Link className={buttonVariants({ variant: 'link' })} to="/admin/deals" search={{ dealId: one, review: one }}>
        {t('open.deal')}
      </Link>
    );
  }
  if (kind === 'user' && one) {
    return (
      <Link className={buttonVariants({ variant: 'link' })} to="/admin/users" search={{ review: one }}>
        {t('open.user')}
      </Link>
    );
  }
  if (kind === 'chat' && one && other) {
    return (
      <Link className={buttonVariants({ variant: 'link' })} to="/admin/chat" search={{ one, other }}>
        {t('open.chat')}
      </Link>
    );
  }
  return null;
}

type Props = { entry: Entry; onNext: (() => void) | null; onClose: () => void };

export default function EntryReview({ entry, onNext, onClose }: Props) {
  const t = useTexts(adminRecords);
  const { _id: id, action, actor, at, details, subject } = entry;
  return (
    <Drawer
      row={id}
      eyebrow={t('entry', { number: id })}
      title={actionText(t, action)}
      foot={onNext ? <NextButton onNext={onNext} plain /> : null}
      onClose={onClose}
    >
      <Facts
        rows={[
          [t('who'), actor ? <UserName key="who" user={actor} /> : t('operator')],
          [t('when'), formatTime(at, 'moment')],
          [t('subject'), subjectText(t, subject)],
        ]}
      />
      <p className="flex min-w-0 flex-wrap items-center gap-4 text-sm">
        <SubjectLink subject={subject} />
        <Link className={buttonVariants({ variant: 'link' })} to="/admin/audit" search={{ subject }}>
          {t('sameSubject')}
        </Link>
        {actor ? (
          <Link className={buttonVariants({ variant: 'link' })} to="/admin/audit" search={{ actorId: actor._id }}>
            {t('sameActor')}
          </Link>
        ) : null}
      </p>
      <Section title={t('entryDetails')} size="small">
        <EntryDetails details={details} />
      </Section>
    </Drawer>
  );
}
