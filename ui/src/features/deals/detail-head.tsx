import { Link } from '@tanstack/react-router';
import { ChevronRight } from 'lucide-react';
import { StatusBadge } from '@/components/khata/status-badge';
import { Avatar } from '@/components/ui/avatar';
import { CopyButton } from '@/components/ui/copy-button';
import { useTexts } from '@/i18n';
import { deals } from '@/i18n/en/deals';
import { type DealView, shortId, titleOf } from './deal';
import { DealFlags } from './flags';
import { useRelation } from './relation';
import { useSentence } from './say';

/** Where one is, what the deal is called, how it stands, with whom, and the one sentence. */
export function DealHead({ view }: { view: DealView }) {
  const t = useTexts(deals);
  const { deal, other } = view;
  const sentence = useSentence(view);
  const relation = useRelation()(deal);
  return (
    <>
      <div className="crumbs">
        <Link to="/deal">{t('crumb')}</Link>
        <ChevronRight className="i16" aria-hidden="true" />
        <CopyButton value={deal._id} label={t('copyId')} done={t('idCopied')} className="copyid">
          {t('id', { id: shortId(deal._id) })}
        </CopyButton>
      </div>
      <div className="dealhead">
        <h1 className="d40">{titleOf(deal.description) || t('untitled')}</h1>
        {/* First after the title for whoever listens; for the eye it stands over the hold. */}
        <p className="dealsay" role="status" aria-live="polite">
          <b className="b">{sentence.lead}</b> {sentence.rest}
        </p>
        <div className="dealhead__meta">
          <StatusBadge status={deal.status} />
          <DealFlags deal={deal} />
          <div className="person">
            <Avatar name={other.username} picture={other.profilePic} size="s" />
            <span>
              <b className="b">{other.username}</b> <span className="m">{relation}</span>
            </span>
          </div>
        </div>
      </div>
    </>
  );
}
