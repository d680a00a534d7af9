import type { Report } from '@/api/contract';

/** A reported object and its owner. Posts have a `title`. */
export type Subject = {
  subject: Report['subject'];
  id: string;
  title?: string;
  person: { _id: string; username: string; isStaff: boolean };
};

export const REASONS: readonly Report['reason'][] = [
  'scam',
  'off_platform',
  'abuse',
  'sexual',
  'illegal',
  'impersonation',
  'spam',
  'false_review',
  'other',
];

/** Only a review can be false. */
export const reasonsOf = (subject: Report['subject']): readonly Report['reason'][] =>
  REASONS.filter((reason) => (reason === 'false_review' ? subject === 'review' : true));
