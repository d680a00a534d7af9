import { isCategory } from '@/lib/category';
import { dropDraft, keepDraft, readDraft } from '@/lib/draft';
import type { PostValues } from './form-schema';

// The picture is kept apart: it is large, and written only when it changes.
const NO_PICTURE = 'none';
const words = (id: string) => `post:${id}`;
const picture = (id: string) => `post:${id}:picture`;

/** What was typed and not sent, of a post or of a new one ("new"), on top of what it holds otherwise. */
export function readPostDraft(id: string, base: PostValues): PostValues {
  const { tags, image, ...rest } = base;
  const typed = readDraft(words(id), { ...rest, tags: tags.join('\n') });
  const kept = readDraft(picture(id), { image }).image;
  return {
    ...typed,
    category: isCategory(typed.category) ? typed.category : '',
    tags: typed.tags.split('\n').filter((tag) => tag !== ''),
    image: kept === NO_PICTURE ? '' : kept,
  };
}

/** The picture is written over on purpose: the store takes texts only, and this one has a place of its own. */
export function keepPostWords(id: string, values: PostValues): void {
  keepDraft(words(id), { ...values, tags: values.tags.join('\n'), image: '' });
}

export function keepPostPicture(id: string, image: string): void {
  keepDraft(picture(id), { image: image === '' ? NO_PICTURE : image });
}

export function dropPostWords(id: string): void {
  dropDraft(words(id));
}

export function dropPostPicture(id: string): void {
  dropDraft(picture(id));
}
