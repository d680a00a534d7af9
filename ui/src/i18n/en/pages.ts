import { texts } from '../texts';

/** Words around the static pages. Their own texts are in pages/, one module per page. */
export const pages = texts('pages', {
  contents: 'On this page',
  changed: 'Last updated on {day}',
  version: 'Version {version}',
  enlarge: 'Enlarge',
  alone: 'Open in a new tab',
});
