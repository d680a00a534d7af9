import { useEffect, useMemo, useSyncExternalStore } from 'react';
import type { Post } from '@/api/contract';
import { useMaybeMe } from '@/entities/user/queries';
import { RECENT_POSTS } from '@/lib/storage-owner';

/** The posts that were opened last on this device (docs/rules.md#device-storage). */

/** What a card needs of a post. */
export type RecentPost = Pick<Post, '_id' | 'title' | 'price' | 'image' | 'category' | 'subcategory'>;
/** `owner` is the id of a user, or "" for visitors. */
type Stored = { owner: string; posts: RecentPost[] };

const MOST = 12;

const listeners = new Set<() => void>();

/** Other tabs raise the event, as the cards of the marketplace open in new ones. */
function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  window.addEventListener('storage', listener);
  return () => {
    listeners.delete(listener);
    window.removeEventListener('storage', listener);
  };
}

function stored(): string | null {
  try {
    return localStorage.getItem(RECENT_POSTS);
  } catch {
    return null;
  }
}

function parse(text: string | null, owner: string): RecentPost[] {
  try {
    const known = JSON.parse(text ?? 'null') as Stored | null;
    return known?.owner === owner && Array.isArray(known.posts) ? known.posts : [];
  } catch {
    return [];
  }
}

/** Changes the list. Without storage it stays empty. */
function change(owner: string, to: (posts: RecentPost[]) => RecentPost[]): void {
  try {
    const posts = to(parse(stored(), owner)).slice(0, MOST);
    if (posts.length === 0) localStorage.removeItem(RECENT_POSTS);
    else localStorage.setItem(RECENT_POSTS, JSON.stringify({ owner, posts } satisfies Stored));
  } catch {
    // Storage is denied or full.
  }
  for (const listener of listeners) listener();
}

const useOwner = (): string => useMaybeMe()?._id ?? '';

/** The list, the last opened first, and how to empty it. */
export function useRecentPosts() {
  const owner = useOwner();
  const text = useSyncExternalStore(subscribe, stored);
  const posts = useMemo(() => parse(text, owner), [text, owner]);
  return { posts, clear: () => change(owner, () => []) };
}

/** Puts a post first in the list, unless it is the reader's own. */
export function useKeepRecent({ createdBy, _id, title, price, image, category, subcategory }: Post): void {
  const owner = useOwner();
  const own = createdBy._id === owner;
  useEffect(() => {
    if (own) return;
    const post = { _id, title, price, image, category, subcategory };
    change(owner, (posts) => [post, ...posts.filter((other) => other._id !== _id)]);
  }, [owner, own, _id, title, price, image, category, subcategory]);
}

/** Removes a post that is gone. */
export function useForgetRecent(id: string): void {
  const owner = useOwner();
  useEffect(() => change(owner, (posts) => posts.filter(({ _id }) => _id !== id)), [owner, id]);
}
