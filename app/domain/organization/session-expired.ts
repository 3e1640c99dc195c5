/** What is said to who is signed in no more. */
export const SESSION_EXPIRED = "Session expired. Please login again.";
