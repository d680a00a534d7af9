/** A text per plural category, chosen by the parameter `count`. */
export type Plural = { one: string; other: string };
export type Dictionary = Record<string, string | Plural>;

/**
 * A catalogue: the English texts of a part of the product. The Bangla ones have the same name in
 * ./bn.
 */
export type Texts<D extends Dictionary = Dictionary> = { readonly name: string; readonly en: D };

/** Declares a catalogue. English is bundled with the importing code; Bangla is one lazy chunk. */
export function texts<const D extends Dictionary>(name: string, en: D): Texts<D> {
  return { name, en };
}

/** The shape of a Bangla catalogue: every English key, plural where that is plural. */
export type Translation<T extends Texts> = { [K in keyof T['en']]: T['en'][K] extends string ? string : Plural };

type ParamNames<S> = S extends `${string}{${infer Name}}${infer Rest}` ? Name | ParamNames<Rest> : never;
type AllParamNames<V> = V extends Plural ? 'count' | ParamNames<V['one']> | ParamNames<V['other']> : ParamNames<V>;
type ParamsOf<V> = { [Name in AllParamNames<V>]: Name extends 'count' ? number : string | number };

/** The parameters of a text as a rest argument; none without placeholders. */
export type Args<V> = [AllParamNames<V>] extends [never] ? [] : [params: ParamsOf<V>];
export type Key<T extends Texts> = keyof T['en'] & string;
export type Translate<T extends Texts> = <K extends Key<T>>(key: K, ...args: Args<T['en'][K]>) => string;
