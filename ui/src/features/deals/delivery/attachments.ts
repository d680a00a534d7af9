import { createStore, useSelector } from '@tanstack/react-store';
import type { DealPicture } from '@/api/contract';
import { dropDraft, keepDraft, readDraft } from '@/lib/draft';
import { onStorageCleared } from '@/lib/storage-owner';

export const MAX_PICTURES = 8;

export type Purpose = 'delivery' | 'dispute';

/** A picture for a delivery or a dispute: prepared, uploading, refused or uploaded. */
export type Attachment = {
  key: string;
  /** A data URL, or the server's address after a reload; "" while it is prepared. */
  preview: string;
  /** The scaled image, for a retry; "" if it cannot be read. */
  image: string;
  /** The Idempotency-Key of its upload, renewed after a refusal. */
  upload: string;
  picture: DealPicture | null;
  failure: string | null;
};

export type Attachments = readonly Attachment[];

const NO_PICTURES = { pictures: '' };

/** Pictures chosen on this page. The tab's storage may have others from an earlier load. */
const chosen = createStore<ReadonlyMap<string, Attachments>>(new Map<string, Attachments>());
/** Read from the tab's storage once, so that lists keep their identity. */
const stored = new Map<string, Attachments>();

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

/** Changes the list. Uploaded pictures survive a reload; data URLs are too large to store. */
export function changeAttachments(place: string, change: (all: Attachments) => Attachments): void {
  const all = change(attachmentsAt(place));
  const pictures = all.flatMap(({ picture }) => picture ?? []);
  keepDraft(place, { pictures: pictures.length > 0 ? JSON.stringify(pictures) : '' }, NO_PICTURES);
  chosen.setState((before) => new Map(before).set(place, all));
}

export function changeAttachment(place: string, key: string, change: Partial<Attachment>): void {
  changeAttachments(place, (all) => all.map((one) => (one.key === key ? { ...one, ...change } : one)));
}

export function dropAttachments(place: string): void {
  dropDraft(place);
  chosen.setState((before) => new Map(before).set(place, []));
}

/** Forgets the lists in memory; the tab's storage keeps them. */
export function resetAttachments(): void {
  stored.clear();
  chosen.setState(() => new Map());
}

onStorageCleared(resetAttachments);

export function useAttachments(place: string): Attachments {
  return useSelector(chosen, () => attachmentsAt(place));
}

export const isUnderWay = ({ picture, failure }: Attachment): boolean => picture === null && failure === null;
