const USUAL = 3;
const SLOW = 10;

/** Their ownership takes days to transfer (Google: seven). */
const CHANGES_HANDS_SLOWLY = ['YouTube Channel', 'Instagram Page', 'Facebook Page', 'Game Id'];

/** The suggested inspection days for a deal about this. */
export function inspectionDays(subcategory: string): number {
  return CHANGES_HANDS_SLOWLY.includes(subcategory) ? SLOW : USUAL;
}
