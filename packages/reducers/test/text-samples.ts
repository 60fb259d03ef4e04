import { createHash } from 'node:crypto';

/** Bytes that look like chance and are the same in every run. */
function bytesOf(length: number): Buffer {
  const parts: Buffer[] = [];
  for (let index = 0; index * 32 < length; index += 1) {
    parts.push(createHash('sha256').update(`${index}`).digest());
  }
  return Buffer.concat(parts).subarray(0, length);
}

/** Characters of a range of Unicode, in an order that looks like chance. */
function charactersFrom(first: number, last: number, count = 300): string {
  const bytes = bytesOf(count * 2);
  return Array.from({ length: count }, (_, index) =>
    String.fromCodePoint(first + (bytes.readUInt16BE(index * 2) % (last - first + 1))),
  ).join('');
}

const record = { id: 'a1b2-c3', price: 1299.5, tags: ['new', 'red'], open: true, note: null };

/** Texts of many kinds, made for this. Real ones, and ones that are hard to tell the tokens of. */
export const textSamples: Readonly<Record<string, string>> = {
  English:
    'The committee met on Tuesday to discuss whether the harbour should be dredged before winter; nobody objected, though the engineers asked for more time. "We shouldn’t hurry," said Ms O’Neill.',
  German:
    'Der Donaudampfschifffahrtsgesellschaftskapitän überprüfte die Sicherheitsvorschriften, während draußen ein außergewöhnlich heftiges Gewitter tobte.',
  French: 'Après l’été, les élèves sont rentrés à l’école ; où étaient donc passés les cahiers ?',
  Polish: 'Zażółć gęślą jaźń — pchnąć w tę łódź jeża lub ośm skrzyń fig, a potem odpocząć.',
  Turkish: 'Çekoslovakyalılaştıramadıklarımızdan mısınız? Öğretmen şu ağacın altında oturuyordu.',
  Vietnamese: 'Hôm nay trời đẹp, chúng tôi đi dạo quanh hồ rồi uống cà phê sữa đá ở quán cũ.',
  Finnish: 'Epäjärjestelmällistyttämättömyydellänsäkäänköhän hän selviytyi? Yöllä satoi räntää.',
  Russian: 'Вчера вечером мы долго гуляли по набережной и говорили о достопримечательностях.',
  Greek: 'Χθες το βράδυ περπατήσαμε στην παραλία και μιλήσαμε για τα παλιά μας ταξίδια.',
  Armenian: 'Երեկ երեկոյան մենք երկար քայլեցինք քաղաքի փողոցներով և զրուցեցինք։',
  Georgian: 'გუშინ საღამოს დიდხანს ვსეირნობდით სანაპიროზე და ვსაუბრობდით.',
  Hebrew: 'אתמול בערב טיילנו לאורך החוף ודיברנו על המסעות הישנים שלנו.',
  Arabic: 'مشينا مساء أمس على الشاطئ وتحدثنا طويلا عن رحلاتنا القديمة، ثُمَّ عُدْنَا.',
  Persian: 'دیروز عصر مدتی طولانی در کنار ساحل قدم زدیم و دربارهٔ سفرهای قدیمی حرف زدیم.',
  Devanagari: 'कल शाम हम देर तक समुद्र तट पर टहलते रहे और अपनी पुरानी यात्राओं की बातें करते रहे।',
  Bengali: 'গতকাল সন্ধ্যায় আমরা অনেকক্ষণ সমুদ্রের ধারে হেঁটেছিলাম এবং গল্প করেছিলাম।',
  Tamil: 'நேற்று மாலை நாங்கள் கடற்கரையில் நீண்ட நேரம் நடந்து பழைய பயணங்களைப் பற்றிப் பேசினோம்.',
  Thai: 'เมื่อวานตอนเย็นเราเดินเล่นริมทะเลนานมากและคุยกันถึงการเดินทางครั้งก่อน ๆ',
  Khmer: 'កាលពីល្ងាចម្សិលមិញ យើងបានដើរលេងតាមឆ្នេរសមុទ្រយ៉ាងយូរ។',
  Burmese: 'မနေ့ညနေက ကျွန်တော်တို့ ကမ်းခြေမှာ ကြာကြာ လမ်းလျှောက်ခဲ့ကြတယ်။',
  Tibetan: 'ཁ་སང་དགོང་དྲོར་ང་ཚོ་མཚོ་འགྲམ་དུ་ཡུན་རིང་འཆམ་འཆམ་བྱས།',
  Amharic: 'ትናንት ማታ በባሕር ዳርቻ ለረጅም ጊዜ ተራመድን፤ ስለ ድሮ ጉዞዎቻችንም አወራን።',
  Chinese: '昨天傍晚我们沿着海边走了很久，聊起以前的旅行；饕餮、魑魅魍魉、龘靐齉。',
  'Chinese, traditional': '昨天傍晚我們沿著海邊走了很久，聊起以前的旅行。鑿壁偷光，釁鼓旌旗。',
  Japanese:
    '昨日の夕方、海辺を長いあいだ散歩して、昔の旅行の話をしました。ｶﾀｶﾅもコンピューターも。',
  Korean: '어제 저녁 우리는 바닷가를 오래 걸으며 옛날 여행 이야기를 나누었습니다. 뷁쀍.',
  emoji: '👩‍👩‍👧‍👦🏳️‍🌈🇳🇴🇯🇵👍🏽🤷🏿‍♀️😀🫠🧑‍🚀❤️‍🔥🪿🫨☃️',
  TypeScript:
    'export async function* readLines(file: string): AsyncGenerator<string, void> {\n  for await (const chunk of createReadStream(file, { encoding: "utf8" })) {\n    if (chunk?.length === 0) continue;\n    yield* chunk.split(/\\r?\\n/u);\n  }\n}\n',
  Python:
    'def primes(n: int) -> list[int]:\n    sieve = [True] * (n + 1)\n    for i in range(2, int(n**0.5) + 1):\n        if sieve[i]:\n            sieve[i*i::i] = [False] * len(sieve[i*i::i])\n    return [p for p in range(2, n) if sieve[p]]\n',
  'minified code':
    '!function(e,t){"object"==typeof exports?module.exports=t():e.x=t()}(this,(()=>{var e={7:(e,t,n)=>{n.d(t,{Zo:()=>q_,$K:()=>Yt9})}};return e[7]}));',
  SQL: "SELECT u.id, COUNT(*) AS n FROM users u LEFT JOIN orders o ON o.user_id = u.id WHERE u.created_at >= '2026-01-01' GROUP BY u.id HAVING COUNT(*) > 3;",
  shell:
    'find . -name "*.log" -mtime +7 -print0 | xargs -0 -r rm -f && echo "$((1<<10)) ok" >> /dev/null 2>&1',
  regex:
    '^(?:(?!\\\\.)[^\\s@"\'`~!#$%^&*()+={}\\[\\]|\\\\:;<>?,/]+)@((?:[a-z0-9-]+\\.)+[a-z]{2,})$',
  LaTeX:
    '\\frac{\\partial^2 u}{\\partial t^2} = c^2 \\nabla^2 u, \\quad \\int_{0}^{\\infty} e^{-x^2}\\,dx',
  HTML: '<div class="a-b c_d" data-id="42"><a href="https://example.org/?q=1&amp;r=2#x">Go</a></div>',
  JSON: JSON.stringify(Array(5).fill(record)),
  'JSON with indentation': JSON.stringify(Array(5).fill(record), null, 4),
  'JSON in JSON': JSON.stringify(JSON.stringify(JSON.stringify(record))),
  base64: bytesOf(600).toString('base64'),
  hexadecimal: bytesOf(300).toString('hex'),
  'capital hexadecimal': bytesOf(300).toString('hex').toUpperCase(),
  UUIDs: Array.from({ length: 10 }, (_, index) =>
    bytesOf(1000)
      .subarray(index * 16, index * 16 + 16)
      .toString('hex')
      .replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-'),
  ).join(' '),
  'JWT-like': `${bytesOf(60).toString('base64url')}.${bytesOf(200).toString('base64url')}`,
  'long number': '3141592653589793238462643383279502884197169399375105820974944592307816406286',
  'short numbers': Array.from({ length: 80 }, (_, index) => index * 7).join(' '),
  'numbers with commas': Array.from({ length: 60 }, (_, index) => index).join(','),
  decimals: Array.from(bytesOf(60), (byte) => (byte / 7).toFixed(3)).join('\t'),
  times: Array.from({ length: 20 }, (_, hour) => `2026-05-01T${hour}:07:59.123Z`).join('\n'),
  'many spaces': `${' '.repeat(500)}x${' '.repeat(77)}`,
  'many lines': '\n\n \n\t\n\r\n'.repeat(60),
  tabs: '\t\ta\t\t\tb\t'.repeat(30),
  'odd blanks': '\u00a0\u2003\u200b\u3000\u202f\ufeff '.repeat(20),
  'one letter again and again': 'a'.repeat(400),
  capitals: 'WE SHALL NOT BE MOVED, SAID THE XYLOPHONISTS OF QUIZZICAL ZYZZYVA.',
  'random letters': bytesOf(900)
    .toString('base64')
    .replace(/[^a-z]/g, ''),
  'random capitals': bytesOf(900)
    .toString('base64')
    .replace(/[^A-Z]/g, ''),
  'mixed names':
    'getElementsByTagNameNS XMLHttpRequest snake_case_name kebab-case-name HTTP2Server iOS17_x86_64',
  paths: '/usr/local/lib/node_modules/@scope/pkg-name/dist/esm/index.d.mts:142:17 D:\\build\\cache',
  table: '| a | b | c |\n|---|:-:|--:|\n| 1 | 2 | 3 |\n'.repeat(8),
  punctuation: '?!…—–«»„“”‚‘’¿¡§¶†‡•·©®™°±×÷€£¥¢%‰#@&*()[]{}<>/\\|^~`\'"',
  'ASCII signs by chance': Array.from(
    bytesOf(300),
    (byte) => '!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~'[byte % 32],
  ).join(''),
  'box drawing': '┌──┬──┐\n│░▒│▓█│\n└──┴──┘\n'.repeat(5),
  mathematics: '∀x∈ℝ ∃y: x²+y²≤1 ⇒ ∑ᵢ₌₁ⁿ aᵢ ≈ ∫₀^∞ ƒ(t)dt ∧ ¬∅ ⊆ ℵ₀',
  'mathematical letters': '𝓣𝓱𝓮 𝕢𝕦𝕚𝕔𝕜 𝖇𝖗𝖔𝖜𝖓 𝚏𝚘𝚡 𝟙𝟚𝟛',
  phonetic: 'ˈfəʊnɛtɪk ˌtrænskɹɪpʃən ʔɑːɣʃʒŋθð',
  'combining marks': 'Z̴̡̛͇a̶̢͝l̷̰̈g̸̞͘ơ̵̖ ẗ̶̘́e̴͚͝x̷̱̏ẗ̸̢́',
  'full width': 'ＡＢＣ１２３！？ｆｕｌｌ　ｗｉｄｔｈ',
  cuneiform: charactersFrom(0x12000, 0x12399, 60),
  hieroglyphs: charactersFrom(0x13000, 0x1342f, 60),
  'rare ideographs': charactersFrom(0x20000, 0x2a6df, 80),
  'ideographs by chance': charactersFrom(0x4e00, 0x9fff),
  'Hangul by chance': charactersFrom(0xac00, 0xd7a3),
  'Cyrillic by chance': charactersFrom(0x400, 0x4ff),
  'Arabic by chance': charactersFrom(0x600, 0x6ff),
  'Devanagari by chance': charactersFrom(0x900, 0x97f),
  'Thai by chance': charactersFrom(0xe01, 0xe3a),
  'Latin with marks by chance': charactersFrom(0xc0, 0x24f),
  'Hebrew by chance': charactersFrom(0x590, 0x5f4),
  'Greek by chance': charactersFrom(0x370, 0x3ff),
  'Greek with accents by chance': charactersFrom(0x1f00, 0x1fff),
  'Kana by chance': charactersFrom(0x3041, 0x30fe),
  'symbols by chance': charactersFrom(0x2190, 0x2bff),
  'emoji by chance': charactersFrom(0x1f300, 0x1faff, 100),
  'private use': charactersFrom(0xe000, 0xf8ff, 60),
  'anything of the first plane': charactersFrom(0xa0, 0xd7ff, 600),
  'lone surrogates': '\ud800\udc00\udfff\ud83d',
  'control characters': '\u0000\u0001\u0007\u001b[31m\u007f\u0085'.repeat(10),
  'special tokens as text': '<|endoftext|><|im_start|>system<|im_sep|>',
};
