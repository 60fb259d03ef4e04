/** English words that are left out of a query that has others: they tell nothing about its subject. */
export const englishStopWords: ReadonlySet<string> = new Set(
  `a an the and or but nor so if then than because though although however
   as of at by for from in into on onto to with without within about above after again against among around
   before behind below beneath beside between beyond during except inside near off out outside over since
   through throughout toward towards under until up upon via while
   i me my mine myself we us our ours ourselves you your yours yourself yourselves he him his himself
   she her hers herself it its itself they them their theirs themselves
   this that these those here there who whom whose which what when where why how
   am is are was were be been being do does did doing done have has had having
   will would shall should can could may might must ought let
   not no yes also too very just only such some any each every either neither both all most more much many
   few less least other another else ever once now
   isnt arent wasnt werent dont doesnt didnt hasnt havent hadnt wont wouldnt cant couldnt shouldnt
   mightnt mustnt`.split(/\s+/),
);
