import { buttons } from './groups/buttons';
import { dialogs } from './groups/dialogs';
import { fieldParts } from './groups/field-parts';
import { fields } from './groups/fields';
import { figures } from './groups/figures';
import { forms } from './groups/forms';
import { khata } from './groups/khata';
import { menus } from './groups/menus';
import { messages } from './groups/messages';
import { navigation } from './groups/navigation';
import { people } from './groups/people';
import { tables } from './groups/tables';
import { waiting } from './groups/waiting';
import type { Group } from './kit';

/** All sections. page.test.tsx fails if a file of components/ui is missing. */
export const GROUPS: readonly Group[] = [
  buttons,
  fields,
  fieldParts,
  forms,
  dialogs,
  menus,
  messages,
  waiting,
  navigation,
  tables,
  people,
  khata,
  figures,
];
