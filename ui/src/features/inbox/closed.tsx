import type { RefObject } from 'react';
import type { Conversation, Party } from '@/api/contract';
import { Note } from '@/components/note';
import { PendingButton } from '@/components/pending-button';
import { useBlock } from '@/entities/moderation/blocks';
import { useFocusNext } from '@/hooks/use-focus';
import { useTexts } from '@/i18n';
import { chat } from '@/i18n/en/chat';
import { moderation } from '@/i18n/en/moderation';

type ComposerState = RefObject<HTMLTextAreaElement | null>;

function BlockedByMe({ other, composer }: { other: Party; composer: ComposerState }) {
  const tModeration = useTexts(moderation);
  const { unblock } = useBlock(other);
  const button = useFocusNext(composer);
  return (
    <Note title={tModeration('thread.mine', { name: other.username })} className="mt-auto wrap-anywhere">
      <p>{tModeration('thread.mineText')}</p>
      <PendingButton
        ref={button}
        variant="outline"
        className="mt-2"
        pending={unblock.isPending}
        aria-label={tModeration('unblock', { name: other.username })}
        onClick={() => unblock.mutate()}
      >
        {tModeration('unblock.short')}
      </PendingButton>
    </Note>
  );
}

type Props = { block: Conversation['block']; other: Party; composer: ComposerState };

/** In the place of the composer: why one cannot write. */
export default function Closed({ block, other, composer }: Props) {
  const t = useTexts(chat);
  const tModeration = useTexts(moderation);
  if (block === 'mine') return <BlockedByMe other={other} composer={composer} />;
  if (block === 'theirs') {
    return (
      <Note title={tModeration('thread.theirs')} className="mt-auto">
        {tModeration('thread.theirsText')}
      </Note>
    );
  }
  return (
    <Note title={t('closed.title', { name: other.username })} className="mt-auto wrap-anywhere">
      {t(other.closed ? 'gone.text' : 'closed.text')}
    </Note>
  );
}
