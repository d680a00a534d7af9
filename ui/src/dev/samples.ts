export const PEOPLE = [
  { _id: 'u-nusrat', username: 'nusrat', profilePic: '', isStaff: false },
  { _id: 'u-tanvir', username: 'tanvir', profilePic: '', isStaff: false },
  { _id: 'u-farhana', username: 'farhana', profilePic: '', isStaff: true },
  { _id: 'u-long', username: 'a_username_of_thirty_characters', profilePic: '', isStaff: false },
] as const;

/** A long title. */
export const LONG = 'Cooking channel with 41,200 subscribers, two playlists, a shop of its own and no strikes since 2019';
