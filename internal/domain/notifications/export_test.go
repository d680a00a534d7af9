package notifications

// PushSenders is how many pushes a sweep sends side by side.
const PushSenders = pushSenders
