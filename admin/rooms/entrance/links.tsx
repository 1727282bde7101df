/** Links of the log-in page to the other pages before the log-in. */
export const EntranceLinks = () => null;
