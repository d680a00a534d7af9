import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { type ClipboardEvent, type KeyboardEvent, useRef, useState } from 'react';
import { chatDraft, EMPTY_DRAFT, setChatDraft, useChatDraft } from '@/entities/chat/drafts';
import { giveUpMessage, retryMessage, sendMessage } from '@/entities/chat/send';
import { translate } from '@/i18n';
import { chat } from '@/i18n/en/chat';
import { isEnter } from '@/lib/enter';
import { downscale, isPicture, PICTURE_SIZE } from '@/lib/pictures';
import { sendFrame } from '@/lib/realtime/live';
import { lengthOf } from '@/lib/rules';
import { notify } from '@/lib/toast';

/** In characters, as the server counts them. */
export const MAX_LENGTH = 4_000;
/** The shortest interval between typing frames. */
const TYPING_EVERY = 2_000;

type Options = { me: string; conversationId: string; onSend: () => void };

/** The input of a conversation, kept as a draft until it is sent, and restored after a failure. */
export function useComposer({ me, conversationId, onSend }: Options) {
  const queryClient = useQueryClient();
  const draft = useChatDraft(me, conversationId);
  const [preparing, setPreparing] = useState(false);
  const told = useRef(0);

  const change = (text: string) => {
    setChatDraft(me, conversationId, { ...draft, text });
    if (text.trim() === '' || Date.now() - told.current < TYPING_EVERY) return;
    if (sendFrame('typing', { conversationId })) told.current = Date.now();
  };

  const setImage = (image: string) => setChatDraft(me, conversationId, { ...chatDraft(me, conversationId), image });

  const pick = async (file: File | undefined) => {
    if (!file) return;
    if (!isPicture(file)) {
      notify.error(translate(chat, 'wrong.notImage'));
      return;
    }
    setPreparing(true);
    try {
      setImage(await downscale(file, { max: PICTURE_SIZE }));
    } catch {
      notify.error(translate(chat, 'wrong.unreadable'));
    } finally {
      setPreparing(false);
    }
  };

  const submit = () => {
    const text = draft.text.trim();
    const { image, from } = draft;
    if (preparing) return;
    if (text === '' && image === '') {
      notify.error(translate(chat, 'wrong.empty'));
      return;
    }
    if (lengthOf(text) > MAX_LENGTH) {
      notify.error(translate(chat, 'wrong.long'));
      return;
    }
    sendDraft(queryClient, { me, conversationId, text, image, from });
    setChatDraft(me, conversationId, EMPTY_DRAFT);
    onSend();
  };

  return {
    draft,
    preparing,
    change,
    pick: (file: File | undefined) => void pick(file),
    removeImage: () => setImage(''),
    submit,
    onKeyDown: (event: KeyboardEvent) => {
      if (!isEnter(event) || event.shiftKey) return;
      event.preventDefault();
      submit();
    },
    onPaste: (event: ClipboardEvent) => {
      const file = [...event.clipboardData.files].find(isPicture);
      if (!file) return;
      event.preventDefault();
      void pick(file);
    },
  };
}

type Draft = { me: string; conversationId: string; text: string; image: string; from: string | null };

/** An unedited failed message is retried under its key; an edited one is replaced. */
function sendDraft(client: QueryClient, { me, conversationId, text, image, from }: Draft): void {
  if (from !== null) {
    if (retryMessage(client, from, { text, image })) return;
    giveUpMessage(from);
  }
  sendMessage(client, me, conversationId, { text, image });
}
