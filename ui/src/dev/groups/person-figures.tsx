import { PersonFigures } from '@/entities/user/person-figures';
import { Sample, Samples } from '../kit';

const AT = '2026-11-08T04:02:00Z';

const NONE = {
  user: { isVerified: false, secondFactor: false, createdAt: AT },
  successScore: null,
  completedDeals: 0,
  finishedDeals: 0,
  averageRating: null,
  ratingCount: 0,
  reviewCount: 0,
  partners: 0,
  volumeBand: 'none',
  typicalDeliveryHours: null,
  typicalAnswerMinutes: null,
} as const;
const SOME = {
  user: { isVerified: true, secondFactor: true, createdAt: AT },
  successScore: 96,
  completedDeals: 24,
  finishedDeals: 25,
  averageRating: 4.8,
  ratingCount: 12,
  reviewCount: 12,
  partners: 9,
  volumeBand: '1000_10000',
  typicalDeliveryHours: 30,
  typicalAnswerMinutes: 12,
} as const;
const FEW = { ...SOME, successScore: 67, completedDeals: 2, finishedDeals: 3, partners: 1, typicalDeliveryHours: null } as const;

/** Figures of people with more and fewer deals. */
export const Figures = () => (
  <Samples>
    <Sample of="after some deals">
      <PersonFigures profile={SOME} />
    </Sample>
    <Sample of="too few for a percentage">
      <PersonFigures profile={FEW} />
    </Sample>
    <Sample of="before the first">
      <PersonFigures profile={NONE} />
    </Sample>
  </Samples>
);
