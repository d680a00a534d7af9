import { type Mutation, type MutationOptions, useMutationState } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';
import type { DirectMessage, MessageSent } from '@/api/contract';
import { translate } from '@/i18n';
import { chat } from '@/i18n/en/chat';
import { api, idempotent, send } from '@/lib/api';
import { isApiError, isTransient } from '@/lib/errors';
import { newKey } from '@/lib/idempotency';
import { queryClient } from '@/lib/query-client';
import { serverNow } from '@/lib/time';
import { chatDraft, EMPTY_DRAFT, lendChatDraft, setChatDraft } from './drafts';
import { chatKeys } from './keys';
import { reader } from './queries';
import { isLookedAt } from './read';
import { dropUnsent, keepUnsent, type Outgoing, unsentOf } from './unsent';
import { writeChange } from './write';

/** `failed`: the server refused it, or could not be reached; it waits for Retry. */
export type PendingMessage = Outgoing & { failed: boolean };

type Content = Pick<Outgoing, 'text' | 'image'>;
type Sending = Mutation<MessageSent, Error, Outgoing>;

const MAX_RETRIES = 2;

/** How a message stands that an earlier load of the page did not get sent. */
const FAILED = {
  ...{ context: undefined, data: undefined, error: new Error('the page was loaded anew'), status: 'error' as const },
  ...{ failureCount: 1, failureReason: null, isPaused: false },
};

/** Messages that were handed to the network and of which no answer has come yet, by conversation. */
const underway = new Map<string, Outgoing[]>();
/** Messages of ours that are known by the answer to their sending. */
const answered = new Set<string>();
/** Keys of messages whose event came before the answer to their sending. */
let echoed: ReadonlySet<string> = new Set();
const listeners = new Set<() => void>();

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** From now on its event, or the loaded conversation, may tell that it has arrived. */
function setOut(outgoing: Outgoing): void {
  const { conversationId, key } = outgoing;
  const begun = underway.get(conversationId) ?? [];
  if (!begun.some((one) => one.key === key)) underway.set(conversationId, [...begun, outgoing]);
}

/** Nothing more is to be heard of it. */
function arrive({ conversationId, key }: Outgoing): void {
  underway.set(conversationId, underway.get(conversationId)?.filter((one) => one.key !== key) ?? []);
}

async function post(outgoing: Outgoing): Promise<MessageSent> {
  const { conversationId, text, image, key, senderId } = outgoing;
  // It waited for the connection, and somebody else has logged in meanwhile.
  if (reader(queryClient) !== senderId) throw new Error('the sender has left');
  setOut(outgoing);
  return send(api.POST('/messages', { body: { conversationId, text, image }, headers: idempotent(key) }));
}

/** What was typed comes back after a failure (docs/rules.md#chat-screens). It does not push away what was typed since. */
function giveBack({ senderId, conversationId, text, image, key }: Outgoing): void {
  const draft = chatDraft(senderId, conversationId);
  if (draft.text === '' && draft.image === '') lendChatDraft(senderId, conversationId, { text, image, from: key });
}

/** Takes out of the composer what a message gave back to it. What was changed since is its writer's own. */
function takeAway({ senderId, conversationId, text, image, key }: Outgoing): void {
  const draft = chatDraft(senderId, conversationId);
  if (draft.from !== key) return;
  const changed = draft.text !== text || draft.image !== image;
  setChatDraft(senderId, conversationId, changed ? { ...draft, from: null } : EMPTY_DRAFT);
}

function options(conversationId: string): MutationOptions<MessageSent, Error, Outgoing> {
  return {
    mutationKey: chatKeys.send(conversationId),
    // One after the other, in the order they were written; those written offline wait until the connection is back.
    scope: { id: `chat:${conversationId}` },
    networkMode: 'online',
    // Unlike other writes, by itself: under its key the server takes it once.
    retry: (failures, error) => failures < MAX_RETRIES && isTransient(error),
    retryDelay: (attempt) => 1_000 * (attempt + 1),
    gcTime: Number.POSITIVE_INFINITY,
    mutationFn: post,
    onSuccess: (sent, outgoing) => {
      arrive(outgoing);
      dropUnsent(outgoing);
      answered.add(sent.message._id);
      writeChange(queryClient, conversationId, { written: sent }, outgoing.senderId);
    },
    onError: (error, outgoing) => {
      if (!isTransient(error)) arrive(outgoing);
      if (echoed.has(outgoing.key)) return;
      giveBack(outgoing);
      // The other's account was disabled, perhaps: then there is no composer any more.
      if (isApiError(error, 'conflict')) void queryClient.invalidateQueries({ queryKey: chatKeys.one(conversationId) });
    },
    meta: { fallback: () => translate(chat, isLookedAt(conversationId) ? 'failed.send' : 'failed.sendElsewhere') },
  };
}

