import type { Party, TimelineEntry } from '@/api/contract';
import type { Key, Translate } from '@/i18n';
import { book } from '@/i18n/en/deal-page';

type Whose = 'you' | 'other' | 'all';
type Words<W extends Whose> = Extract<Key<typeof book>, `${W}.${string}`>;

function wordsOf<W extends Whose>(whose: W, kind: string): Words<W> | null {
  const key = `${whose}.${kind}`;
  // The key is in the catalogue, so the cast holds.
  return key in book.en ? (key as Words<W>) : null;
}

/**
 * The sentence for an event between these parties, as the reader sees it; `me` is the reader's id
 * if they are a party. Null for an unknown kind or actor.
 */
export function eventText({ kind, actor }: TimelineEntry, parties: readonly Party[], t: Translate<typeof book>, me?: string) {
  const byAll = wordsOf('all', kind);
  if (byAll) return t(byAll);
  const who = parties.find(({ _id }) => _id === actor?._id);
  if (!who) return null;
  const byMe = who._id === me ? wordsOf('you', kind) : null;
  if (byMe) return t(byMe);
  const byOther = wordsOf('other', kind);
  return byOther && t(byOther, { name: who.username });
}
