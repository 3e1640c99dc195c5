export const SECRET_WORDS =
  "The other system needs this secret to check that a message is ours. It is shown only now; if it is lost, make a new one.";
