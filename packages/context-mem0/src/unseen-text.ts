/**
 * Characters that show nothing, for use within the brackets of a regular expression with the flag `u`: format
 * characters, those that Unicode lets a reader ignore (such as variation selectors and Hangul fillers), and
 * the Braille pattern without a dot.
 */
export const unseen = String.raw`\p{Cf}\p{Default_Ignorable_Code_Point}\u2800`;
