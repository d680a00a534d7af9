/**
 * The utilities that `cn` can tell apart: what components set and their callers override. tailwind-merge's own configuration knows all of
 * Tailwind and weighs 5 KB more on every page; cn.test.ts holds this one against it.
 */

type Test = (value: string) => boolean;
type Values = (string | Test)[];
type Groups = Record<string, (string | Record<string, Values>)[]>;

const words = (list: string) => list.split(' ');
const matching = (pattern: RegExp) => (value: string) => pattern.test(value);
const any = () => true;
const arbitrary = matching(/^\[/);
const length = matching(/^(?:\d|[[(](?:length:|-?[\d.]|calc|clamp|min|max))/);
const textSize = matching(/^(?:xs|sm|md|lg|\d?xl|base|caption|lede|display-\w+)$/);
const shadow = matching(/^(?:none|overlay|\d?x[sl]|sm|md|lg|\[(?:inset|-?[\d.]).*)$/);
const image = matching(/^(?:none|stitch-.|(?:linear|radial|conic|gradient)\b.*|\[(?:url|image|linear|radial).*)$/);

/** What sets one property, whatever follows the name. */
const PREFIXES = words(
  'p px py pt pr pb pl ps pe m mx my mt mr mb ml ms me gap gap-x gap-y size w h min-w min-h max-w max-h ' +
    'inset inset-x inset-y top right bottom left start end z order basis grow shrink ' +
    'grid-cols grid-rows grid-flow auto-cols auto-rows col col-start col-end row row-start row-end ' +
    'justify justify-items justify-self items self place-content place-items place-self ' +
    'overflow overflow-x overflow-y overscroll whitespace break line-clamp leading tracking align underline-offset ' +
    'rounded rounded-t rounded-r rounded-b rounded-l rounded-s rounded-e rounded-tl rounded-tr rounded-br rounded-bl ' +
    'opacity transition duration ease delay animate cursor select pointer-events touch appearance resize aspect fill ' +
    'origin scale rotate translate translate-x translate-y outline-offset inset-shadow blur backdrop-blur',
);

/** Those of the prefixes that are utilities by themselves. */
const WHOLE = new Set(
  words(
    'grow shrink transition resize blur backdrop-blur rounded rounded-t rounded-r rounded-b rounded-l rounded-s rounded-e ' +
      'rounded-tl rounded-tr rounded-br rounded-bl',
  ),
);

/** Prefixes that are followed by a width or by a colour; of the sides of a border, the group is its name without hyphens. */
const LINES: Record<string, string> = {
  ring: 'ring',
  'ring-offset': 'ring-offset',
  'inset-ring': 'inset-ring',
  outline: 'outline',
  stroke: 'stroke',
  decoration: 'decoration',
  ...Object.fromEntries(['', ...words('x y t r b l s e')].map((side) => [`border${side}`, side ? `border-${side}` : 'border'])),
};

const groups: Groups = {
  display: words(
    'block inline-block inline flex inline-flex grid inline-grid contents flow-root table table-row table-cell table-caption list-item hidden',
  ),
  position: words('static fixed absolute relative sticky'),
  visibility: words('visible invisible collapse'),
  isolation: words('isolate isolation-auto'),
  sr: words('sr-only not-sr-only'),
  italic: words('italic not-italic'),
  underline: words('underline overline line-through no-underline'),
  case: words('uppercase lowercase capitalize normal-case'),
  numerals: words('tabular-nums proportional-nums'),
  'text-overflow': words('truncate text-ellipsis text-clip'),
  'overflow-wrap': [{ wrap: words('normal anywhere break-word') }],
  'text-align': [{ text: words('left center right justify start end') }],
  'text-wrap': [{ text: words('wrap nowrap balance pretty') }],
  'text-size': [{ text: [textSize, length] }],
  'text-color': [{ text: [any] }],
  weight: [{ font: [...words('thin extralight light normal medium semibold bold extrabold black title'), matching(/^\[\d/)] }],
  font: [{ font: [any] }],
  'flex-direction': [{ flex: words('row row-reverse col col-reverse') }],
  'flex-wrap': [{ flex: words('wrap wrap-reverse nowrap') }],
  flex: [{ flex: [any] }],
  content: [{ content: ['none', arbitrary] }],
  'align-content': [{ content: [any] }],
  fit: [{ object: words('contain cover fill none scale-down') }],
  'object-position': [{ object: [any] }],
  'list-position': [{ list: words('inside outside') }],
  list: [{ list: [any] }],
  'bg-image': [{ bg: [image] }],
  'bg-clip': [{ 'bg-clip': [any] }],
  'bg-size': [{ bg: words('auto cover contain'), 'bg-size': [any] }],
  'bg-position': [{ 'bg-position': [any] }],
  'bg-repeat': [{ bg: words('repeat no-repeat') }],
  'bg-color': [{ bg: [any] }],
  shadow: [{ shadow: ['', shadow] }],
  'shadow-color': [{ shadow: [any] }],
  'scrollbar-width': words('scrollbar-auto scrollbar-thin scrollbar-none'),
  'ring-inset': ['ring-inset'],
  'border-style': [{ border: words('solid dashed dotted double hidden none') }],
  'border-collapse': [{ border: words('collapse separate') }],
  'outline-style': [{ outline: words('solid dashed dotted double hidden none') }],
};
for (const prefix of PREFIXES) groups[prefix] = [{ [prefix]: WHOLE.has(prefix) ? ['', any] : [any] }];
for (const [group, prefix] of Object.entries(LINES)) {
  groups[`${group}-width`] = [{ [prefix]: ['', length] }];
  groups[`${group}-color`] = [{ [prefix]: [any] }];
}

/** A group of all sides, and the groups of sides that it replaces. */
function sides(name: (side: string) => string): Record<string, string[]> {
  const named = (list: string) => words(list).map(name);
  return { [name('')]: named('x y t r b l s e'), [name('x')]: named('r l s e'), [name('y')]: named('t b') };
}

export const utilities = {
  cacheSize: 500,
  theme: {},
  classGroups: groups,
  conflictingClassGroups: {
    ...sides((side) => `p${side}`),
    ...sides((side) => `m${side}`),
    ...sides((side) => `border${side}-width`),
    ...sides((side) => `border${side}-color`),
    size: ['w', 'h'],
    gap: ['gap-x', 'gap-y'],
    overflow: ['overflow-x', 'overflow-y'],
    inset: words('inset-x inset-y top right bottom left start end'),
    'inset-x': words('right left start end'),
    'inset-y': words('top bottom'),
    flex: words('basis grow shrink'),
    'text-size': ['leading'],
    'line-clamp': ['display', 'overflow'],
    translate: words('translate-x translate-y'),
    rounded: PREFIXES.filter((prefix) => prefix.startsWith('rounded-')),
    'rounded-t': words('rounded-tl rounded-tr'),
    'rounded-r': words('rounded-tr rounded-br'),
    'rounded-b': words('rounded-br rounded-bl'),
    'rounded-l': words('rounded-tl rounded-bl'),
  },
  conflictingClassGroupModifiers: {},
  orderSensitiveModifiers: words('before after placeholder file marker selection first-letter first-line backdrop * **'),
};
