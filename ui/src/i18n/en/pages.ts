import { texts } from '../texts';

/** Words around the static pages. What the pages say themselves is in pages/, a module a page. */
export const pages = texts('pages', {
  contents: 'On this page',
  changed: 'Last updated on {day}',
  version: 'Version {version}',
  enlarge: 'Enlarge',
  alone: 'Open in a new tab',
});
