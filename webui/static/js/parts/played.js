// What the game on the table is played with: keyboards offer its tiles alone, and choosers its melds.

let played = {};

/** Each state tells its game. */
export const playWith = (game) => { played = game ?? {}; };
export const hasSuit = (letter) => played.suits?.includes(letter) ?? true;
export const hasMeld = (kind) => kind !== "chi" || (played.chows ?? true);
