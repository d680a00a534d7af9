const USUAL = 3;
const SLOW = 10;

/** Their ownership takes days to transfer (Google: seven). */
const SLOW_TRANSFERS = ['YouTube Channel', 'Instagram Page', 'Facebook Page', 'Game Id'];

export function inspectionDays(subcategory: string): number {
  return SLOW_TRANSFERS.includes(subcategory) ? SLOW : USUAL;
}
