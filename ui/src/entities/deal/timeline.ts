import type { Party, TimelineEntry } from '@/api/contract';
import type { Key, Translate } from '@/i18n';
import { book } from '@/i18n/en/book';

type Whose = 'you' | 'other' | 'all';
type Words<W extends Whose> = Extract<Key<typeof book>, `${W}.${string}`>;

function wordsOf<W extends Whose>(whose: W, kind: string): Words<W> | null {
  const key = `${whose}.${kind}`;
  // The catalogue has it, so it is one of its keys.
  return key in book.en ? (key as Words<W>) : null;
}

/**
 * The event of a deal between these parties, as its reader would tell it; `me` is the id of the reader who is one of them. Null where this
 * version does not know the kind or who it was.
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
