import type { password as english } from '../en/password';
import type { Translation } from '../texts';

export const password: Translation<typeof english> = {
  show: 'পাসওয়ার্ড দেখান',
  hide: 'পাসওয়ার্ড লুকান',
};
