/** Texts that stores and services have been seen to lose, cut or change, by what is awkward about them. */
export const awkwardTexts: Readonly<Record<string, string>> = {
  'U+0000': 'a\0b',
  'the six characters of an escape': 'a\\u0000b',
  'an escaped escape': 'a\\\\u0000b',
  'half a surrogate pair': 'a\ud83d and \ude00 b',
  emoji: '👩‍👩‍👧‍👦 🇸🇪 1️⃣',
  'right to left': 'שלום \u202eabc\u202c مرحبا',
  'combining marks': 'e\u0301 é Z͑ͫ̓',
  'full width and ideographs': 'ＱＲ７ 部署 将棋',
  'line ends': 'a\r\nb\rc\nd\u2028e\u2029f',
  'controls and quotes': '\u0001\u001b[31m\u007f\ufeff\ufffe "\'`\\ $x %s',
  empty: '',
};
