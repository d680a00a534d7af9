import type { user as english } from '../en/user';
import type { Translation } from '../texts';

export const user: Translation<typeof english> = {
  staff: 'আমানতের কর্মী',
};
