import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { CODE } from '@/components/classes';
import { Facts, Section } from '@/components/section';
import { buttonVariants } from '@/components/ui/button';
import { shortId } from '@/entities/deal/title';
import { UserName } from '@/entities/user/user-name';
import { useTexts } from '@/i18n';
import { adminRecords } from '@/i18n/en/admin';
import { bdt, centsFromWire, count, usd } from '@/lib/money';
import { formatTime } from '@/lib/time';
import { Drawer } from '../review/drawer';
import { NextButton, PersonLink } from '../review/review-parts';
import { userQuery } from '../users/queries';
import { actionText, subjectParts, subjectText } from './entry-text';
import type { Entry } from './queries';

function Somebody({ id }: { id: string }) {
  const { data } = useQuery(userQuery(id));
  return <PersonLink person={data ?? { _id: id, username: shortId(id), isStaff: false }} />;
}

const PEOPLE = ['user', 'buyer', 'seller'] as const;
const AMOUNTS = ['claimed', 'amount', 'price', 'buyerGets', 'sellerGets', 'fee'] as const;
const WORDS = ['reason', 'username', 'transactionId', 'ranBy', 'version'] as const;
const IDS = ['request', 'before', 'dispute'] as const;
type Known = (typeof PEOPLE)[number] | (typeof AMOUNTS)[number] | (typeof WORDS)[number] | (typeof IDS)[number];
type Special = 'users' | 'usdToBdt' | 'messages' | 'at';

const among = <K extends Known>(keys: readonly K[], key: string): K | undefined => keys.find((known) => known === key);

/** Formats a detail; unknown ones are shown as logged. */
function useDetail() {
  const t = useTexts(adminRecords);
  const named = (key: Known | Special, value: ReactNode) => [t(`detail.${key}`), value] as const;
  return (key: string, value: unknown): readonly [ReactNode, ReactNode] => {
    if (typeof value === 'string') {
      const person = among(PEOPLE, key);
      if (person) return named(person, <Somebody id={value} />);
      const word = among(WORDS, key);
      if (word) return named(word, value);
      const id = among(IDS, key);
      if (id) return named(id, <span className={CODE}>{shortId(value)}</span>);
      if (key === 'at') return named('at', formatTime(value, 'moment'));
    }
    if (typeof value === 'number') {
      const sum = among(AMOUNTS, key);
      if (sum) return named(sum, usd(centsFromWire(value)));
      if (key === 'usdToBdt') return named('usdToBdt', bdt(centsFromWire(value)));
      if (key === 'messages') return named('messages', count(value));
    }
    if (key === 'users' && Array.isArray(value)) {
      const ids = value.filter((id) => typeof id === 'string');
      return named(
        'users',
        ids.map((id, index) => (
          <span key={id}>
            {index > 0 ? ', ' : null}
            <Somebody id={id} />
          </span>
        )),
      );
    }
    return [key, <code key={key}>{JSON.stringify(value)}</code>];
  };
}

const isSaid = (value: unknown): boolean => value !== '' && value !== null && value !== '00000000-0000-0000-0000-000000000000';

function EntryDetails({ details }: { details: Record<string, unknown> }) {
  const detail = useDetail();
  const said = Object.entries(details).filter(([, value]) => isSaid(value));
  if (said.length === 0) return null;
  return <Facts rows={said.map(([key, value]) => detail(key, value))} />;
}

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
