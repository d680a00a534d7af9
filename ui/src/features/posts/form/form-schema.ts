import type { FieldErrors, Resolver } from 'react-hook-form';
import type { Category, Post, PostBody } from '@/api/contract';
import { isCategory } from '@/entities/post/categories';
import { isSubcategoryOf, OTHER_SUBCATEGORY } from '@/entities/post/subcategories';
import type { Key } from '@/i18n';
import type { postForm } from '@/i18n/en/post-form';
import { centsFromWire, centsToWire, parseCents } from '@/lib/money';
import { lengthOf, MAX_DESCRIPTION, MAX_PRICE } from '@/lib/rules';
import { MOST_TAGS } from './tags';

export const MAX_TITLE = 80;
const MAX_CUSTOM = 40;

/** What the form holds, as it is typed. */
export type PostValues = {
  title: string;
  description: string;
  price: string;
  category: Category | '';
  subcategory: string;
  /** The seller's own words, where the subcategory is 'Other'. */
  custom: string;
  tags: string[];
  /** A tag that is being typed. */
  tag: string;
  /** A data URL, the URL it has, or "" for none. */
  image: string;
};

/** Whether it is a name of one's own: the server takes "Other" for none. */
const named = (custom: string): boolean => !['', OTHER_SUBCATEGORY.toLowerCase()].includes(custom.toLowerCase());

/** The fields in the order of their rules. */
export const POST_FIELDS = ['title', 'description', 'price', 'category', 'subcategory', 'custom', 'tags'] as const;

type Rule = Key<typeof postForm>;

/** The first rule of a text that is broken: there must be one, and not of more characters than so many. */
function words(text: string, required: Rule, most: number, long: Rule): Rule | null {
  if (text === '') return required;
  return lengthOf(text) > most ? long : null;
}

function priceRule(price: string): Rule | null {
  const cents = parseCents(price) ?? 0;
  if (cents <= 0) return 'price.required';
  return cents > MAX_PRICE ? 'price.range' : null;
}

function customRule({ subcategory, custom }: PostValues): Rule | null {
  if (subcategory === OTHER_SUBCATEGORY && !named(custom)) return 'custom.required';
  return lengthOf(custom) > MAX_CUSTOM ? 'custom.long' : null;
}

/** The fields of a post (docs/rules.md#posts). Written out: a library of schemas would cost the page more than all of its fields. */
function brokenRules(values: PostValues): Record<(typeof POST_FIELDS)[number], Rule | null> {
  return {
    title: words(values.title, 'title.required', MAX_TITLE, 'title.long'),
    description: words(values.description, 'description.required', MAX_DESCRIPTION, 'description.long'),
    price: priceRule(values.price),
    category: isCategory(values.category) ? null : 'category.required',
    subcategory: values.subcategory === '' ? 'subcategory.required' : null,
    custom: customRule(values),
    tags: values.tags.length > MOST_TAGS ? 'tags.many' : null,
  };
}

export const postResolver: Resolver<PostValues> = (typed) => {
  const values = { ...typed, title: typed.title.trim(), description: typed.description.trim(), custom: typed.custom.trim() };
  const broken = Object.entries(brokenRules(values)).flatMap(([name, message]) =>
    message === null ? [] : [[name, { type: 'rule', message }] as const],
  );
  return broken.length === 0
    ? { values, errors: {} }
    : { values: {}, errors: Object.fromEntries(broken) as FieldErrors<PostValues> };
};

export const EMPTY_POST: PostValues = {
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
    subcategory: known ? subcategory : OTHER_SUBCATEGORY,
    custom: known ? '' : subcategory,
  };
}

/** What is sent for checked values. */
export function postBody({ title, description, price, category, subcategory, custom, tags, image }: PostValues): PostBody {
  return {
    ...{ title, description, tags, image },
    price: centsToWire(parseCents(price) ?? 0),
    // The rules let no other through.
    category: category as Category,
    subcategory: subcategory === OTHER_SUBCATEGORY ? custom : subcategory,
  };
}
