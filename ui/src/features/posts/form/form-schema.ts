import * as z from 'zod/mini';
import type { Category, Post, PostBody } from '@/api/contract';
import { isCategory } from '@/entities/post/categories';
import { factsFrom, fieldsOf } from '@/entities/post/facts';
import { isSubcategoryOf, OTHER_SUBCATEGORY } from '@/entities/post/subcategories';
import type { Key } from '@/i18n';
import type { postForm } from '@/i18n/en/posts';
import { parseCents } from '@/lib/amount';
import { centsFromWire, centsToWire } from '@/lib/money';
import { lengthOf, MAX_DESCRIPTION, MAX_PRICE } from '@/lib/rules';

export const MAX_TAGS = 10;
const MAX_TAG = 30;

type Added = { tags: string[]; rest: string; problem: 'many' | 'long' | null };

/**
 * Adds the comma-separated input to the tags, trimmed and without duplicates in any case. What
 * cannot be added stays as `rest`, with the problem.
 */
export function addTags(tags: readonly string[], typed: string): Added {
  const added: Added = { tags: [...tags], rest: '', problem: null };
  const kept: string[] = [];
  for (const part of typed.split(/[,\n]/)) {
    const tag = part.trim();
    const known = added.tags.some((other) => other.toLowerCase() === tag.toLowerCase());
    if (tag === '' || known) continue;
    const problem = Array.from(tag).length > MAX_TAG ? 'long' : added.tags.length >= MAX_TAGS ? 'many' : null;
    if (problem) {
      added.problem ??= problem;
      kept.push(tag);
    } else added.tags.push(tag);
  }
  added.rest = kept.join(', ');
  return added;
}

export const MAX_TITLE = 80;
const MAX_CUSTOM = 40;

export const MAX_PICTURES = 8;

/** A picture that is not on the server yet: prepared, uploading or refused. */
export type Upload = {
  key: string;
  /** A data URL; "" while it is prepared or if it cannot be read. */
  image: string;
  /** The Idempotency-Key, renewed after a refusal. */
  upload: string;
  failure: string | null;
};

const say = (key: Key<typeof postForm>): Key<typeof postForm> => key;

const words = (required: Key<typeof postForm>, most: number, long: Key<typeof postForm>) =>
  z.string().check(
    z.trim(),
    z.minLength(1, { error: required, abort: true }),
    z.refine((text) => lengthOf(text) <= most, long),
  );

/** Zero counts as missing, as on the server. */
const hasPrice = (text: string) => (parseCents(text) ?? 0) > 0;

/** The server refuses "Other" as an own subcategory. */
const isNamed = (custom: string): boolean => !['', OTHER_SUBCATEGORY.toLowerCase()].includes(custom.toLowerCase());

/** The fields of a post (docs/rules.md#posts) in the order of their rules. */
export const postSchema = z
  .object({
    title: words(say('title.required'), MAX_TITLE, say('title.long')),
    description: words(say('description.required'), MAX_DESCRIPTION, say('description.long')),
    price: z.string().check(
      z.refine(hasPrice, { error: say('price.required'), abort: true }),
      z.refine((text) => (parseCents(text) ?? 0) <= MAX_PRICE, say('price.range')),
    ),
    category: z.custom<Category | ''>(isCategory, say('category.required')),
    subcategory: z.string().check(z.minLength(1, say('subcategory.required'))),
    custom: z.string().check(
      z.trim(),
      z.refine((custom) => lengthOf(custom) <= MAX_CUSTOM, say('custom.long')),
    ),
    tags: z.array(z.string()).check(z.maxLength(MAX_TAGS, say('tags.many'))),
    tag: z.string(),
    /** The server's URLs. */
    images: z.array(z.string()),
    uploads: z.array(z.custom<Upload>()).check(
      z.refine((all) => all.every(({ failure }) => failure === null), { error: say('pictures.failed'), abort: true }),
      z.refine((all) => all.length === 0, say('pictures.wait')),
    ),
    facts: z.record(z.string(), z.string()),
  })
  .check(
    z.refine(({ subcategory, custom }) => subcategory !== OTHER_SUBCATEGORY || isNamed(custom), {
      error: say('custom.required'),
      path: ['custom'],
      // Checked while other fields are invalid, too.
      when: () => true,
    }),
  );
export type PostValues = z.infer<typeof postSchema>;

export const EMPTY_POST: PostValues = {
  title: '',
  description: '',
  price: '',
  category: '',
  subcategory: '',
  custom: '',
  tags: [],
  tag: '',
  images: [],
  uploads: [],
  facts: fieldsOf({}),
};

export function valuesOf({ title, description, price, category, subcategory, tags, images, facts }: Post): PostValues {
  const known = isSubcategoryOf(category, subcategory);
  return {
    ...{ title, description, category, tags, images, uploads: [], tag: '', facts: fieldsOf(facts) },
    price: (centsFromWire(price) / 100).toFixed(2),
    subcategory: known ? subcategory : OTHER_SUBCATEGORY,
    custom: known ? '' : subcategory,
  };
}

export function postBody({
  title,
  description,
  price,
  category,
  subcategory,
  custom,
  tags,
  images,
  facts,
}: PostValues): PostBody {
  return {
    ...{ title, description, tags, images, facts: factsFrom(facts) },
    price: centsToWire(parseCents(price) ?? 0),
    // The rules allow no other.
    category: category as Category,
    subcategory: subcategory === OTHER_SUBCATEGORY ? custom : subcategory,
  };
}
