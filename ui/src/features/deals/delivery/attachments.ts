import { createStore, useSelector } from '@tanstack/react-store';
import type { DealPicture } from '@/api/contract';
import { dropDraft, keepDraft, readDraft } from '@/lib/draft';
import { onStorageCleared } from '@/lib/storage-owner';

/** The most pictures of a delivery, or of what is said in a dispute. */
export const MOST = 8;

/** What pictures are chosen for. */
export type Purpose = 'delivery' | 'dispute';

/** A picture chosen for a delivery or a dispute: being made small and uploaded, refused with the reason, or with the server. */
export type Attachment = {
  key: string;
  /** What is shown of it: a data URL, of one uploaded before a reload its address; "" while it is prepared. */
  preview: string;
  /** Made small and not uploaded, it can be sent again; without an image it cannot be read. */
  image: string;
  /** The Idempotency-Key of its upload, which stays until the server has refused it. */
  upload: string;
  picture: DealPicture | null;
  /** Why it was not uploaded. */
  failure: string | null;
};

export type Attachments = readonly Attachment[];

const NO_PICTURES = { pictures: '' };

/** The pictures that were chosen on this page; the tab may store others, of an earlier load. */
const chosen = createStore<ReadonlyMap<string, Attachments>>(new Map<string, Attachments>());
/** As the tab has them: read once, so that the same list is the same object. */
const stored = new Map<string, Attachments>();

/** The pictures belong to who chose them, to one deal, and to what they are for. */
export const attachmentsPlace = (purpose: Purpose, userId: string, dealId: string): string =>
  `${purpose}-pictures:${userId}:${dealId}`;

function readStored(place: string): Attachments {
  try {
    const pictures = JSON.parse(readDraft(place, NO_PICTURES).pictures || '[]') as DealPicture[];
    return pictures.map((picture) => ({
      ...{ key: picture._id, preview: `${picture.url}?w=320`, image: '', upload: '' },
      ...{ picture, failure: null },
    }));
  } catch {
    return [];
  }
}

export function attachmentsAt(place: string): Attachments {
  const now = chosen.state.get(place);
  if (now) return now;
  const before = stored.get(place) ?? readStored(place);
  stored.set(place, before);
  return before;
}

/** Changes the list. Those that the server has stay through a reload of this tab; a picture itself is too large for that. */
export function changeAttachments(place: string, change: (all: Attachments) => Attachments): void {
  const all = change(attachmentsAt(place));
  const pictures = all.flatMap(({ picture }) => picture ?? []);
  keepDraft(place, { pictures: pictures.length > 0 ? JSON.stringify(pictures) : '' }, NO_PICTURES);
  chosen.setState((before) => new Map(before).set(place, all));
}

export function changeAttachment(place: string, key: string, change: Partial<Attachment>): void {
  changeAttachments(place, (all) => all.map((one) => (one.key === key ? { ...one, ...change } : one)));
}

/** They were sent. */
export function dropAttachments(place: string): void {
  dropDraft(place);
  chosen.setState((before) => new Map(before).set(place, []));
}

/** Forgets what is in memory. What the tab stores stays there. */
export function resetAttachments(): void {
  stored.clear();
  chosen.setState(() => new Map());
}

onStorageCleared(resetAttachments);

export function useAttachments(place: string): Attachments {
  return useSelector(chosen, () => attachmentsAt(place));
}

/** Neither with the server nor refused. */
export const isUnderWay = ({ picture, failure }: Attachment): boolean => picture === null && failure === null;
