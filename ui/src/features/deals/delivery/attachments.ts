import type { QueryClient } from '@tanstack/react-query';
import { createStore, useSelector } from '@tanstack/react-store';
import type { DealPicture } from '@/api/contract';
import { translate } from '@/i18n';
import { delivery } from '@/i18n/en/deals';
import { api, idempotent, send } from '@/lib/api';
import { dropDraft, keepDraft, readDraft } from '@/lib/draft';
import { errorText, isApiError } from '@/lib/errors';
import { isFinal, newKey } from '@/lib/idempotency';
import { downscale, isPicture, PICTURE_SIZE, UnreadablePictureError } from '@/lib/pictures';
import { reportFailure, sessionEnded, sessionGone } from '@/lib/query-client';
import { onStorageCleared } from '@/lib/storage-owner';
import { notify } from '@/lib/toast';

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
function changeAttachments(place: string, change: (all: Attachments) => Attachments): void {
  const all = change(attachmentsAt(place));
  const pictures = all.flatMap(({ picture }) => picture ?? []);
  keepDraft(place, { pictures: pictures.length > 0 ? JSON.stringify(pictures) : '' }, NO_PICTURES);
  chosen.setState((before) => new Map(before).set(place, all));
}

function changeAttachment(place: string, key: string, change: Partial<Attachment>): void {
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

export type Target = { client: QueryClient; dealId: string; place: string; purpose: Purpose };

/** Uploads run one by one: in parallel, the first would finish as late as the last. */
const queues = new Map<string, Promise<void>>();

function queued(place: string, task: () => Promise<void>): void {
  const run = (queues.get(place) ?? Promise.resolve()).then(task);
  queues.set(
    place,
    run.catch(() => undefined),
  );
}

const find = (place: string, key: string): Attachment | undefined => attachmentsAt(place).find((one) => one.key === key);

/** Removes it from the server. Pictures that are gone or delivered need no removal. */
async function discard(dealId: string, { _id: pictureId }: DealPicture): Promise<void> {
  try {
    await send(api.DELETE('/deals/{id}/pictures/{pictureId}', { params: { path: { id: dealId, pictureId } } }));
  } catch (error) {
    if (!isApiError(error, 'not_found')) throw error;
  }
}

const PATHS = { delivery: '/deals/{id}/pictures', dispute: '/deals/{id}/dispute/pictures' } as const;

async function upload({ client, dealId, place, purpose }: Target, key: string): Promise<void> {
  const one = find(place, key);
  if (!one) return;
  try {
    const { picture } = await send(
      api.POST(PATHS[purpose], {
        params: { path: { id: dealId } },
        body: { image: one.image },
        headers: idempotent(one.upload),
      }),
    );
    if (find(place, key)) changeAttachment(place, key, { picture, image: '' });
    // It was removed during the upload.
    else await discard(dealId, picture).catch(() => undefined);
  } catch (error) {
    changeAttachment(place, key, {
      failure: errorText(error, translate(delivery, 'picture.failed')),
      ...(isFinal(error) ? { upload: newKey() } : {}),
    });
    if (sessionGone(error)) sessionEnded(client);
  }
}

async function prepare(target: Target, key: string, file: File): Promise<void> {
  try {
    const image = await downscale(file, { max: PICTURE_SIZE });
    changeAttachment(target.place, key, { preview: image, image });
    queued(target.place, () => upload(target, key));
  } catch (error) {
    if (!(error instanceof UnreadablePictureError)) throw error;
    changeAttachment(target.place, key, { failure: translate(delivery, 'picture.unreadable') });
  }
}

/** Uploads as many files as there is room for, and reports those that are no pictures. */
export function addPictures(target: Target, files: readonly File[]): void {
  const pictures = files.filter(isPicture);
  if (pictures.length < files.length) notify.error(translate(delivery, 'pictures.notImage'));
  const room = MAX_PICTURES - attachmentsAt(target.place).length;
  if (pictures.length > room) notify.error(translate(delivery, 'pictures.full', { most: MAX_PICTURES }));
  for (const file of pictures.slice(0, room)) {
    const added: Attachment = { key: newKey(), preview: '', image: '', upload: newKey(), picture: null, failure: null };
    changeAttachments(target.place, (all) => [...all, added]);
    queued(target.place, () => prepare(target, added.key, file));
  }
}

export function retryPicture(target: Target, { key }: Attachment): void {
  changeAttachment(target.place, key, { failure: null });
  queued(target.place, () => upload(target, key));
}

/** Removes a picture at once. If the server fails to, it comes back, because it still counts. */
export async function removePicture({ client, dealId, place }: Target, { key, picture }: Attachment): Promise<void> {
  const before = attachmentsAt(place);
  changeAttachments(place, (all) => all.filter((one) => one.key !== key));
  if (picture === null) return;
  try {
    await discard(dealId, picture);
  } catch (error) {
    const back = before.find((one) => one.key === key);
    const at = before.findIndex((one) => one.key === key);
    if (back) changeAttachments(place, (all) => all.toSpliced(at, 0, back));
    reportFailure(client, error, () => translate(delivery, 'picture.notRemoved'));
  }
}
