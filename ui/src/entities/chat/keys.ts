export const chatKeys = {
  all: ['chat'] as const,
  list: ['chat', 'conversations'] as const,
  ones: ['chat', 'conversation'] as const,
  one: (id: string) => ['chat', 'conversation', id] as const,
  messages: (id: string) => ['chat', 'messages', id] as const,
  unread: ['chat', 'unread'] as const,
};
