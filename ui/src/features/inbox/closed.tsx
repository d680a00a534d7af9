import type { Conversation, Party } from '@/api/contract';
import { Note } from '@/components/note';
import { PendingButton } from '@/components/pending-button';
import { useBlock } from '@/entities/moderation/blocks';
import { useTexts } from '@/i18n';
import { chat } from '@/i18n/en/chat';
import { common } from '@/i18n/en/common';
import { moderation } from '@/i18n/en/moderation';

function BlockedByMe({ other }: { other: Party }) {
  const m = useTexts(moderation);
  const c = useTexts(common);
  const { unblock } = useBlock(other);
  return (
    <Note title={m('thread.mine', { name: other.username })} className="mt-auto wrap-anywhere">
      <p>{m('thread.mineText')}</p>
      <PendingButton
        variant="outline"
        className="mt-2"
        pending={unblock.isPending}
        pendingText={c('sending')}
        aria-label={m('unblock', { name: other.username })}
        onClick={() => unblock.mutate()}
      >
        {m('unblock.short')}
      </PendingButton>
    </Note>
  );
}

/** In the place of the composer: why there is none. */
export function Closed({ block, other }: { block: Conversation['block']; other: Party }) {
  const t = useTexts(chat);
  const m = useTexts(moderation);
  if (block === 'mine') return <BlockedByMe other={other} />;
  if (block === 'theirs') {
    return (
      <Note title={m('thread.theirs')} className="mt-auto">
        {m('thread.theirsText')}
      </Note>
    );
  }
  return (
    <Note title={t('closed.title', { name: other.username })} className="mt-auto">
      {t(other.closed ? 'gone.text' : 'closed.text')}
    </Note>
  );
}
