const USUAL = 3;
const SLOW = 10;

/** A new owner becomes the first one of these only after days (Google: seven). */
const CHANGES_HANDS_SLOWLY = ['YouTube Channel', 'Instagram Page', 'Facebook Page', 'Game Id'];

/** The days to check after the delivery that a deal over this usually leaves. */
export function inspectionDays(subcategory: string): number {
  return CHANGES_HANDS_SLOWLY.includes(subcategory) ? SLOW : USUAL;
}
