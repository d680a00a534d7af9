import { isCategory } from '@/entities/post/categories';
import { dropDraft, keepDraft, readDraft } from '@/lib/draft';
import type { PostValues } from './form-schema';

// The picture is kept apart: it is large, and written only when it changes.
const NO_PICTURE = 'none';
const words = (id: string) => `post:${id}`;
const picture = (id: string) => `post:${id}:picture`;

/** What was typed and not sent, on top of what the post holds otherwise. `id` is that of who types and of the post, or "new". */
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

/** The picture is left out on purpose: the store takes texts only, and this one has a place of its own. */
const textsOf = (values: PostValues) => ({ ...values, tags: values.tags.join('\n'), image: '' });
const pictureOf = ({ image }: PostValues) => ({ image: image === '' ? NO_PICTURE : image });

export function keepPostWords(id: string, values: PostValues, base: PostValues): void {
  keepDraft(words(id), textsOf(values), textsOf(base));
}

export function keepPostPicture(id: string, values: PostValues, base: PostValues): void {
  keepDraft(picture(id), pictureOf(values), pictureOf(base));
}

export function dropPostDraft(id: string): void {
  dropDraft(words(id));
  dropDraft(picture(id));
}
