import { isCategory } from '@/entities/post/categories';
import { type Draft, textDraft } from '@/lib/draft';
import type { PostValues } from './form-schema';

// The picture is stored separately: it is large, and written only when it changes.
const NO_PICTURE = 'none';

const textsOf = (values: PostValues) => ({ ...values, tags: values.tags.join('\n'), image: '' });
const pictureOf = ({ image }: PostValues) => ({ image: image === '' ? NO_PICTURE : image });

/** The draft of changes. `id` combines the user with the post or "new". */
export function postDraft(id: string): Draft<PostValues> {
  const texts = textDraft(`post:${id}`);
  const picture = textDraft(`post:${id}:picture`);
  let kept: string | null = null;
  return {
    read: (base) => {
      const typed = texts.read(textsOf(base));
      const { image } = picture.read({ image: base.image });
      return {
        ...typed,
        category: isCategory(typed.category) ? typed.category : '',
        tags: typed.tags.split('\n').filter((tag) => tag !== ''),
        image: image === NO_PICTURE ? '' : image,
      };
    },
    keep: (values, base) => {
      texts.keep(textsOf(values), textsOf(base));
      if (values.image !== kept) picture.keep(pictureOf(values), pictureOf(base));
      kept = values.image;
    },
    drop: () => {
      texts.drop();
      picture.drop();
    },
  };
}