function start(outgoing: Outgoing): void {
  keepUnsent(outgoing);
  const cache = queryClient.getMutationCache();
  const mutation = cache.build(queryClient, options(outgoing.conversationId));
  mutation.execute(outgoing).then(
    () => cache.remove(mutation),
    () => {
      if (echoed.has(outgoing.key)) cache.remove(mutation);
    },
  );
}

/** Sends a message. It shows in its conversation at once, as one that is on its way. */
export function sendMessage(senderId: string, conversationId: string, content: Content): void {
  start({ key: newKey(), conversationId, senderId, at: serverNow(), ...content });
}

const keyOf = ({ state }: { state: { variables: unknown } }): string => (state.variables as Outgoing).key;

function failedOne(conversationId: string, key: string): Sending | undefined {
  const filters = { mutationKey: chatKeys.send(conversationId), status: 'error' as const };
  return queryClient
    .getMutationCache()
    .findAll(filters)
    .map((mutation) => mutation as unknown as Sending)
    .find(({ state }) => state.variables?.key === key);
}

/**
 * Sends a failed message once more, as the same one: if it had arrived after all, it is not written twice. With `only` it does so only when that
 * is still what the message says. Returns whether it was sent.
 */
export function retryMessage(conversationId: string, key: string, only?: Content): boolean {
  const outgoing = failedOne(conversationId, key)?.state.variables;
  if (!outgoing || (only && (only.text !== outgoing.text || only.image !== outgoing.image))) return false;
  dropMessage(conversationId, key);
  takeAway(outgoing);
  start(outgoing);
  return true;
}

function dropMessage(conversationId: string, key: string): void {
  const mutation = failedOne(conversationId, key);
  if (!mutation) return;
  queryClient.getMutationCache().remove(mutation);
  if (mutation.state.variables) dropUnsent(mutation.state.variables);
}

/** Its writer gives a failed message up, or sends another in its place: it goes, and what it gave back to the composer with it. */
export function giveUpMessage(conversationId: string, key: string): void {
  const outgoing = failedOne(conversationId, key)?.state.variables;
  if (!outgoing) return;
  dropMessage(conversationId, key);
  arrive(outgoing);
  takeAway(outgoing);
}

/** Before a conversation is shown: what an earlier load of this page did not get sent stands in it again, to be retried or given up. */
export function bringBackUnsent(senderId: string, conversationId: string): void {
  const cache = queryClient.getMutationCache();
  const there = new Set(cache.findAll({ mutationKey: chatKeys.send(conversationId) }).map(keyOf));
  for (const outgoing of unsentOf(senderId, conversationId)) {
    if (there.has(outgoing.key)) continue;
    cache.build(queryClient, options(conversationId), { ...FAILED, variables: outgoing, submittedAt: outgoing.at });
    // The answer may have been lost with the page: the message itself tells.
    setOut(outgoing);
  }
}

/** An event brings a message of one's own: if it is one that is on its way from here, it has arrived. */
export function claimEcho({ _id, conversationId, text, image }: DirectMessage): void {
  if (answered.has(_id)) return;
  const first = underway.get(conversationId)?.find((one) => one.text === text && (one.image !== '') === (image !== ''));
  if (!first) return;
  answered.add(_id);
  arrive(first);
  echoed = new Set(echoed).add(first.key);
  dropMessage(conversationId, first.key);
  dropUnsent(first);
  takeAway(first);
  for (const listener of listeners) listener();
}

/** What has been loaded of a conversation holds messages of one's own that seemed to be on their way or not sent: they have arrived. */
export function claimLoaded(conversationId: string, messages: readonly DirectMessage[]): void {
  for (const { senderId, text, at } of underway.get(conversationId) ?? []) {
    const arrived = messages.find(
      (one) => one.senderId === senderId && one.text === text && Date.parse(one.createdAt) >= at && !answered.has(one._id),
    );
    if (arrived) claimEcho(arrived);
  }
}

/** The messages of a conversation that are on their way or have failed, in the order they were written. */
export function usePendingMessages(senderId: string, conversationId: string): PendingMessage[] {
  const arrived = useSyncExternalStore(subscribe, () => echoed);
  const pending = useMutationState({
    filters: {
      mutationKey: chatKeys.send(conversationId),
      predicate: ({ state }) => state.status === 'pending' || state.status === 'error',
    },
    select: ({ state }) => ({ ...(state.variables as Outgoing), failed: state.status === 'error' }),
  });
  return pending.filter((one) => one.senderId === senderId && !arrived.has(one.key));
}
