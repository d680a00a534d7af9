import type { Post } from '@/api/contract';
import { useTexts } from '@/i18n';
import { facts } from '@/i18n/en/facts';
import { count, latinDigits } from '@/lib/money';
import { FACTS } from './facts.gen';

export type Fact = (typeof FACTS)[number];
export type FactKey = Fact['key'];
export type PostFacts = Post['facts'];

/** The facts that posts of a subcategory state. */
export const factsOf = (category: string, subcategory: string): Fact[] =>
  FACTS.filter(({ of }) => (of as readonly string[]).some((name) => name === category || name === subcategory));

/** The text of a choice. Every choice has one in the catalogue. */
const choiceKey = (key: FactKey, choice: unknown) => `choice.${key}.${String(choice)}` as 'choice.condition.used';

export function useFactTexts() {
  const t = useTexts(facts);
  const valueOf = ({ key, kind }: Fact, value: unknown): string => {
    if (kind === 'flag') return t(value === true ? 'yes' : 'no');
    if (kind === 'number') return count(Number(value));
    return kind === 'choice' ? t(choiceKey(key, value)) : String(value);
  };
  return {
    name: (key: FactKey) => t(`fact.${key}`),
    choice: (key: FactKey, choice: string) => t(choiceKey(key, choice)),
    /** What a card shows, most telling first. */
    headline: ({ headline, facts: stated }: Pick<Post, 'headline' | 'facts'>): string[] =>
      FACTS.filter(({ key }) => headline.includes(key)).map((fact) => {
        const value = stated[fact.key];
        if (fact.kind === 'flag') return t(`fact.${fact.key}`);
        return fact.kind === 'number'
          ? t(`headline.${fact.key}` as 'headline.level', { count: Number(value) })
          : valueOf(fact, value);
      }),
    /** Names and values of what a post states. */
    rows: (stated: PostFacts): (readonly [name: string, value: string])[] =>
      FACTS.flatMap((fact) => {
        const value = stated[fact.key];
        return value === undefined ? [] : [[t(`fact.${fact.key}`), valueOf(fact, value)] as const];
      }),
  };
}

/** The fields of a form: a text for each fact, "" for none. */
export type FactFields = Record<string, string>;

export const fieldsOf = (stated: PostFacts): FactFields =>
  Object.fromEntries(FACTS.map(({ key }) => [key, String(stated[key] ?? '')]));

const factOf = ({ kind }: Fact, typed: string): string | number | boolean =>
  kind === 'number' ? Number(latinDigits(typed)) : kind === 'flag' ? typed === 'true' : typed;

export const factsFrom = (fields: FactFields): PostFacts =>
  Object.fromEntries(
    FACTS.flatMap((fact) => {
      const typed = fields[fact.key]?.trim() ?? '';
      return typed === '' ? [] : [[fact.key, factOf(fact, typed)]];
    }),
  );

/** Facts of the address, "monetised:true,subscribers:1000..", by their keys. */
export const factsOfAddress = (facts = ''): Record<string, string> =>
  Object.fromEntries(
    facts.split(',').flatMap((part) => {
      const [key, value] = part.split(':');
      return key && value ? [[key, value]] : [];
    }),
  );

export const addressOfFacts = (facts: Record<string, string>): string | undefined =>
  Object.entries(facts)
    .filter(([, value]) => value !== '' && value !== '..')
    .map(([key, value]) => `${key}:${value}`)
    .join(',') || undefined;
