import { Picture } from '@/components/picture';
import { Rating } from '@/components/rating';
import { Avatar, AvatarFallback, AvatarImage } from '@/components/ui/avatar';
import { CONVERSATION_ROW, ConversationSummary } from '@/entities/chat/conversation-row';
import { PublicPosts } from '@/entities/post/post-card';
import { ReviewList } from '@/entities/user/review-list';
import { UserAvatar } from '@/entities/user/user-avatar';
import { StaffMark, UserName } from '@/entities/user/user-name';
import { cn } from '@/lib/cn';
import { type Group, Sample, Samples, useSay } from '../kit';
import { PEOPLE } from '../samples';
import { Figures } from './person-figures';

const SIZES = ['sm', 'default', 'lg', 'xl'] as const;
const [NUSRAT, TANVIR, FARHANA, LONG] = PEOPLE;
const AT = '2026-11-08T04:02:00Z';

const Avatars = () => (
  <Samples>
    <Sample of={`size="${SIZES.join(', ')}"`} row>
      {SIZES.map((size) => (
        <Avatar key={size} size={size}>
          <AvatarFallback>N</AvatarFallback>
        </Avatar>
      ))}
    </Sample>
    <Sample of="AvatarImage" row>
      <Avatar>
        <AvatarImage src="/mark.svg" />
      </Avatar>
    </Sample>
  </Samples>
);

const UserAvatars = () => (
  <Samples>
    <Sample of="the same person has the same tint" row>
      {PEOPLE.map(({ username }) => (
        <UserAvatar key={username} name={username} />
      ))}
    </Sample>
    <Sample of={`size="${SIZES.join(', ')}"`} row>
      {SIZES.map((size) => (
        <UserAvatar key={size} name={TANVIR.username} size={size} />
      ))}
    </Sample>
    <Sample of="a picture; one that does not come" row>
      <UserAvatar name={NUSRAT.username} picture="/mark.svg" />
      <UserAvatar name={NUSRAT.username} picture="data:," />
    </Sample>
  </Samples>
);

const UserNames = () => (
  <Samples>
    <Sample of="somebody; staff" row>
      <UserName user={NUSRAT} />
      <UserName user={FARHANA} />
    </Sample>
    <Sample of="truncate" className="max-w-40">
      <div>
        <UserName user={{ ...LONG, isStaff: true }} truncate />
      </div>
    </Sample>
    <Sample of="StaffMark" row>
      <StaffMark />
    </Sample>
  </Samples>
);

const Ratings = () => (
  <Sample of="value" row>
    {[1, 2, 3, 4, 5].map((value) => (
      <Rating key={value} value={value} />
    ))}
  </Sample>
);

function Reviews() {
  const say = useSay();
  const words = say('All as agreed. He delivered two days early and answered every question.', 'সব কথামতো। দুই দিন আগেই দিয়েছেন।');
  const review = (rating: number, reviewer: (typeof PEOPLE)[number], comment: string) => ({
    _id: `r-${rating}`,
    reviewer,
    rating,
    comment,
    createdAt: AT,
  });
  return <ReviewList reviews={[review(5, NUSRAT, words), review(2, LONG, words.repeat(6)), review(4, FARHANA, '')]} />;
}

function Pictures() {
  const say = useSay();
  return (
    <Samples>
      <Sample of="url">
        <div className="size-24">
          <Picture url="/mark.svg" alt={say('The mark', 'চিহ্ন')} sizes="96px" className="size-full" />
        </div>
      </Sample>
      <Sample of="fallback">
        <div className="size-24">
          <Picture url="" alt="" sizes="96px" fallback={say('No picture', 'ছবি নেই')} />
        </div>
      </Sample>
    </Samples>
  );
}

function Conversations() {
  const say = useSay();
  const row = (other: (typeof PEOPLE)[number], over: { unread?: boolean; lastMessageIsImage?: boolean }) => ({
    _id: `c-${other._id}`,
    lastMessage: say('I have sent you all the episodes and the rights.', 'সব পর্ব ও স্বত্ব পাঠিয়েছি।'),
    lastMessageIsImage: false,
    lastMessageIsDelivery: false,
    lastMessageReadBy: [],
    lastSenderId: other._id,
    participants: [NUSRAT, other],
    unread: false,
    updatedAt: AT,
    writable: true,
    block: 'none' as const,
    answered: true,
    ...over,
  });
  return (
    <Sample of="unread; read; an image; a long name" className="max-w-sm">
      <div>
        {[row(TANVIR, { unread: true }), row(FARHANA, {}), row(LONG, { lastMessageIsImage: true })].map((conversation) => (
          <div key={conversation._id} className={cn(CONVERSATION_ROW)}>
            <ConversationSummary conversation={conversation} me={NUSRAT._id} now={Date.parse(AT)} />
          </div>
        ))}
      </div>
    </Sample>
  );
}

function Posts() {
  const say = useSay();
  const post = (id: string, title: string, subcategory: string, image = '') => ({
    _id: id,
    title,
    description: '',
    price: 480,
    category: 'Online Asset' as const,
    subcategory,
    image,
    tags: [],
    createdBy: TANVIR,
    createdAt: AT,
    updatedAt: AT,
    hidden: false,
    decisionId: null,
  });
  const title = say('Cooking channel, 41,200 subscribers', 'রান্নার চ্যানেল, ৪১,২০০ গ্রাহক');
  return (
    <PublicPosts
      posts={[
        post('p-1', title, 'YouTube Channel'),
        post('p-2', title.repeat(3), 'Game Id'),
        post('p-3', say('A picture', 'একটি ছবি'), 'Website', '/mark.svg'),
      ]}
    />
  );
}

export const people: Group = {
  title: 'People and posts',
  parts: {
    avatar: Avatars,
    'user-avatar': UserAvatars,
    'user-name': UserNames,
    rating: Ratings,
    'review-list': Reviews,
    'person-figures': Figures,
    'conversation-row': Conversations,
    picture: Pictures,
    'public-posts': Posts,
  },
};
