import type { RefObject } from 'react';
import type { Conversation, Party } from '@/api/contract';
import { Note } from '@/components/note';
import { PendingButton } from '@/components/pending-button';
import { useBlock } from '@/entities/moderation/blocks';
import { useFocusNext } from '@/hooks/use-focus-next';
import { useTexts } from '@/i18n';
import { chat } from '@/i18n/en/chat';
import { common } from '@/i18n/en/common';
import { moderation } from '@/i18n/en/moderation';

type Composer = RefObject<HTMLTextAreaElement | null>;

function BlockedByMe({ other, composer }: { other: Party; composer: Composer }) {
  const m = useTexts(moderation);
  const c = useTexts(common);
  const { unblock } = useBlock(other);
  const button = useFocusNext(composer);
  return (
    <Note title={m('thread.mine', { name: other.username })} className="mt-auto wrap-anywhere">
      <p>{m('thread.mineText')}</p>
      <PendingButton
        ref={button}
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

type Props = { block: Conversation['block']; other: Party; composer: Composer };

/** Replaces the composer with the reason for its absence. */
export function Closed({ block, other, composer }: Props) {
  const t = useTexts(chat);
  const m = useTexts(moderation);
  if (block === 'mine') return <BlockedByMe other={other} composer={composer} />;
  if (block === 'theirs') {
    return (
      <Note title={m('thread.theirs')} className="mt-auto">
        {m('thread.theirsText')}
      </Note>
    );
  }
  return (
    <Note title={t('closed.title', { name: other.username })} className="mt-auto wrap-anywhere">
      {t(other.closed ? 'gone.text' : 'closed.text')}
    </Note>
  );
}
