const compute = window.getComputedStyle.bind(window);

const displays = new Map<string, string>();

/** The display of an element by its own style or its tag's default. */
function displayOf(element: HTMLElement): string {
  const { tagName } = element;
  if (element.style.display !== '') return element.style.display;
  if (element.hidden || (tagName === 'DIALOG' && !element.hasAttribute('open'))) return 'none';
  if (tagName === 'INPUT' && element.getAttribute('type') === 'hidden') return 'none';
  let display = displays.get(tagName);
  if (display === undefined) {
    const bare = document.createElement(tagName);
    bare.toggleAttribute('open', true); // a closed dialog is not displayed
    display = compute(bare).display;
    displays.set(tagName, display);
  }
  return display;
}

function visibilityOf(element: HTMLElement): string {
  for (let at: HTMLElement | null = element; at; at = at.parentElement) {
    if (at.style.visibility !== '') return at.style.visibility;
  }
  return 'visible';
}

/** The properties used to find, see and press elements. */
const QUICK: Record<string, (element: HTMLElement) => string> = {
  display: displayOf,
  visibility: visibilityOf,
  opacity: ({ style }) => style.opacity || '1',
  pointerEvents: ({ style }) => style.pointerEvents, // user-event checks the ancestors itself
};

/**
 * jsdom matches an element and its ancestors with the whole default style sheet, for each element
 * of each query by role. Tests load no style sheets, so common properties depend on styles and tags
 * only.
 */
export function getComputedStyle(element: HTMLElement): CSSStyleDeclaration {
  let style: CSSStyleDeclaration | undefined;
  const read = (property: string) => QUICK[property]?.(element);
  return new Proxy({} as CSSStyleDeclaration, {
    get(_, property) {
      if (property === 'getPropertyValue') {
        return (name: string) => read(name) ?? (style ??= compute(element)).getPropertyValue(name);
      }
      const quick = read(String(property));
      if (quick !== undefined) return quick;
      style ??= compute(element);
      const value: unknown = Reflect.get(style, property);
      return typeof value === 'function' ? (value as () => unknown).bind(style) : value;
    },
  });
}
