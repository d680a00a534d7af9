import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query';
import { ArrowUp, ImagePlus, ShieldAlert, X } from 'lucide-react';
import { type ClipboardEvent, type KeyboardEvent, type RefObject, useLayoutEffect, useRef, useState } from 'react';
import type { Party } from '@/api/contract';
import { Note } from '@/components/note';
import { Button } from '@/components/ui/button';
import { Spinner } from '@/components/ui/spinner';
import { Textarea } from '@/components/ui/textarea';
import { chatDraft, EMPTY_DRAFT, setChatDraft, useChatDraft } from '@/entities/chat/drafts';
import { giveUpMessage, retryMessage, sendMessage } from '@/entities/chat/send';
import { translate, useTexts } from '@/i18n';
import { chat, chatSafety } from '@/i18n/en/chat';
import { cn } from '@/lib/cn';
import { isEnter } from '@/lib/enter';
import { downscale, isPicture, PICTURE_SIZE } from '@/lib/pictures';
import { sendFrame } from '@/lib/realtime/live';
import { lengthOf } from '@/lib/rules';
import { notify } from '@/lib/toast';
import { COLUMN } from './bubble';
import { dealsBetweenQuery, useWarningWords } from './queries';
import { type Risk, riskOf } from './risk';

/** In characters, as the server counts them. */
const MAX_LENGTH = 4_000;
/** The shortest interval between typing frames. */
const TYPING_EVERY = 2_000;

type Options = { me: string; conversationId: string; riskIn: (text: string) => Risk | null; onSend: () => void };

/**
 * The input of a conversation, kept as a draft until it is sent, and restored after a failure. A
 * risky text is sent when it is submitted again.
 */
function useComposer({ me, conversationId, riskIn, onSend }: Options) {
  const queryClient = useQueryClient();
  const draft = useChatDraft(me, conversationId);
  const [preparing, setPreparing] = useState(false);
  const [warned, setWarned] = useState('');
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
    if (text !== warned && riskIn(text)) {
      setWarned(text);
      return;
    }
    sendDraft(queryClient, { me, conversationId, text, image, from });
    setChatDraft(me, conversationId, EMPTY_DRAFT);
    onSend();
  };

  return {
    draft,
    preparing,
    risk: draft.text.trim() === warned ? riskIn(warned) : null,
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

const COUNTER_FROM = MAX_LENGTH - 300;

/** Older browsers cannot size a field by its text. */
const SIZES_ITSELF = 'fieldSizing' in document.documentElement.style;

/** Reports the risks of a text while the two have no deal (docs/rules.md#chat-warnings). */
function useRisk(me: string, other: string): (text: string) => Risk | null {
  const words = useWarningWords();
  const { data: deals } = useQuery(dealsBetweenQuery(me, other));
  return (text) => (deals?.total === 0 ? riskOf(text, words) : null);
}

type Props = {
  conversationId: string;
  me: string;
  other: Party;
  fieldRef: RefObject<HTMLTextAreaElement | null>;
  onSend: () => void;
};

const PREVIEW = cn(COLUMN, 'flex min-h-24 items-center gap-2 pt-3');

function Preview({ image, preparing, onRemove }: { image: string; preparing: boolean; onRemove: () => void }) {
  const t = useTexts(chat);
  if (preparing)
    return (
      <div className={PREVIEW}>
        <Spinner label={t('preparing')} />
      </div>
    );
  if (image === '') return null;
  return (
    <div className={PREVIEW}>
      <img src={image} alt={t('preview')} className="h-24 max-w-60 border object-cover" />
      <Button variant="ghost" size="icon" aria-label={t('removeImage')} onClick={onRemove}>
        <X aria-hidden="true" />
      </Button>
    </div>
  );
}

function Counter({ text }: { text: string }) {
  const t = useTexts(chat);
  const left = MAX_LENGTH - lengthOf(text.trim());
  return (
    <p
      role="status"
      aria-live="polite"
      className={
        left > MAX_LENGTH - COUNTER_FROM
          ? 'sr-only'
          : cn(
              COLUMN,
              'pt-1.5 text-end text-caption tabular-nums',
              left < 0 ? 'font-semibold text-destructive' : 'text-muted-foreground',
            )
      }
    >
      {left > MAX_LENGTH - COUNTER_FROM ? null : left < 0 ? t('over', { count: -left }) : t('left', { count: left })}
    </p>
  );
}

/** Enter sends, Shift+Enter starts a line; pictures are chosen or pasted. */
export function Composer({ conversationId, me, other, fieldRef, onSend }: Props) {
  const t = useTexts(chat);
  const tSafety = useTexts(chatSafety);
  const riskIn = useRisk(me, other._id);
  const composer = useComposer({ me, conversationId, riskIn, onSend });
  const { text, image } = composer.draft;
  const file = useRef<HTMLInputElement>(null);
  // As high as its text, up to its max-height.
  useLayoutEffect(() => {
    const { current } = fieldRef;
    if (!current || SIZES_ITSELF) return;
    current.style.height = 'auto';
    current.style.height = text === '' ? '' : `${current.scrollHeight + 2}px`;
  }, [fieldRef, text]);
  return (
    <form
      data-bottom-bar=""
      className="border-t border-border-strong bg-background"
      onSubmit={(event) => {
        event.preventDefault();
        composer.submit();
      }}
    >
      {composer.risk ? (
        <Note kind="wait" icon={<ShieldAlert aria-hidden="true" />} alert>
          {tSafety(`risk.${composer.risk}`)} {tSafety('advice')}{' '}
          <Button type="submit" variant="link" className="-my-2.5">
            {tSafety('sendAnyway')}
          </Button>
        </Note>
      ) : null}
      <Preview image={image} preparing={composer.preparing} onRemove={composer.removeImage} />
      <Counter text={text} />
      <div className={cn(COLUMN, 'flex items-end gap-2 pt-2.5 pb-3')}>
        <input
          ref={file}
          type="file"
          accept="image/*"
          hidden
          onChange={(event) => {
            composer.pick(event.target.files?.[0]);
            event.target.value = '';
            fieldRef.current?.focus();
          }}
        />
        <Button variant="ghost" size="icon" aria-label={t('addImage')} onClick={() => file.current?.click()}>
          <ImagePlus aria-hidden="true" />
        </Button>
        <Textarea
          ref={fieldRef}
          rows={1}
          className="field-sizing-content max-h-42 min-h-11 resize-none py-2.25 placeholder:truncate"
          aria-label={t('compose')}
          placeholder={t('writeTo', { name: other.username })}
          value={text}
          onChange={(event) => composer.change(event.target.value)}
          onKeyDown={composer.onKeyDown}
          onPaste={composer.onPaste}
        />
        <Button type="submit" size="icon" aria-label={t('send')}>
          <ArrowUp aria-hidden="true" />
        </Button>
      </div>
    </form>
  );
}
