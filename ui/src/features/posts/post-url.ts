export const postUrl = (id: string): string => `${window.location.origin}/posts/${id}`;
