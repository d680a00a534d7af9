import * as z from 'zod/mini';
import type { Category, Post, PostBody } from '@/api/contract';
import type { Key } from '@/i18n';
import type { postForm } from '@/i18n/en/post-form';
import { isCategory } from '@/lib/category';
import { centsFromWire, centsToWire, parseCents } from '@/lib/money';
import { isSubcategoryOf, OTHER } from '@/lib/subcategories';
import { MOST_TAGS } from './tags';

const say = (key: Key<typeof postForm>): Key<typeof postForm> => key;

export const MAX_TITLE = 80;
export const MAX_DESCRIPTION = 5_000;
const MAX_CUSTOM = 40;
const MAX_PRICE = 100_000_000;

/** Characters as the server counts them: not the halves of an emoji. */
export const lengthOf = (text: string): number => Array.from(text).length;

const upTo = (most: number, message: Key<typeof postForm>) => z.refine<string>((text) => lengthOf(text) <= most, say(message));
const required = (message: Key<typeof postForm>) => z.minLength(1, { error: say(message), abort: true });

type Own = { subcategory: string; custom: string };

/** SPEC §5 "Post", in its order; what is ours comes last. */
export const postSchema = z
  .object({
    title: z.string().check(z.trim(), required('title.required'), upTo(MAX_TITLE, 'title.long')),
    description: z.string().check(z.trim(), required('description.required'), upTo(MAX_DESCRIPTION, 'description.long')),
    price: z.string().check(
      z.refine((text) => (parseCents(text) ?? 0) > 0, { error: say('price.required'), abort: true }),
      z.refine((text) => (parseCents(text) ?? 0) <= MAX_PRICE, say('price.range')),
    ),
    category: z.custom<Category | ''>(isCategory, say('category.required')),
    subcategory: z.string().check(required('subcategory.required')),
    /** The seller's own words, where the subcategory is 'Other'. */
    custom: z.string().check(z.trim(), upTo(MAX_CUSTOM, 'custom.long')),
    tags: z.array(z.string()).check(z.maxLength(MOST_TAGS, say('tags.many'))),
    /** A tag that is being typed. */
    tag: z.string(),
    /** A data URL, the URL it has, or "" for none. */
    image: z.string(),
  })
  .check(
    z.refine(({ subcategory, custom }: Own) => subcategory !== OTHER || named(custom), {
      error: say('custom.required'),
      path: ['custom'],
      // Beside the other rules, not only when all of them hold.
      when: () => true,
    }),
  );
export type PostValues = z.infer<typeof postSchema>;

/** Whether it is a name of one's own: the server takes "Other" for none. */
const named = (custom: string): boolean => !['', OTHER.toLowerCase()].includes(custom.trim().toLowerCase());

/** The fields in the order of their rules. */
export const ORDER = ['title', 'description', 'price', 'category', 'subcategory', 'custom', 'tags'] as const;

export const EMPTY: PostValues = {
  title: '',
  description: '',
  price: '',
  category: '',
  subcategory: '',
  custom: '',
  tags: [],
  tag: '',
  image: '',
};

/** A published post as the form shows it. */
export function valuesOf({ title, description, price, category, subcategory, tags, image }: Post): PostValues {
  const known = isSubcategoryOf(category, subcategory);
  return {
    ...{ title, description, category, tags, image, tag: '' },
    price: (centsFromWire(price) / 100).toFixed(2),
    subcategory: known ? subcategory : OTHER,
    custom: known ? '' : subcategory,
  };
}

/** What is sent for checked values. */
export function postBody({ title, description, price, category, subcategory, custom, tags, image }: PostValues): PostBody {
  return {
    ...{ title, description, tags, image },
    price: centsToWire(parseCents(price) ?? 0),
    // The schema let no other through.
    category: category as Category,
    subcategory: subcategory === OTHER ? custom : subcategory,
  };
}
